// The state that a component must keep across a crash. Each component lists its state in one
// visit(State&), which both saves and loads, so that the two cannot differ.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace rethink {

class SafetensorsFile;

/// Named tensors and numbers that are being saved or loaded. Numbers keep all their bits;
/// infinities are allowed.
class State {
 public:
  /// For saving.
  State() = default;
  /// For loading. The file must live as long as the state.
  explicit State(const SafetensorsFile& file);

  bool loading() const { return file_ != nullptr; }

  /// A tensor whose shape is known: loading copies into it, since other strides would change the
  /// bits of a matrix product. Throws TrialError when the saved tensor is missing or has another
  /// shape or dtype.
  void tensor(const std::string& name, at::Tensor& value);
  /// Tensors by name, any of which may be missing: loading replaces the whole map.
  void tensors(const std::string& name, std::map<std::string, at::Tensor>& values);

  void value(const std::string& name, int64_t& value);
  /// Loading from a checkpoint of a version that did not have this value gives `absent`.
  void value(const std::string& name, int64_t& value, int64_t absent);
  void value(const std::string& name, double& value);
  void value(const std::string& name, std::string& value);
  void value(const std::string& name, std::optional<double>& value);
  void value(const std::string& name, std::map<std::string, double>& values);

  /// Writes the saved values to `file`, not durably, with `metadata`. Throws MachineError.
  void write(const std::filesystem::path& file,
             std::map<std::string, std::string> metadata = {}) const;

 private:
  const Json& loaded(const std::string& name) const;
  at::Tensor loaded_tensor(const std::string& name) const;

  const SafetensorsFile* file_ = nullptr;
  std::map<std::string, at::Tensor> tensors_;  // on the CPU, contiguous
  Json values_ = Json::object();
};

/// Returns whether `file` is a whole checkpoint with every bit as it was written.
bool is_sound_checkpoint(const std::filesystem::path& file);

}  // namespace rethink
