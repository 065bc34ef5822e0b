#include "experiments/train/state.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

constexpr const char* kValuesKey = "values";
constexpr const char* kChecksumKey = "crc32c";

/// Hexadecimal text keeps every bit of a number.
std::string exact_text(double value) {
  return fmt::format("{:a}", value);
}
double from_exact_text(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

/// Over the numbers and the bytes of all tensors, in the order of their names.
std::string checksum(const TensorViews& views, const std::string& values) {
  std::string parts = values;
  for (const auto& [name, view] : views) {
    const auto* bytes = reinterpret_cast<const char*>(view.bytes.data());
    parts += fmt::format("\n{} {:08x}", name, crc32c({bytes, view.bytes.size()}));
  }
  return fmt::format("{:08x}", crc32c(parts));
}

}  // namespace

State::State(const SafetensorsFile& file) : file_(&file) {
  const auto values = file.metadata().find(kValuesKey);
  if (values == file.metadata().end())
    throw TrialError("damaged-checkpoint",
                     "the checkpoint has no values: rethink did not write it");
  values_ = parse_json(values->second, "checkpoint");
}

const Json& State::loaded(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw TrialError("damaged-checkpoint", fmt::format("the checkpoint has no value '{}'", name));
  return *found;
}

at::Tensor State::loaded_tensor(const std::string& name) const {
  if (!file_->has(name))
    throw TrialError("damaged-checkpoint", fmt::format("the checkpoint has no tensor '{}'", name));
  return tensor_over(file_->at(name));
}

void State::tensor(const std::string& name, at::Tensor& value) {
  if (!loading()) {
    tensors_[name] = value.detach().to(at::kCPU).contiguous();
    return;
  }
  const at::Tensor saved = loaded_tensor(name);
  if (saved.sizes() != value.sizes() || saved.scalar_type() != value.scalar_type()) {
    throw TrialError("damaged-checkpoint",
                     fmt::format("tensor '{}' of the checkpoint is {} {}, expected {} {}", name,
                                 c10::toString(saved.scalar_type()), c10::str(saved.sizes()),
                                 c10::toString(value.scalar_type()), c10::str(value.sizes())));
  }
  at::NoGradGuard no_gradient;
  value.copy_(saved);
}

void State::tensors(const std::string& name, std::map<std::string, at::Tensor>& values) {
  const std::string prefix = name + "/";
  if (!loading()) {
    for (auto& [key, tensor] : values) State::tensor(prefix + key, tensor);
    return;
  }
  values.clear();
  for (const auto& [key, view] : file_->tensors()) {
    if (key.starts_with(prefix)) values[key.substr(prefix.size())] = loaded_tensor(key).clone();
  }
}

void State::value(const std::string& name, int64_t& value) {
  if (loading()) {
    value = loaded(name).get<int64_t>();
  } else {
    values_[name] = value;
  }
}

void State::value(const std::string& name, int64_t& value, int64_t absent) {
  if (loading() && !values_.contains(name)) {
    value = absent;
  } else {
    this->value(name, value);
  }
}

void State::value(const std::string& name, double& value) {
  if (loading()) {
    value = from_exact_text(loaded(name).get<std::string>());
  } else {
    values_[name] = exact_text(value);
  }
}

void State::value(const std::string& name, std::string& value) {
  if (loading()) {
    value = loaded(name).get<std::string>();
  } else {
    values_[name] = value;
  }
}

void State::value(const std::string& name, std::optional<double>& value) {
  if (!loading()) {
    values_[name] = value ? Json(exact_text(*value)) : Json();
    return;
  }
  value.reset();
  if (!loaded(name).is_null()) value = from_exact_text(loaded(name).get<std::string>());
}

void State::value(const std::string& name, std::map<std::string, double>& values) {
  if (!loading()) {
    Json& texts = values_[name] = Json::object();
    for (const auto& [key, number] : values) texts[key] = exact_text(number);
    return;
  }
  values.clear();
  for (const auto& [key, text] : loaded(name).items())
    values[key] = from_exact_text(text.get<std::string>());
}

void State::write(const std::filesystem::path& file,
                  std::map<std::string, std::string> metadata) const {
  const TensorViews views = views_of(tensors_);
  const std::string values = values_.dump();
  metadata[kValuesKey] = values;
  metadata[kChecksumKey] = checksum(views, values);
  write_safetensors(file, views, with_description_checksum(std::move(metadata), views));
}

bool is_sound_checkpoint(const std::filesystem::path& path) {
  try {
    const SafetensorsFile file(path);
    const TensorMetadata& metadata = file.metadata();
    if (!metadata.contains(kValuesKey) || !metadata.contains(kChecksumKey)) return false;
    return checksum(file.tensors(), metadata.at(kValuesKey)) == metadata.at(kChecksumKey);
  } catch (const ConfigError&) {
    return false;  // the reader reports a damaged file
  }
}

}  // namespace rethink
