// What a trial was run with, under the names that `--where` takes.
#pragma once

#include <map>
#include <string>

#include "core/config/value_equality.h"
#include "results/store/store.h"

namespace rethink {

/// Values by their keys.
using TrialOptions = std::map<std::string, RecordedValue>;

/// Options of trials, read once each.
class OptionsReader {
 public:
  /// `stages`: of the trials that a sweep has.
  OptionsReader(Store& store, std::map<std::string, std::string> stages)
      : store_(store), stages_(std::move(stages)) {}

  /// The trial's own options ("optimizer.lr"), and behind its stage those of each trial that it came
  /// from ("pretrain.optimizer.lr").
  TrialOptions of(const std::string& trial);

 private:
  const TrialOptions& own_of(const std::string& trial);
  std::vector<std::string> needs_of(const std::string& trial);

  Store& store_;
  std::map<std::string, std::string> stages_;
  std::map<std::string, TrialOptions> read_;
};

}  // namespace rethink
