#include "experiments/plan/read/misplaced_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/schema.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

bool contains_key(const std::vector<std::string>& words, const std::string& key) {
  return std::find(words.begin(), words.end(), key) != words.end();
}

bool is_stage(const Yaml::Entry& entry) {
  return entry.value.find("job") || entry.value.find("use");
}

bool is_part_of_stage(const Yaml::Entry& entry, const Schema& schema) {
  if (is_stage(entry)) return false;
  const std::string first = entry.key.substr(0, entry.key.find('.'));
  return contains_key(stage_words(), first) ||
         std::ranges::any_of(schema.names("job"), [&](const std::string& job) {
           return schema.find("job", job)->options.find(first) != nullptr;
         });
}

/// Moves `parts` into the last of `stages`, with one problem for all of them.
void move_into_last(std::vector<Yaml::Entry>& stages, std::vector<Yaml::Entry>& parts,
                    Problems& problems) {
  if (parts.empty()) return;
  const Position where = parts.front().where;
  std::vector<std::string> names;
  for (const Yaml::Entry& part : parts) names.push_back("'" + part.key + "'");
  const char* const them = parts.size() == 1 ? "it" : "them";
  if (stages.empty()) {
    problems.add(where, "misplaced-key",
                 fmt::format("got {}, expected the name of a stage: write stages: {{NAME: "
                             "{{job: ...}}}} and indent {} below the name",
                             joined(names), them));
    stages.push_back({"NAME", where, empty_map(where)});
  } else {
    problems.add(where, "misplaced-key",
                 fmt::format("got {}, expected a stage or a key of the file; if stage '{}' "
                             "is meant, indent {} like its other keys",
                             joined(names), stages.back().key, them));
  }
  Yaml& stage = stages.back().value;
  if (stage.is_null()) stage.kind = Yaml::Kind::map;
  for (Yaml::Entry& part : parts) {
    if (stage.is_map() && !stage.find(part.key)) stage.entries.push_back(std::move(part));
  }
  parts.clear();
}

}  // namespace

const std::vector<std::string>& sweep_words() {
  static const std::vector<std::string> kWords = {"sweep",  "description", "seeds",
                                                  "stages", "profiles",    "resources",
                                                  "retry",  "limits",      "keep"};
  return kWords;
}

const std::vector<std::string>& stage_words() {
  static const std::vector<std::string> kWords = {
      "job", "use",    "preset",  "needs", "where",     "seeds", "cases",  "grid",
      "zip", "random", "exclude", "when",  "resources", "retry", "limits", "keep"};
  return kWords;
}

Yaml keys_in_place(Yaml text, const Schema& schema, Problems& problems) {
  const auto found = std::ranges::find(text.entries, "stages", &Yaml::Entry::key);
  if (found == text.entries.end() || (!found->value.is_map() && !found->value.is_null()))
    return text;
  const auto is_of_file = [&](const Yaml::Entry& entry) {
    return contains_key(sweep_words(), entry.key) ||
           !(is_stage(entry) || is_part_of_stage(entry, schema));
  };
  std::vector<Yaml::Entry> given = std::move(found->value.entries);
  const size_t below = given.size();
  const auto beside = std::stable_partition(found + 1, text.entries.end(), is_of_file);
  given.insert(given.end(), beside, text.entries.end());
  text.entries.erase(beside, text.entries.end());
  std::vector<Yaml::Entry> stages, parts;
  for (size_t i = 0; i < given.size(); ++i) {
    if (is_part_of_stage(given[i], schema)) {
      parts.push_back(std::move(given[i]));
      continue;
    }
    move_into_last(stages, parts, problems);
    if (i >= below)
      problems.add(given[i].where, "misplaced-key",
                   fmt::format("got stage '{}' beside 'stages': indent it, to put "
                               "it below",
                               given[i].key));
    stages.push_back(std::move(given[i]));
  }
  move_into_last(stages, parts, problems);
  if (!stages.empty()) found->value.kind = Yaml::Kind::map;
  found->value.entries = std::move(stages);
  return text;
}

}  // namespace rethink
