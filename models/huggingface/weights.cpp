#include "models/huggingface/weights.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/format/pretrained_folder.h"
#include "core/message.h"
#include "models/huggingface/other_weights.h"
#include "models/huggingface/wrapped_names.h"

namespace rethink {
namespace {

constexpr const char* kWeights = "model.safetensors";
constexpr const char* kEncoder = "encoder";
constexpr const char* kWordEmbedding = "encoder.embedding.weight";

/// Returns the name that newer versions of transformers use in a model with heads.
std::string modern_name(const HuggingFaceFamily& family, std::string theirs) {
  for (const char* part : family.unprefixed) {
    if (theirs.starts_with(part)) theirs = family.prefix + theirs;
  }
  for (const auto& [old, now] : {std::pair("gamma", "weight"), std::pair("beta", "bias")}) {
    const std::string end = std::string("LayerNorm.") + old;
    if (theirs.ends_with(end)) theirs.replace(theirs.rfind(old), std::string::npos, now);
  }
  return theirs;
}

/// Returns the part of a model to which a name belongs: a head's name, or "encoder".
std::string part_of(const std::string& ours) {
  return ours.substr(0, ours.find('.'));
}

std::vector<std::string> names_of(const TensorViews& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, view] : tensors) names.push_back(name);
  return names;
}

/// The tensors of a file by their modern names.
class Contents {
 public:
  explicit Contents(const std::filesystem::path& folder)
      : path_(folder / kWeights),
        file_(checked(path_)),
        family_(read_family(folder)),
        bare_(bare_names(names_of(file_.tensors()), family_)) {
    if (const std::string adapter = trouble_with_adapter_names(names_of(file_.tensors()));
        !adapter.empty())
      throw ConfigError("unsupported-weights", path_.string() + ": " + adapter);
    if (!bare_.trouble.empty())
      throw ConfigError("unsupported-weights", path_.string() + ": " + bare_.trouble);
    std::vector<std::string> all;
    for (const auto& [name, bare] : bare_.bare) {
      all.push_back(bare);
      const auto [place, is_new] = names_.emplace(modern_name(family_, bare), name);
      if (!is_new) {
        throw ConfigError("unsupported-weights",
                          fmt::format("{}: '{}' and '{}' are names of the same weight",
                                      path_.string(), place->second, name));
      }
    }
    if (const std::string trouble = trouble_with_mixed_names(all, family_); !trouble.empty())
      throw ConfigError("unsupported-weights", path_.string() + ": " + trouble);
  }

  const std::map<std::string, std::string>& names() const { return names_; }  // modern: as written
  bool has(const std::string& modern) const { return names_.contains(modern); }
  const TensorView& at(const std::string& modern) const { return file_.at(names_.at(modern)); }
  const std::filesystem::path& path() const { return path_; }
  const HuggingFaceFamily& family() const { return family_; }
  const LeftOut& left_out() const { return bare_.left_out; }
  /// Returns an explanation for missing weights: a prefix that all names share.
  std::string hint_at_names() const {
    const std::string common = common_beginning(names_of(file_.tensors()));
    const bool is_expected = common.empty() || bare_.left_out.before.starts_with(common) ||
                             common.starts_with(family_.prefix);
    return is_expected ? "" : fmt::format("\n  every name in the file begins with '{}'", common);
  }

 private:
  static const std::filesystem::path& checked(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file))
      throw ConfigError("unsupported-weights", other_form_of(file));
    return file;
  }

  std::filesystem::path path_;
  SafetensorsFile file_;
  const HuggingFaceFamily& family_;
  BareNames bare_;
  std::map<std::string, std::string> names_;
};

/// Throws for weights that are NaN or infinite as float32.
void require_finite(const Contents& contents, const TensorsByName& weights) {
  std::string first;
  size_t others = 0;
  for (const auto& [name, tensor] : weights) {
    const std::string theirs = huggingface_name(contents.family(), name);
    if (!contents.has(theirs) || !at::isFloatingType(tensor.scalar_type())) continue;
    const at::Tensor values = tensor_over(contents.at(theirs)).to(at::kFloat);
    const int64_t bad = values.numel() - values.isfinite().sum().item<int64_t>();
    if (bad == 0) continue;
    if (!first.empty()) {
      ++others;
      continue;
    }
    first = fmt::format("{} of the {} values of {}", bad, values.numel(), theirs);
  }
  if (first.empty()) return;
  throw ConfigError(
      "not-finite",
      fmt::format(
          "{}: {} are NaN or infinite{}: the training diverged, or the file is damaged; take an "
          "earlier checkpoint, or download the file again",
          contents.path().string(), first,
          others == 0 ? "" : fmt::format(", and some of {} more", counted(others, "weight"))));
}

bool is_floating(Dtype dtype) {
  return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16 || dtype == Dtype::f64;
}

/// Returns why the view cannot fill the tensor; "" if it can.
std::string misfit(const TensorView& view, const at::Tensor& tensor) {
  if (at::isFloatingType(tensor.scalar_type()) && !is_floating(view.dtype))
    return fmt::format("of type {}, expected F32, F16, BF16 or F64", to_text(view.dtype));
  if (tensor.sizes() == at::IntArrayRef(view.shape)) return "";
  return fmt::format("of shape {}, expected {}", c10::str(at::IntArrayRef(view.shape)),
                     c10::str(tensor.sizes()));
}

