#include "results/folders/look_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/store_file.h"
#include "core/store_files/stored_json.h"

namespace rethink {
namespace {

constexpr const char* kLooks = "looks";
constexpr size_t kNameDigits = 20;

const JsonShape& look_shape() {
  static const JsonShape kLook = object_with({{"claims", any_text()},
                                              {"claim", any_text()},
                                              {"profile", any_text()},
                                              {"seeds", integer_from(1)},
                                              {"verdict", any_text()},
                                              {"at", any_text()},
                                              {"rule", any_object()},
                                              {"why", any_text()},
                                              {"decides", any_text()},
                                              {"trials", any_text()},
                                              {"numbers", any_object()}});
  return kLook;
}

std::filesystem::path look_file(const std::filesystem::path& store, const LookName& look) {
  const Json name{look.claims, look.claim, look.profile, look.seeds, look.rule};
  return store / kLooks / (sha256_hex(canonical_json(name)).substr(0, kNameDigits) + ".json");
}

LookName name_of(const Json& object) {
  return {object.at("claims"), object.at("claim"), object.at("profile"), object.at("seeds"),
          object.at("rule")};
}

LookRecord record_of(const Json& object) {
  return {name_of(object),  object.at("verdict"), object.at("at"),    object.at("numbers"),
          object.at("why"), object.at("decides"), object.at("trials")};
}

/// Also reports a sound file under the name of another look.
std::string damage_of_look(const std::filesystem::path& file, const StoredJson& stored) {
  std::string damage = stored.damage;
  if (damage.empty() && !stored.has_checksum) damage = "it has no checksum";
  const std::filesystem::path store = file.parent_path().parent_path();
  if (damage.empty() && look_file(store, name_of(stored.object)) != file)
    damage = "it has the name of another look";
  if (damage.empty()) return "";
  return fmt::format(
      "{} is damaged ({}); it records the result of a look at a claim: restore it from a backup, "
      "or remove it, and the next `rethink claims` takes that look again",
      file.string(), damage);
}

/// Durable; replaces an existing file.
void write_look(const std::filesystem::path& store, const LookRecord& record) {
  make_folder_durably(store / kLooks);
  write_file_durably(look_file(store, record.look), stored_text({{"claims", record.look.claims},
                                                                 {"claim", record.look.claim},
                                                                 {"profile", record.look.profile},
                                                                 {"seeds", record.look.seeds},
                                                                 {"verdict", record.verdict},
                                                                 {"at", record.at},
                                                                 {"rule", record.look.rule},
                                                                 {"numbers", record.numbers},
                                                                 {"why", record.why},
                                                                 {"decides", record.decides},
                                                                 {"trials", record.trials}}));
}

std::vector<std::filesystem::path> look_files(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> files;
  if (!looks_folder_problem(store).empty()) return files;
  for (const auto& entry : entries_of(store / kLooks)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  return files;
}

}  // namespace

std::string looks_folder_problem(const std::filesystem::path& store) {
  return store_folder_problem(store / kLooks);
}

std::optional<LookRecord> read_look(const std::filesystem::path& store, const LookName& look) {
  const std::filesystem::path file = look_file(store, look);
  if (!std::filesystem::exists(file)) return std::nullopt;
  const StoredJson stored = read_stored_json(file, look_shape());
  if (const std::string damage = damage_of_look(file, stored); !damage.empty())
    throw ConfigError("damaged-file", damage);
  return record_of(stored.object);
}

std::map<std::string, std::vector<LookRecord>> looks_by_claim(const std::filesystem::path& store,
                                                              const std::string& claims) {
  std::map<std::string, std::vector<LookRecord>> looks;
  for (const std::filesystem::path& file : look_files(store)) {
    const StoredJson stored = read_stored_json(file, look_shape());
    if (!damage_of_look(file, stored).empty()) continue;
    LookRecord record = record_of(stored.object);
    if (record.look.claims == claims) looks[record.look.claim].push_back(std::move(record));
  }
  for (auto& [claim, records] : looks) {
    std::ranges::sort(records, {}, [](const LookRecord& record) {
      return std::tuple(record.look.profile, record.look.seeds, record.at);
    });
  }
  return looks;
}

void record_look(const std::filesystem::path& store, const LookRecord& record) {
  if (!std::filesystem::exists(look_file(store, record.look))) write_look(store, record);
}

std::vector<std::string> damaged_looks(const std::filesystem::path& store) {
  std::vector<std::string> damages;
  if (const std::string problem = looks_folder_problem(store); !problem.empty())
    damages.push_back(problem);
  for (const std::filesystem::path& file : look_files(store)) {
    const std::string damage = damage_of_look(file, read_stored_json(file, look_shape()));
    if (!damage.empty()) damages.push_back(damage);
  }
  return damages;
}

MergedLooks merge_looks(const std::filesystem::path& from, const std::filesystem::path& into) {
  MergedLooks merged;
  for (const std::filesystem::path& file : look_files(from)) {
    const StoredJson stored = read_stored_json(file, look_shape());
    if (const std::string damage = damage_of_look(file, stored); !damage.empty()) {
      merged.damaged.push_back(damage);
      continue;
    }
    const LookRecord theirs = record_of(stored.object);
    const std::filesystem::path place = look_file(into, theirs.look);
    if (!std::filesystem::exists(place)) {
      write_look(into, theirs);
      ++merged.added;
      continue;
    }
    const StoredJson known = read_stored_json(place, look_shape());
    if (!damage_of_look(place, known).empty()) continue;  // `claims` and `db check` report it
    const LookRecord ours = record_of(known.object);
    const bool theirs_first = theirs.at < ours.at;
    if (theirs_first) write_look(into, theirs);
    if (ours.numbers == theirs.numbers && ours.verdict == theirs.verdict) continue;
    merged.differing.push_back(
        fmt::format("claim {} of {} at {} seeds: the looks of both stores differ; the earlier one "
                    "counts, of {}: '{}'",
                    ours.look.claim, ours.look.claims, ours.look.seeds,
                    (theirs_first ? theirs : ours).at, (theirs_first ? theirs : ours).verdict));
  }
  return merged;
}

}  // namespace rethink
