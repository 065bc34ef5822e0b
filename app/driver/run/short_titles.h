// The shortest titles that distinguish the trials of a run, for short lines.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace rethink {

/// Short titles of trials: the labels that distinguish a stage's trials, each as the shortest end
/// of its name that is unique in the run: "train lr=0.001 seed 1" for "train model.attention.rate=1
/// optimizer.lr=0.001 seed 1", if every rate is 1 and there are several seeds.
class ShortTitles {
 public:
  ShortTitles() = default;
  explicit ShortTitles(const std::vector<const PlannedTrial*>& trials);

  std::string of(const PlannedTrial& trial) const;

 private:
  struct Stage {
    std::map<std::string, std::string> labels;  // labels of its first trial
    std::optional<int64_t> seed;
    std::set<std::string> differs{};  // labels that differ between trials, or that a trial lacks
    bool seeds_differ = false;
  };
  void add(const PlannedTrial& trial);

  std::map<std::string, Stage> stages_;
  std::map<std::string, std::string> words_;  // by label: "lr" for "optimizer.lr"
};

}  // namespace rethink
