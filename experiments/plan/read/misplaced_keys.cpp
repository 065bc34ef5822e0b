#include "experiments/plan/read/misplaced_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/schema.h"

namespace rethink {
namespace {

bool contains_key(const std::vector<std::string>& words, const std::string& key) {
  return std::find(words.begin(), words.end(), key) != words.end();
}

class KeyMover {
 public:
  KeyMover(const Schema& schema, Problems& problems) : schema_(schema), problems_(problems) {}

  /// Those among the stages.
  void move_from_stages(Yaml& stages) {
    Yaml kept = stages;
    kept.entries.clear();
    std::vector<Yaml::Entry> moved;
    for (Yaml::Entry& entry : stages.entries) {
      if (is_part_of_stage(entry)) {
        moved.push_back(std::move(entry));
        continue;
      }
      put(kept, std::move(moved));
      moved.clear();
      kept.entries.push_back(std::move(entry));
    }
    put(kept, std::move(moved));
    stages = std::move(kept);
  }

  /// Those beside 'stages', behind it.
  void move_from_top(Yaml& text, Yaml& stages, size_t from) {
    std::vector<Yaml::Entry> moved;
    for (size_t i = from; i < text.entries.size();) {
      Yaml::Entry& entry = text.entries[i];
      const bool is_whole = is_stage(entry);
      if (contains_key(sweep_words(), entry.key) || !(is_whole || is_part_of_stage(entry))) {
        ++i;
        continue;
      }
      if (is_whole) {
        problems_.add(entry.where, fmt::format("got stage '{}' beside 'stages': indent it, to put "
                                               "it below",
                                               entry.key));
        stages.kind = Yaml::Kind::map;
        stages.entries.push_back(std::move(entry));
      } else {
        moved.push_back(std::move(entry));
      }
      text.entries.erase(text.entries.begin() + static_cast<ptrdiff_t>(i));
    }
    put(stages, std::move(moved));
  }

 private:
  static bool is_stage(const Yaml::Entry& entry) {
    return entry.value.find("job") || entry.value.find("use");
  }

  bool is_part_of_stage(const Yaml::Entry& entry) const {
    if (is_stage(entry)) return false;
    const std::string first = entry.key.substr(0, entry.key.find('.'));
    if (contains_key(stage_words(), first)) return true;
    const std::vector<std::string> jobs = schema_.names("job");
    return std::any_of(jobs.begin(), jobs.end(), [&](const std::string& job) {
      return schema_.find("job", job)->options.find(first) != nullptr;
    });
  }

  /// Into the last of `stages`.
  void put(Yaml& stages, std::vector<Yaml::Entry> moved) {
    if (moved.empty()) return;
    std::string names;
    for (const Yaml::Entry& entry : moved) names += (names.empty() ? "'" : ", '") + entry.key + "'";
    const char* const them = moved.size() == 1 ? "it" : "them";
    if (stages.entries.empty()) {
      problems_.add(
          moved.front().where,
          fmt::format("got {}, expected the name of a stage: write stages: {{NAME: {{job: "
                      "...}}}} and indent {} below the name",
                      names, them));
      stages.entries.push_back({"NAME", moved.front().where, Yaml()});
      stages.entries.back().value.where = moved.front().where;
    } else {
      problems_.add(moved.front().where,
                    fmt::format("got {}, expected a stage or a key of the file; if stage '{}' is "
                                "meant, indent {} like its other keys",
                                names, stages.entries.back().key, them));
    }
    Yaml& stage = stages.entries.back().value;
    if (stage.is_null()) stage.kind = Yaml::Kind::map;
    for (Yaml::Entry& entry : moved) {
      if (stage.is_map() && !stage.find(entry.key)) stage.entries.push_back(std::move(entry));
    }
  }

  const Schema& schema_;
  Problems& problems_;
};

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
  const auto is_stages = [](const Yaml::Entry& entry) { return entry.key == "stages"; };
  const auto found = std::find_if(text.entries.begin(), text.entries.end(), is_stages);
  if (found == text.entries.end() || (!found->value.is_map() && !found->value.is_null()))
    return text;
  const auto at = static_cast<size_t>(found - text.entries.begin());
  KeyMover mover(schema, problems);
  Yaml stages = found->value;
  mover.move_from_stages(stages);
  mover.move_from_top(text, stages, at + 1);
  text.entries[at].value = std::move(stages);
  return text;
}

}  // namespace rethink
