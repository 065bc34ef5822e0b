// What a stage says itself, looked at where the stages that it needs have mistakes: so that one
// look at a file finds them all.
#include <algorithm>

#include "core/config/check.h"
#include "core/config/schema.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

bool is_or_is_below(const std::string& key, const std::string& option) {
  return key == option || key.starts_with(option + ".");
}

/// The job's options less one, which depends on what the stage cannot see.
OptionsSchema without(OptionsSchema options, const std::string& option) {
  std::erase_if(options.fields, [&](const Field& field) { return field.name == option; });
  std::erase_if(options.rules, [&](const Rule& rule) {
    const auto is_it = [&](const std::string& key) { return is_or_is_below(key, option); };
    return std::ranges::any_of(rule.fields, is_it) ||
           std::ranges::any_of(rule.when, is_it, [](const auto& one) { return one.first; });
  });
  return options;
}

/// Whether every point of the axes stands alone: none depends on others by `when` or `exclude`.
bool has_plain_axes(const StageSpec& spec) {
  if (!spec.exclude.empty() || (spec.flawed && !spec.axes.empty())) return false;
  return std::ranges::all_of(
      spec.when, [&](const auto& one) { return is_or_is_below(one.first, kInheritedOption); });
}

}  // namespace

void check_own_options(const StageSpec& spec, const PluginSchema& job, const Schema& schema,
                       Presets& presets, Problems& problems) {
  if (spec.has_unread_axes || !has_plain_axes(spec)) return;
  const bool inherits =
      std::ranges::any_of(spec.needs, [](const Need& need) { return need.slot == kInheritedSlot; });
  const OptionBlock block(job.options);
  const OptionsSchema options = inherits ? without(job.options, kInheritedOption) : job.options;
  std::vector<const Axis*> axes;
  for (const Axis& axis : spec.axes) {
    const bool depends =
        std::ranges::any_of(axis.names, [&](const auto& name) { return spec.when.count(name); });
    if (!depends && !axis.points.empty()) axes.push_back(&axis);
  }
  const auto check = [&](const Axis* varied, const AxisPoint* value) {
    Yaml given = spec.options;
    for (const Axis* axis : axes) {
      const AxisPoint& point = axis == varied ? *value : axis->points.front();
      lay_over(given, point.overlay, block, schema, Lower::given);
    }
    lay_over(given, spec.overrides, block, schema, Lower::given);
    presets.expand(given, spec.job, block, problems);
    if (inherits) erase_path(given, kInheritedOption);
    check_options(given, options, schema, "", problems);
  };
  if (axes.empty()) check(nullptr, nullptr);
  for (const Axis* axis : axes) {
    for (const AxisPoint& point : axis->points) check(axis, &point);
  }
}

}  // namespace rethink
