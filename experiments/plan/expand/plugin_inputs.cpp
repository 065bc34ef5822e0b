#include "experiments/plan/expand/plugin_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/facts/analysis_facts.h"
#include "core/facts/attention_facts.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::count(words, word) > 0;
}

/// inputs_read or outputs_left.
using Files = std::vector<std::string> (*)(const PluginSchema& plugin);

/// "attention/dam, attention/masked": the plug-ins with `word` among these files.
std::string all_with(const Schema& schema, Files files, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [registry, plugins] : schema.plugins) {
    for (const auto& [name, plugin] : plugins) {
      if (has(files(plugin), word)) names.push_back(registry + "/" + name);
    }
  }
  return joined(names);
}

class InputCheck {
 public:
  InputCheck(const ExpandedStage& stage, const Schema& schema, Problems& problems)
      : stage_(stage), schema_(schema), problems_(problems) {}

  void one_of() {
    const std::vector<std::string>& slots = stage_.job_facts().one_of;
    const auto filled =
        std::ranges::count_if(slots, [&](auto& slot) { return stage_.spec->need_of(slot); });
    if (slots.empty() || filled == 1) return;
    problems_.add(stage_.spec->where, "missing-need",
                  fmt::format("stage '{}' fills {} of the inputs {}, and takes exactly one: write "
                              "needs: {{{}: STAGE}}",
                              stage_.spec->name, filled, joined(slots, " and "), slots.front()));
  }

  /// Refuses an option whose input is missing: it would change only the trial's identity.
  void options_of_inputs() {
    for (const auto& [option, slot] : stage_.job_facts().options_of) {
      if (stage_.spec->need_of(slot)) continue;
      const Axis* axis = stage_.spec->axis_named(option);
      const Yaml* fixed = at_path(stage_.spec->options, option);
      if (!fixed) fixed = at_path(stage_.spec->overrides, option);
      if (!axis && !fixed) continue;
      problems_.add(
          axis ? axis->where : fixed->where, "missing-need",
          fmt::format("'{}' belongs to the input '{}', which the stage lacks: remove it, or "
                      "write needs: {{{}: STAGE}}",
                      option, slot, slot));
    }
  }

  void read(const std::string& slot) {
    const Need* need = stage_.spec->need_of(slot);
    for (const StagePoint& point : stage_.points) {
      const auto reader = chosen_with(stage_, point, inputs_read, slot);
      if (!reader) continue;
      if (need) return;
      problems_.add(
          stage_.spec->place_of(reader->path, point.own), "missing-need",
          fmt::format("{}: '{}' reads the input '{}', which the stage lacks: write needs: "
                      "{{{}: STAGE}}",
                      reader->path, reader->plugin->name, slot, slot));
      return;
    }
    if (!need || stage_.points.empty()) return;
    problems_.add(need->where, "unused-need",
                  fmt::format("no trial of stage '{}' reads its input '{}'; these plug-ins do: {}",
                              stage_.spec->name, slot, all_with(schema_, inputs_read, slot)));
  }

  /// Refuses an analysis of a decoder with an encoder's weights. `number` is the index of the need
  /// that `parent` fills.
  void loads(const std::vector<ExpandedStage>& stages, const ExpandedStage& parent,
             size_t number) const {
    const Need& need = stage_.spec->needs[number];
    for (const StagePoint& point : stage_.points) {
      const auto reader = chosen_with(stage_, point, inputs_read, need.slot);
      if (reader && report_other_weights(stages, *reader->plugin, need, parent, problems_)) return;
    }
  }

  /// `number` is the index of the need that `parent` fills.
  void left(const ExpandedStage& parent, size_t number) {
    const Need& need = stage_.spec->needs[number];
    const std::string kind = stage_.input_kind(need.slot);
    if (!has(parent.job_facts().plugin_outputs, kind)) return;
    for (const StagePoint& point : stage_.points) {
      for (const size_t source : point.sources[number]) {
        if (chosen_with(parent, parent.points[source], outputs_left, kind)) continue;
        problems_.add(need.where, "wrong-need",
                      fmt::format("stage '{}' writes no {}; these plug-ins do: {}",
                                  parent.spec->name, kind, all_with(schema_, outputs_left, kind)));
        return;
      }
    }
  }

 private:
  std::optional<ChosenPlugin> chosen_with(const ExpandedStage& stage, const StagePoint& point,
                                          Files files, const std::string& word) const {
    for (const ChosenPlugin& one : plugins_chosen(point.config, stage.job->options, schema_)) {
      if (has(files(*one.plugin), word)) return one;
    }
    return std::nullopt;
  }

  const ExpandedStage& stage_;
  const Schema& schema_;
  Problems& problems_;
};

}  // namespace

std::vector<std::string> inputs_read(const PluginSchema& plugin) {
  if (const auto* facts = plugin.facts.get_if<AttentionFacts>()) return facts->reads;
  if (const auto* facts = plugin.facts.get_if<AnalysisFacts>()) return facts->reads;
  return {};
}

std::vector<std::string> outputs_left(const PluginSchema& plugin) {
  if (const auto* facts = plugin.facts.get_if<AttentionFacts>()) return facts->leaves;
  if (const auto* facts = plugin.facts.get_if<AnalysisFacts>()) return facts->leaves;
  return {};
}

void check_plugin_inputs(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems) {
  InputCheck check(stage, schema, problems);
  check.one_of();
  check.options_of_inputs();
  for (const std::string& slot : stage.job_facts().plugin_inputs) check.read(slot);
  for (size_t i = 0; i < stage.need_stages.size(); ++i) {
    if (stage.need_stages[i] == kNoStage) continue;
    const ExpandedStage& parent = stages[stage.need_stages[i]];
    check.loads(stages, parent, i);
    check.left(parent, i);
  }
}

}  // namespace rethink
