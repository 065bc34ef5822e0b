#include "experiments/plan/expand/initial_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/config/schema.h"
#include "core/facts/analysis_facts.h"
#include "core/facts/attention_facts.h"
#include "core/facts/job_facts.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/format/pretrained_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {

void require_readable_weights(const std::filesystem::path& path) {
  refuse_dangling_link(path);
  const std::filesystem::path folder = is_file_there(path) ? path.parent_path() : path;
  refuse_adapter_weights(folder);
  require_word_pieces(folder);
}

Json imported_model(const Need& need, Problems& problems) {
  const std::filesystem::path file = need.imported / "config.json";
  try {
    if (!need.published.empty()) return read_json(need.published).at("model");
    require_readable_weights(need.imported);
    if (is_file_there(file)) {
      const Json config = read_json(file);
      if (const Json* model = find_path(config, "rethink.model")) return *model;
      if (const Json* job = find_path(config, "rethink.job"))
        throw ConfigError("wrong-weights",
                          fmt::format("{} holds a language or translation model (job {}); expected "
                                      "an encoder: jobs can start from no other model",
                                      need.imported.string(), text_of(*job)));
    }
  } catch (const ConfigError& error) {
    problems.add(need.where, error.code(), error.what());
    return nullptr;
  }
  if (is_there(need.imported)) {
    problems.add(
        need.where, "wrong-weights",
        fmt::format("{} does not say which model its weights belong to; `rethink import {} "
                    "--out NEW_DIR` makes a folder that does",
                    need.imported.string(), for_a_shell(need.imported.string())));
  }
  return nullptr;
}

namespace {

/// The kind of weights of a plug-in, unless its options determine it.
std::string weights_of(const PluginSchema& plugin) {
  const auto* facts = plugin.facts.get_if<AttentionFacts>();
  return facts && !facts->weights.empty() ? facts->weights : plugin.name;
}

/// The weights of the plug-ins in a list such as `attention.at`.
void add_weights_of_each(const Field& list, const Json& value, const Schema& schema,
                         std::set<std::string>& weights) {
  const Field& element = list.element();
  for (const Json& one : value)
    weights.insert(weights_of(*schema.find(element.registry, one.at(element.tag))));
}

/// Whether plug-ins in a list can load the weights of another list: each those of the same plug-in,
/// or all of them the weights of the plug-in beside the list.
bool load_each_other(const Field& list, const Json& here, const Json& there,
                     const std::set<std::string>& beside, const Schema& schema) {
  const Field& element = list.element();
  bool is_alike = here.size() == there.size();
  for (size_t i = 0; is_alike && i < here.size(); ++i) {
    is_alike = here[i].at(element.tag) == there[i].at(element.tag) &&
               unlike_shapes(element, here[i], there[i], schema).empty();
  }
  std::set<std::string> weights = beside;
  add_weights_of_each(list, here, schema, weights);
  add_weights_of_each(list, there, schema, weights);
  return is_alike || weights.size() == 1;
}

}  // namespace

std::vector<std::string> unlike_shapes(const Field& field, const Json& now, const Json& then,
                                       const Schema& schema) {
  if (now == then) return {};
  std::vector<std::string> unlike;
  std::set<std::string> beside;
  const auto add_those_of = [&](const std::vector<Field>& fields) {
    for (const Field& inner : fields) {
      if (!now.contains(inner.name) || !then.contains(inner.name)) continue;
      const Json &here = now.at(inner.name), &there = then.at(inner.name);
      const bool is_list =
          inner.type == FieldType::list && inner.element().type == FieldType::plugin;
      const bool differs = is_list ? !load_each_other(inner, here, there, beside, schema)
                                   : inner.type != FieldType::plugin && here != there;
      if (inner.shapes && differs) unlike.push_back(inner.name);
      for (const std::string& below : unlike_shapes(inner, here, there, schema))
        unlike.push_back(inner.name + "." + below);
    }
  };
  if (field.type == FieldType::plugin && now.is_object() && then.is_object()) {
    const PluginSchema& here = *schema.find(field.registry, now.at(field.tag));
    const PluginSchema& there = *schema.find(field.registry, then.at(field.tag));
    if (field.shapes && weights_of(here) != weights_of(there)) return {field.tag};
    beside = {weights_of(here), weights_of(there)};
    add_those_of(here.options.fields);
  }
  if (now.is_object() && then.is_object()) add_those_of(field.fields);
  return unlike;
}

