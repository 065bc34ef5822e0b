// The facts that a job declares (experiments/attempt/job.h): `plan` uses them to check how stages
// are connected, and which metrics a trial will have.
#pragma once

#include "core/config/options.h"

namespace rethink {

/// Metrics that another plug-in declares: the fact `fact` of the plug-in of `registry` that `option` names.
struct NamedMetrics {
  std::string option{}, registry{}, fact{};
  void fields(Fields& field);
};

/// The metrics in a done trial's result.json: those in `always`; for each split in the option
/// `splits`, SPLIT/score and SPLIT/NAME; and the keys of the option `in_option`, which a sweep
/// names itself. NAME is each plug-in of the registry `of` whose kind is `kind`, or each name in
/// `named_by`. All but those in `always` also exist with each suffix in `finals`.
struct JobMetrics {
  std::vector<std::string> always{};
  /// Metrics with the suffixes "_1", "_2", ..., one per layer of a model.
  std::vector<std::string> numbered{};
  std::string splits{};
  std::string of{}, kind{};
  /// A metric with this unit exists only if each of the options has one of the values.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> units{};
  std::optional<NamedMetrics> named_by{};
  std::string in_option{};
  /// "@last", "@best", ...; a final value with an option exists if the option is true.
  std::map<std::string, std::optional<std::string>> finals{};
  /// The trial's score if neither `evaluate.metric` nor the data set names one: "mlm_loss", or with
  /// a split "dev/score".
  std::string score{};
  /// Direction (min or max) of metrics that no plug-in of the registry `metric` declares.
  std::map<std::string, std::string> directions{};
  void fields(Fields& field);
};

struct JobFacts {
  std::map<std::string, std::string> inputs{};
  std::vector<std::string> outputs{};
  bool seeded = true;
  std::vector<std::string> required{}, one_of{};
  std::map<std::string, std::string> options_of{};
  std::vector<std::string> plugin_inputs{}, plugin_outputs{};
  std::string chooses_by{};
  std::optional<JobMetrics> metrics{};
  std::vector<std::string> loads_first{};
  std::string weights_of{};
  std::string device{};
  std::vector<std::string> beside_memory{};
  bool runs_program = false;
  void fields(Fields& field);

  /// Returns what the input takes; "" if the job lacks the input.
  std::string input_kind(const std::string& slot) const;
};

}  // namespace rethink