/// The file may have the tied output projection a second time. Both copies must then be equal.
void require_tied(const Contents& contents, const TensorsByName& weights) {
  const HuggingFaceFamily& family = contents.family();
  const std::pair<std::string, std::string> ties[] = {
      {family.tied_weight, huggingface_name(family, kWordEmbedding)},
      {family.tied_bias, huggingface_name(family, "mlm.bias")}};
  if (!weights.contains("mlm.bias")) return;
  for (const auto& [copy, original] : ties) {
    if (!contents.has(copy) || !contents.has(original)) continue;
    if (at::equal(tensor_over(contents.at(copy)), tensor_over(contents.at(original)))) continue;
    throw ConfigError("unsupported-weights",
                      fmt::format("{}: {} is not {}: a masked-language head whose output "
                                  "projection is not tied to the embedding is not supported",
                                  contents.path().string(), copy, original));
  }
}

/// Returns the part with which a weight may be missing: its head, or itself if BERT lacks it; "" =
/// none.
std::string optional_part(const HuggingFaceFamily& family, const std::string& ours) {
  if (huggingface_name(family, ours).starts_with(kOwnWeights)) return ours;
  return part_of(ours) == kEncoder ? "" : part_of(ours);
}

}  // namespace

LoadedWeights load_huggingface(const std::filesystem::path& folder, torch::nn::Module& model) {
  const Contents contents(folder);
  const HuggingFaceFamily& family = contents.family();
  const TensorsByName weights = weights_of(model);
  std::set<std::string> there;
  for (const auto& [name, tensor] : weights) {
    if (contents.has(huggingface_name(family, name))) there.insert(optional_part(family, name));
  }
  std::set<std::string> fresh, used = {std::string(family.prefix) + "embeddings.position_ids",
                                       family.tied_weight, family.tied_bias};
  std::string problems;
  for (const auto& [name, tensor] : weights) {
    const std::string theirs = huggingface_name(family, name), part = optional_part(family, name);
    used.insert(theirs);
    if (contents.has(theirs)) {
      const std::string why = misfit(contents.at(theirs), tensor);
      if (!why.empty()) problems += fmt::format("\n  {} is {}", theirs, why);
    } else if (!part.empty() && !there.contains(part)) {
      fresh.insert(part);
    } else {
      problems += fmt::format("\n  {} is missing", theirs);
    }
  }
  if (!problems.empty()) {
    throw ConfigError("wrong-weights",
                      fmt::format("{} does not hold the weights of this model:{}{}",
                                  contents.path().string(), problems, contents.hint_at_names()));
  }
  require_tied(contents, weights);
  require_finite(contents, weights);
  const at::NoGradGuard no_gradient;
  for (auto [name, tensor] : weights) {
    const std::string theirs = huggingface_name(family, name);
    if (contents.has(theirs)) tensor.copy_(tensor_over(contents.at(theirs)));
  }
  LoadedWeights loaded{contents.left_out(), {fresh.begin(), fresh.end()}, {}};
  for (const auto& [modern, name] : contents.names()) {
    if (!used.contains(modern)) loaded.unused.push_back(name);
  }
  return loaded;
}

void require_sizes(const std::filesystem::path& folder, const EncoderFolder& facts) {
  const Contents contents(folder);
  const EncoderOptions& options = facts.options;
  const std::string last_layer = fmt::format("encoder.layers.{}.", options.layers);
  const std::pair<std::string, std::vector<int64_t>> expected[] = {
      {kWordEmbedding, {facts.vocabulary, options.d_model}},
      {"encoder.positions.weight", {options.max_positions, options.d_model}},
      {last_layer + "ffn_in.weight", {options.ffn, options.d_model}}};
  std::string problems;
  for (const auto& [ours, shape] : expected) {
    const std::string theirs = huggingface_name(contents.family(), ours);
    if (!contents.has(theirs)) {
      problems += fmt::format("\n  {} is missing", theirs);
    } else if (contents.at(theirs).shape != shape) {
      problems += fmt::format("\n  {} is of shape {}, expected {}", theirs,
                              c10::str(at::IntArrayRef(contents.at(theirs).shape)),
                              c10::str(at::IntArrayRef(shape)));
    }
  }
  if (problems.empty()) return;
  throw ConfigError(
      "wrong-weights",
      fmt::format("{} does not hold the weights of the model in {}:{}{}", contents.path().string(),
                  (folder / "config.json").string(), problems, contents.hint_at_names()));
}

std::map<std::string, int64_t> heads_in(const std::filesystem::path& folder) {
  const Contents contents(folder);
  std::map<std::string, int64_t> heads;
  for (const char* bias :
       {"pooler.dense.bias", "mlm.bias", "nsp.bias", "classifier.bias", "span.bias"}) {
    const std::string theirs = huggingface_name(contents.family(), bias);
    if (!contents.has(theirs)) continue;
    const std::vector<int64_t>& shape = contents.at(theirs).shape;
    heads[part_of(bias)] = shape.empty() ? 1 : shape[0];
  }
  return heads;
}

void save_huggingface(const std::filesystem::path& folder, const EncoderFolder& facts,
                      const TensorsByName& weights) {
  TensorsByName renamed_weights;
  for (const auto& [name, tensor] : weights) {
    at::Tensor values = tensor.detach().to(at::kCPU);
    if (values.is_floating_point()) values = values.to(at::kFloat);
    renamed_weights[huggingface_name(family_of(facts.options), name)] = values.contiguous();
  }
  write_safetensors_durably(folder / kWeights, views_of(renamed_weights), {{"format", "pt"}});
  write_encoder_config(folder, facts);
}

}  // namespace rethink