namespace {

/// "encoder", "decoder"; "" for any, as for an attention variant.
std::string kind_of_weights(const PluginSchema& plugin) {
  if (const auto* facts = plugin.facts.get_if<AnalysisFacts>()) return facts->weights_of;
  const auto* facts = plugin.facts.get_if<JobFacts>();
  return facts ? facts->weights_of : "";
}

}  // namespace

bool report_other_weights(const std::vector<ExpandedStage>& stages, const PluginSchema& reader,
                          const Need& need, const ExpandedStage& parent, Problems& problems) {
  const ExpandedStage& source = stage_behind_selects(stages, parent);
  return report_other_weights(reader, need, source.spec->name, *source.job, problems);
}

bool report_other_weights(const PluginSchema& reader, const Need& need, const std::string& stage,
                          const PluginSchema& job, Problems& problems) {
  const std::string wanted = kind_of_weights(reader), left = kind_of_weights(job);
  if (wanted.empty() || left.empty() || wanted == left) return false;
  problems.add(
      need.where, "wrong-weights",
      fmt::format("{} '{}' loads {} weights, but stage '{}' (job {}) writes {} weights; name in "
                  "'{}' a stage that writes {} weights",
                  reader.registry, reader.name, wanted, stage, job.name, left, need.slot, wanted));
  return true;
}

PointId point_of_weights(const std::vector<ExpandedStage>& stages, PointId id) {
  const ExpandedStage& stage = stages[id.stage];
  const auto slot = stage.gathers();
  if (!slot || stage.need_stages[*slot] == kNoStage) return id;
  const std::vector<size_t>& candidates = stage.points[id.point].sources[*slot];
  if (candidates.empty()) return id;
  return point_of_weights(stages, {stage.need_stages[*slot], candidates.front()});
}

namespace {

/// Whether both configurations have the same plug-in at the option's path, with equal other
/// options.
bool differ_only_below(const SeedOption& option, const Json& config, const Json& other) {
  const Json::json_pointer around = option.place.parent_pointer();
  if (!other.contains(option.place)) return false;
  Json here = config.at(around), there = other.at(around);
  here.erase(option.place.back());
  there.erase(option.place.back());
  return here == there;
}

/// Checks that draw k belongs to seed k, in the pretraining of an arm and in its fine-tuning.
class DrawCheck {
 public:
  DrawCheck(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
            Problems& problems)
      : stages_(stages), child_(child), problems_(problems) {}

  /// Reports a problem once.
  void check(size_t slot) {
    const Need& need = child_.spec->needs[slot];
    Json imported;
    if (need.stage.empty()) {
      Problems known;  // problems of the folder were reported when the stage was expanded
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
    if (!differ_only_below(option, point.config, config)) return true;
    if (config.at(option.place) != kSeedWord)
      return fits_number(point, option, config, "stage '" + parent.spec->name + "'");
    // Its seeds are the child's, or a problem was reported.
    if (parent.seeds.size() != 1) return true;
    const int64_t draw = parent.seeds.front();
    const auto seed = other_seed(draw);
    if (!seed) return true;
    problems_.add(
        need.where, "draws-differ",
        fmt::format(
            "'{0}: {1}' gives each seed a draw of its own, but stage '{2}' with seed {3} would "
            "start from weights of stage '{4}' with seed {5}, trained on another draw: give "
            "both stages the same seeds, or list the draws in '{4}' (grid: {{{0}: [0, 1, "
            "2]}})",
            option.name, kSeedWord, child_.spec->name, *seed, parent.spec->name, draw));
    return false;
  }

  /// Whether `config` has the draw of the weights, which come from `source`.
  bool fits_number(const StagePoint& point, const SeedOption& option, const Json& config,
                   const std::string& source) {
    if (!differ_only_below(option, point.config, config)) return true;
    const Json& draw = config.at(option.place);
    const auto seed = draw.is_number_integer() ? other_seed(draw.get<int64_t>()) : std::nullopt;
    if (!seed) return true;
    problems_.add(
        child_.spec->place_of(option.name, point.own), "draws-differ",
        fmt::format(
            "'{0}: {1}' gives each seed a draw of its own, but stage '{2}' with seed {3} would "
            "start from weights of {4}, trained on draw {5}: leave '{0}' out of '{2}' to "
            "keep their draw, or train the weights with '{0}: {1}'",
            option.name, kSeedWord, child_.spec->name, *seed, source, draw.dump()));
    return false;
  }

  /// Another seed that has this draw.
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
