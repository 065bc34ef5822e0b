#include "app/driver/show/plan_notes/stage_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/expand/plugin_inputs.h"
#include "experiments/plan/read/library.h"
#include "experiments/plan/read/stage_spec.h"
#include "models/masks/mask.h"
#include "plots/figure/figure_spec.h"
#include "plots/spec_sweeps.h"
#include "plots/table/table_kind.h"

namespace rethink {
namespace {

/// The kinds of files that a trial leaves for others, if its job declares no metrics; else nothing.
std::vector<std::string> kinds_left_without_metrics(const Trial& trial, const Schema& schema) {
  const PluginSchema& job = *schema.find("job", trial.job);
  const auto& facts = job.facts.as<JobFacts>();
  std::vector<std::string> outputs = facts.outputs;
  const bool chooses = outputs == std::vector<std::string>{"inputs"};
  if (facts.metrics || chooses) return {};
  const auto plugins = plugins_chosen(trial.config, job.options, schema);
  std::erase_if(outputs, [&](const std::string& kind) {
    return std::ranges::count(facts.plugin_outputs, kind) > 0 &&
           std::ranges::none_of(plugins, [&](const ChosenPlugin& chosen) {
             return std::ranges::count(outputs_left(*chosen.plugin), kind) > 0;
           });
  });
  return outputs;
}

/// Whether a cell of the spec uses trials of `stage` of the sweep in `file`.
bool shows(const TableSpec& spec, const std::filesystem::path& file, const std::string& stage,
           const std::vector<std::filesystem::path>& paths) {
  const auto is_it = [&](const Word& sweep, const Word& of) {
    return !sweep.text.empty() && of.text == stage &&
           std::filesystem::equivalent(find_spec_sweep(sweep, paths), file);
  };
  if (is_it(spec.trials.sweep, spec.trials.stage)) return true;
  for (const auto* lines : {&spec.rows, &spec.columns}) {
    for (const LineSpec& line : *lines) {
      if (is_it(line.sweep.value_or(spec.trials.sweep), line.stage.value_or(spec.trials.stage)))
        return true;
    }
  }
  return false;
}

/// Whether `is_so` is true for the file of a spec. A spec with mistakes reports them when it is
/// used.
template <typename Predicate>
bool any_spec(const std::string& kind, const std::vector<std::filesystem::path>& paths,
              Predicate is_so) {
  const Library specs(kind, paths);
  return std::ranges::any_of(specs.names(), [&](const std::string& name) {
    try {
      return is_so(specs.find(name));
    } catch (const ConfigError&) {
      return false;
    }
  });
}

bool is_shown(const std::filesystem::path& file, const std::string& stage,
              const std::vector<std::filesystem::path>& paths) {
  const auto shown = [&](const TableSpec& spec) { return shows(spec, file, stage, paths); };
  return any_spec("tables", paths,
                  [&](const std::filesystem::path& spec) {
                    return shown(read_table_file(spec).spec());
                  }) ||
         any_spec("figures", paths, [&](const std::filesystem::path& spec) {
           const FigureSpec figure = read_figure_spec(spec);
           return shown(figure.points) || shown(figure.lines);
         });
}

/// "mask: dam_mask": how a stage with one of the plan's jobs can use the files of `stage`.
std::string need_of(const Plan& plan, const Schema& schema, const std::string& stage,
                    const std::vector<std::string>& kinds) {
  for (const PlannedTrial& planned : plan.trials) {
    const PluginSchema& job = *schema.find("job", planned.trial.job);
    if (planned.stage == stage) continue;
    for (const auto& [slot, kind] : job.facts.as<JobFacts>().inputs) {
      if (std::ranges::count(kinds, kind) > 0) return slot + ": " + stage;
    }
  }
  return "INPUT: " + stage;
}

}  // namespace

Position stage_position(const std::filesystem::path& file, const std::string& stage) {
  Problems ignored;  // the file was already read and planned
  const Yaml text = read_yaml(file, ignored);
  const Yaml* stages = text.find("stages");
  for (const Yaml::Entry& entry : stages ? stages->entries : std::vector<Yaml::Entry>()) {
    if (entry.key == stage) return entry.where;
  }
  return {file.string()};
}

std::vector<Note> notes_on_unused_stages(const Plan& plan, const Schema& schema,
                                         const std::vector<std::filesystem::path>& paths) {
  std::set<std::string> needed, taken;
  std::vector<const PlannedTrial*> first;  // of each stage
  for (const PlannedTrial& planned : plan.trials) {
    for (const auto& [slot, ids] : planned.trial.needs) needed.insert(ids.begin(), ids.end());
    if (first.empty() || first.back()->stage != planned.stage) first.push_back(&planned);
  }
  for (const PlannedTrial& planned : plan.trials) {
    if (needed.count(planned.trial.id)) taken.insert(planned.stage);
  }
  std::vector<Note> notes;
  for (const PlannedTrial* planned : first) {
    const std::vector<std::string> leaves = kinds_left_without_metrics(planned->trial, schema);
    if (leaves.empty() || taken.count(planned->stage)) continue;
    if (is_shown(plan.file, planned->stage, paths)) continue;
    notes.push_back(
        Note("unused-stage",
             fmt::format("nothing uses the {} of stage '{}': no stage needs it, and no table or "
                         "figure shows it; write needs: {{{}}} in the stage that should use it",
                         joined(leaves, " and "), planned->stage,
                         need_of(plan, schema, planned->stage, leaves)),
             stage_position(plan.file, planned->stage)));
  }
  return notes;
}

namespace {

constexpr int64_t kAssumedTokens = 128;  // for a mask without a length beside it

/// The length in the options of the plug-in that has the option `pattern`.
int64_t length_beside(const ChosenPlugin& pattern, const Json& config) {
  const size_t end = pattern.path.rfind('.');
  const Json* owner =
      end == std::string::npos ? &config : find_path(config, pattern.path.substr(0, end));
  return owner ? owner->value("length", kAssumedTokens) : kAssumedTokens;
}

std::string arm_of(const PlannedTrial& planned) {
  std::vector<std::string> labels;
  for (const auto& [axis, label] : planned.labels) labels.push_back(axis + "=" + label);
  return labels.empty() ? "every trial" : joined(labels);
}

}  // namespace

std::vector<Note> notes_on_masks(const Plan& plan, const Schema& schema) {
  std::vector<Note> notes;
  std::set<std::string> seen;                                                // stage, options, n
  std::map<std::pair<std::string, std::vector<uint8_t>>, std::string> arms;  // stage, cells
  for (const PlannedTrial& planned : plan.trials) {
    const Json& config = planned.trial.config;
    const OptionsSchema& options = schema.find("job", planned.trial.job)->options;
    for (const ChosenPlugin& chosen : plugins_chosen(config, options, schema)) {
      if (chosen.plugin->registry != masks().kind()) continue;
      const int64_t n = length_beside(chosen, config);
      if (!seen.insert(fmt::format("{} {} {}", planned.stage, chosen.options->dump(), n)).second)
        continue;
      Mask mask = make_mask(mask_choice(*chosen.options), 1, n);
      const std::string arm = arm_of(planned);
      const Position where{plan.file.string()};
      if (sparsity(mask) == 0)
        notes.push_back(Note("dense-mask",
                             fmt::format("stage '{}', {}: {} hides nothing: it is dense attention",
                                         planned.stage, arm, chosen.path),
                             where));
      const auto [first, is_new] = arms.try_emplace({planned.stage, std::move(mask.cells)}, arm);
      if (!is_new)
        notes.push_back(Note("equal-masks",
                             fmt::format("stage '{}', {}: {} is the same mask as that of {}",
                                         planned.stage, arm, chosen.path, first->second),
                             where));
    }
  }
  return notes;
}

}  // namespace rethink
