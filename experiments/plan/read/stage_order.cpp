// The order in which the stages of a sweep can run.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/plan/read/sweep_file.h"

namespace rethink {
namespace {

/// The stages in the order in which they can run, each after those it needs.
class StageOrder {
 public:
  StageOrder(SweepSpec& sweep, Problems& problems) : sweep_(sweep), problems_(problems) {}

  /// All stages, or `only` with what it needs.
  std::vector<StageSpec*> order(const std::optional<std::string>& only) {
    if (only && sweep_.unread.count(*only)) return {};
    if (only && !sweep_.find(*only)) {
      problems_.add({"--only"}, fmt::format("unknown stage '{}'{}; stages: {}", *only,
                                            did_you_mean(*only, names()), joined(names())));
      return {};
    }
    for (StageSpec& stage : sweep_.stages) {
      if (only ? stage.name == *only : !stage.left_out) visit(stage, stage.where);
    }
    return done_;
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const StageSpec& stage : sweep_.stages) all.push_back(stage.name);
    return all;
  }

  void visit(StageSpec& stage, const Position& where) {
    if (std::find(done_.begin(), done_.end(), &stage) != done_.end()) return;
    if (stage.left_out) {
      problems_.add(where, fmt::format("stage '{}' is needed here, but the profile or --set leaves "
                                       "it out",
                                       stage.name));
      return;
    }
    const auto open = std::find(path_.begin(), path_.end(), stage.name);
    if (open != path_.end()) {
      std::vector<std::string> circle(open, path_.end());
      circle.push_back(stage.name);
      problems_.add(where, "stages need each other in a circle: " + joined(circle, " -> "));
      return;
    }
    path_.push_back(stage.name);
    for (const Need& need : stage.needs) {
      if (need.stage.empty()) continue;
      if (StageSpec* parent = sweep_.find(need.stage)) {
        visit(*parent, need.where);
      } else if (!sweep_.unread.count(need.stage)) {
        problems_.add(
            need.where,
            fmt::format("'{}' needs stage '{}', which does not exist{}; stages: {}", need.slot,
                        need.stage, did_you_mean(need.stage, names()), joined(names())));
      }
    }
    path_.pop_back();
    done_.push_back(&stage);
  }

  SweepSpec& sweep_;
  Problems& problems_;
  std::vector<std::string> path_;
  std::vector<StageSpec*> done_;
};

}  // namespace

std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems) {
  return StageOrder(sweep, problems).order(only);
}

std::set<std::string> SweepSpec::left_out() const {
  std::set<std::string> names;
  for (const StageSpec& stage : stages) {
    if (stage.left_out) names.insert(stage.name);
  }
  return names;
}

AxisValues SweepSpec::axis_values() const {
  AxisValues values;
  for (const StageSpec& stage : stages) {
    for (const Axis& axis : stage.axes) {
      for (const AxisPoint& point : axis.points) {
        for (const auto& [axis_name, value] : point.labels)
          values[stage.name][axis_name].insert(value);
      }
    }
  }
  return values;
}

}  // namespace rethink
