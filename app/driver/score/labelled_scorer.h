// Scores of predicted labels: against a file, or against a split from the data set's own reader, if
// it is only a part of the published data (MRPC, CODAH).
#pragma once

#include <string>
#include <vector>

#include "app/driver/score/scorer.h"
#include "core/json_fwd.h"
#include "datasets/labelled/labelled.h"
#include "datasets/labelled/predictions.h"

namespace rethink {

class LabelledScorer : public FileScorer {
 public:
  std::string positional() const override { return "--ref F|--split S --pred F"; }
  /// Declares --ref, --pred, --split and --holdout.
  void declare(po::options_description& options) const override;

 protected:
  Json score(const CommandContext& context, const std::string& scorer,
             const po::variables_map& given) const override;

  /// Returns the data set's name in the registry.
  virtual std::string dataset(const po::variables_map& given) const = 0;
  /// Returns the examples of the file in --ref. Throws ConfigError if it is not a file of the data
  /// set.
  virtual std::vector<LabelledExample> read(const std::filesystem::path& reference,
                                            const DatasetFacts& facts) const = 0;
  /// Returns whether --ref can name a file.
  virtual bool has_reference_files() const { return true; }

 private:
  bool is_reference(const std::filesystem::path& file, const DatasetFacts& facts) const;
  /// Calls `read`. The error names a file of predictions that was given as --ref.
  std::vector<LabelledExample> read_reference(const std::filesystem::path& reference,
                                              const std::filesystem::path& predictions,
                                              const std::string& dataset,
                                              const DatasetFacts& facts) const;
  /// Calls read_predictions. The error names a table that was given as --pred; `hint` ends other messages.
  Predictions predictions_of(const std::filesystem::path& file,
                             const std::vector<LabelledExample>& examples,
                             const std::string& dataset, const DatasetFacts& facts,
                             const std::string& hint) const;
};

}  // namespace rethink
