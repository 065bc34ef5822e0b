// Refuses a stage that follows its own seed with a mask that the weights it starts from saw in another
// draw: draw k belongs to seed k, in the pretraining of an arm as in its fine-tuning.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/plan/expand/imported_model.h"
#include "experiments/plan/expand/stage_points.h"

namespace rethink {
namespace {

/// The stage and point whose weights a point leaves: of a select its first candidate's, since all have
/// the same model.
PointId point_of_weights(const std::vector<ExpandedStage>& stages, PointId id) {
  const ExpandedStage& stage = stages[id.stage];
  const auto slot = stage.gathers();
  if (!slot || stage.need_stages[*slot] == kNoStage) return id;
  const std::vector<size_t>& candidates = stage.points[id.point].sources[*slot];
  if (candidates.empty()) return id;
  return point_of_weights(stages, {stage.need_stages[*slot], candidates.front()});
}

/// Whether both have the same plug-in at the option's place, with the same other options.
bool are_alike_but_for(const SeedOption& option, const Json& config, const Json& other) {
  const Json::json_pointer around = option.place.parent_pointer();
  if (!other.contains(option.place)) return false;
  Json here = config.at(around), there = other.at(around);
  here.erase(option.place.back());
  there.erase(option.place.back());
  return here == there;
}

class DrawCheck {
 public:
  DrawCheck(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
            Problems& problems)
      : stages_(stages), child_(child), problems_(problems) {}

  /// Says it once.
  void check(size_t slot) {
    const Need& need = child_.spec->needs[slot];
    Json imported;
    if (need.stage.empty()) {
      Problems known;  // what is wrong with the folder was said when the stage was expanded
      imported = {{kInheritedOption, imported_model(need, known)}};
    }
    for (const StagePoint& point : child_.points) {
      for (const SeedOption& option : point.own_draws) {
        const bool is_fine = need.stage.empty()
                                 ? fits_number(point, option, imported, need.imported.string())
                                 : fits_stage(point, option, need, slot);
        if (!is_fine) return;
      }
    }
  }

 private:
  bool fits_stage(const StagePoint& point, const SeedOption& option, const Need& need,
                  size_t slot) {
    const PointId id =
        point_of_weights(stages_, {child_.need_stages[slot], point.sources[slot].front()});
    const ExpandedStage& parent = stages_[id.stage];
    const Json& config = parent.points[id.point].config;
    if (!are_alike_but_for(option, point.config, config)) return true;
    if (config.at(option.place) != kSeedWord)
      return fits_number(point, option, config, "stage '" + parent.spec->name + "'");
    if (parent.seeds.size() != 1) return true;  // its seeds are the child's, or that was said
    const int64_t draw = parent.seeds.front();
    const auto seed = other_seed(draw);
    if (!seed) return true;
    problems_.add(
        need.where,
        fmt::format(
            "'{0}: {1}' gives each seed a draw of its own, but stage '{2}' with seed {3} would "
            "start from weights of stage '{4}' with seed {5}, trained on another draw: give "
            "both stages the same seeds, or list the draws in '{4}' (grid: {{{0}: [0, 1, "
            "2]}})",
            option.name, kSeedWord, child_.spec->name, *seed, parent.spec->name, draw));
    return false;
  }

  /// `config` has the draw of the weights, which come from `source`.
  bool fits_number(const StagePoint& point, const SeedOption& option, const Json& config,
                   const std::string& source) {
    if (!are_alike_but_for(option, point.config, config)) return true;
    const Json& draw = config.at(option.place);
    const auto seed = draw.is_number_integer() ? other_seed(draw.get<int64_t>()) : std::nullopt;
    if (!seed) return true;
    problems_.add(
        child_.spec->place_of(option.name, point.own),
        fmt::format(
            "'{0}: {1}' gives each seed a draw of its own, but stage '{2}' with seed {3} would "
            "start from weights of {4}, trained on draw {5}: leave '{0}' out of '{2}' to "
            "keep their draw, or train the weights with '{0}: {1}'",
            option.name, kSeedWord, child_.spec->name, *seed, source, draw.dump()));
    return false;
  }

  /// One that has another draw.
  std::optional<int64_t> other_seed(int64_t draw) const {
    const auto other =
        std::ranges::find_if(child_.seeds, [&](int64_t seed) { return seed != draw; });
    return other == child_.seeds.end() ? std::nullopt : std::optional(*other);
  }

  const std::vector<ExpandedStage>& stages_;
  const ExpandedStage& child_;
  Problems& problems_;
};

}  // namespace

void check_draws(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
                 Problems& problems) {
  const auto& needs = child.spec->needs;
  for (size_t slot = 0; slot < needs.size(); ++slot) {
    if (needs[slot].slot == kInheritedSlot) DrawCheck(stages, child, problems).check(slot);
  }
}

}  // namespace rethink
