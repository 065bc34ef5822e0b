// The reports of a program on its trial: lines of JSON, appended to $RETHINK_EVENTS:
//
//   {"metric": "dev/acc", "step": 100, "value": 0.91}
//   {"tick": 100, "of": 5000}
//   {"checkpoint": 100, "path": "out/checkpoint-100"}        with "give": true it is moved, not copied
//   {"artifact": "predictions", "path": "predictions.csv"}
//   {"text": "sample", "step": 100, "value": "..."}
//   {"image": "attention", "step": 100, "path": "attention.png"}
//   {"environment": {"python": "CPython 3.11.2", "torch": "2.11.0"}}
//   {"outside": ["lib/model.py"]}                            code loaded from the checkout, not from its copy
//   {"done": true}
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "experiments/attempt/command/secrets.h"

namespace rethink {

struct ReportedMetric {
  std::string split, name;  // "dev", "acc"
  int64_t step = 0;
  double value = 0;  // may be NaN or infinite, as Python writes them
};
struct ReportedTick {
  int64_t step = 0;
  std::optional<int64_t> of;
};
struct ReportedCheckpoint {
  int64_t step = 0;
  std::filesystem::path path;
  bool give = false;
};
struct ReportedArtifact {
  std::string name;
  std::filesystem::path path;
};
struct ReportedText {
  std::string name;
  int64_t step = 0;
  std::string value;
};
struct ReportedImage {
  std::string name;
  int64_t step = 0;
  std::filesystem::path path;
};
struct ReportedEnvironment {
  std::map<std::string, std::string> facts;
};
struct ReportedOutsideFiles {
  std::vector<std::string> files;
};
struct ReportedDone {};

using ReportedLine =
    std::variant<ReportedMetric, ReportedTick, ReportedCheckpoint, ReportedArtifact, ReportedText,
                 ReportedImage, ReportedEnvironment, ReportedOutsideFiles, ReportedDone>;

/// A line of none of these forms. The trial fails if the line is about a metric, which would be lost.
struct WrongLine : TrialError {
  WrongLine(MessageCode code, const std::string& text, bool of_metric)
      : TrialError(code, text), is_of_metric(of_metric) {}
  bool is_of_metric;
};

/// Texts are hidden by `secrets` after the line was read, so that no escape of JSON shows a secret.
/// Throws WrongLine.
ReportedLine reported_line(const std::string& line, const SecretFilter& secrets = SecretFilter({}));

/// Sets split and name from "dev/acc". A name without a split has the split "run". Throws
/// ConfigError if one is empty.
void set_metric_name(const std::string& given, ReportedMetric& metric);

}  // namespace rethink
