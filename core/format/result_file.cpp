#include "core/format/result_file.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "core/format/attempt_folders.h"
#include "core/store_command.h"

namespace rethink {
namespace {

constexpr size_t kSha256Digits = 64;
constexpr size_t kIdDigits = 20;

/// Below the trial's folder, or in the artifacts of another trial, which a select chose: a path
/// that leads elsewhere would let a foreign store name any file of the reader's.
std::string artifact_path(const Json& value, UnknownMembers) {
  constexpr const char* kExpected = "a path below 'artifacts/' or '../TRIAL/artifacts/'";
  if (!value.is_string()) return not_expected(value, kExpected);
  const std::filesystem::path path = value.get<std::string>();
  auto part = path.begin();
  if (part != path.end() && *part == "..") {
    if (++part == path.end() || !hex_digits(kIdDigits)(part->string(), {}).empty())
      return not_expected(value, kExpected);
    ++part;
  }
  if (part == path.end() || *part != "artifacts" || ++part == path.end())
    return not_expected(value, kExpected);
  for (; part != path.end(); ++part) {
    if (*part == ".." || part->empty()) return not_expected(value, kExpected);
  }
  return "";
}

std::string artifacts(const Json& value, UnknownMembers unknown) {
  static const JsonShape kList = list_of(object_with({{"name", any_text()},
                                                      {"kind", any_text()},
                                                      {"file", artifact_path},
                                                      {"sha256", hex_digits(kSha256Digits)},
                                                      {"bytes", integer_from(0)},
                                                      {"facts", any_object()},
                                                      {"seed", any_integer(), false}}));
  if (std::string damage = kList(value, unknown); !damage.empty()) return damage;
  std::set<std::pair<Json, Json>> seen;
  for (const Json& artifact : value) {
    if (!seen.emplace(artifact.at("name"), artifact.value("seed", Json())).second) {
      return not_expected(artifact.at("name"), "each name once for a seed");
    }
  }
  return "";
}

const JsonShape& result_shape() {
  static const JsonShape kResult = object_with(
      {{"trial", hex_digits(kIdDigits)},
       {"seed", null_or(any_integer())},
       {"outcome", one_of_texts({"done", "diverged"})},
       {"attempt", integer_from(1)},
       {"events", integer_from(0)},
       {"metrics", map_of(number_or_not_finite())},
       {"artifacts", artifacts},
       {"directions", map_of(one_of_texts({"max", "min"})), false},
       {"weights_sha256", hex_digits(kSha256Digits), false},
       {"began_fresh", list_of(any_text()), false},
       {"selected",
        object_with(
            {{"group", integer_from(0)},
             {"labels", list_of(object_with({{"axis", any_text()}, {"value", any_text()}}))},
             {"by", any_text()},
             {"score", any_number()},
             {"tied", integer_from(1), false},
             {"seeds", list_of(object_with({{"seed", null_or(any_integer())},
                                            {"trial", hex_digits(kIdDigits)}}))}}),
        false}});
  return kResult;
}

}  // namespace

std::optional<StoredJson> stored_result(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  StoredJson result = read_stored_json(file, result_shape());
  if (result.is_sound()) result.damage = not_of_this_trial(result.object, file.parent_path());
  return result;
}

std::optional<Json> sound_result(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  if (!result || !result->is_sound()) return std::nullopt;
  return std::move(result->object);
}

std::vector<std::string> winners(const Json& result, const std::optional<int64_t>& seed) {
  const Json& seeds = result.at("selected").at("seeds");
  std::vector<std::string> all;
  for (const Json& entry : seeds) {
    if (!seed || seeds.size() == 1 || entry.at("seed") == *seed) all.push_back(entry.at("trial"));
  }
  return all;
}

std::string result_damage(const std::filesystem::path& file, const std::string& damage) {
  const std::filesystem::path trial = file.parent_path();
  const std::filesystem::path store = trial.parent_path().parent_path();
  return fmt::format("{} is damaged ({}); `{}` and the next run of its sweep make it again",
                     file.string(), damage,
                     store_command("retry " + trial.filename().string(), store));
}

}  // namespace rethink
