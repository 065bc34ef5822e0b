#include "plots/spec_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/text.h"

namespace rethink {

SpecReader::SpecReader(const Yaml& map, std::string what, Problems& problems)
    : map_(map), what_(std::move(what)), problems_(problems) {
  if (!map_.is_map())
    problems_.add(map_.where, "invalid-value",
                  fmt::format("{}: expected a map of keys and values", what_));
}

const Yaml* SpecReader::take(const std::string& key) {
  if (std::ranges::find(taken_, key) == taken_.end()) taken_.push_back(key);
  const Yaml* found = map_.find(key);
  return found && !found->is_null() ? found : nullptr;
}

void SpecReader::require(const std::string& key) {
  const Yaml* found = map_.find(key);
  if (map_.is_map() && (!found || found->is_null())) missing_.push_back(key);
}

Word word_of_key(const Yaml::Entry& entry) {
  return {entry.key, entry.where, entry.key_quoted};
}

std::vector<std::string> texts_of(const std::vector<Word>& words) {
  std::vector<std::string> texts;
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

std::optional<Word> SpecReader::word(const std::string& key) {
  const Yaml* found = take(key);
  if (!found) return std::nullopt;
  if (!found->is_scalar()) {
    problems_.add(found->where, "invalid-value", fmt::format("{}: expected text", key));
    return std::nullopt;
  }
  return Word{found->scalar, found->where, found->quoted};
}

std::optional<std::string> SpecReader::optional_text(const std::string& key) {
  const std::optional<Word> found = word(key);
  return found ? std::optional(found->text) : std::nullopt;
}

std::string SpecReader::text(const std::string& key, const std::string& otherwise) {
  return optional_text(key).value_or(otherwise);
}

std::string SpecReader::required_text(const std::string& key) {
  require(key);
  return text(key);
}

std::string SpecReader::name_of_spec(const std::string& key) {
  const std::string name = required_text(key);
  const std::filesystem::path path(name);
  const bool has_control = one_line(name) != name || visible_controls(name) != name;
  const std::filesystem::path file = path.filename();  // empty after a final '/'
  const Yaml* given = map_.find(key);
  const bool is_text = given && given->is_scalar() && !given->is_null();
  const bool names_no_file = is_text && (file.empty() || file == ".");
  const bool leaves = path.is_absolute() ||
                      std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
  const bool begins_oddly = !name.empty() && std::string("-|<").find(name[0]) != std::string::npos;
  // gnuplot's temporary files have longer names, and a name may have 255 bytes.
  constexpr size_t kMostBytes = 200;
  const bool is_long = name.size() > kMostBytes;
  if (!has_control && !names_no_file && !leaves && !begins_oddly && !is_long) return name;
  try {
    Problems().refuse(
        given->where, "invalid-name",
        is_long ? fmt::format("{}: got a name of {} bytes, expected {} at most", key, name.size(),
                              kMostBytes)
                : fmt::format("{}: got '{}', expected a path such as bet/figure3: without "
                              "control characters and '..', beginning with none of / - | <, not "
                              "ending with a /",
                              key, one_line(visible_controls(name))));
  } catch (const ConfigError& error) {
    throw UnusableName(error.code(), error.what());
  }
}

std::string SpecReader::choice(const std::string& key, const std::vector<std::string>& choices,
                               const std::string& otherwise) {
  const Yaml* found = take(key);
  if (!found) return otherwise;
  if (found->is_scalar() &&
      std::find(choices.begin(), choices.end(), found->scalar) != choices.end()) {
    return found->scalar;
  }
  problems_.add(found->where, "invalid-value",
                fmt::format("{}: got '{}', expected one of {}{}", key, found->scalar,
                            joined(choices), did_you_mean(found->scalar, choices)));
  return otherwise;
}

std::optional<double> SpecReader::number(const std::string& key) {
  const Yaml* found = take(key);
  if (!found) return std::nullopt;
  const std::optional<double> value =
      found->is_scalar() ? parse_number(found->scalar) : std::nullopt;
  if (!value)
    problems_.add(found->where, "invalid-value",
                  fmt::format("{}: got '{}', expected a number", key, found->scalar));
  return value;
}

std::optional<int64_t> SpecReader::integer(const std::string& key, int64_t minimum) {
  const Yaml* found = take(key);
  if (!found) return std::nullopt;
  const std::optional<double> value =
      found->is_scalar() ? parse_number(found->scalar) : std::nullopt;
  if (!value || *value != std::floor(*value) || *value < static_cast<double>(minimum) ||
      *value > 1e15) {
    problems_.add(found->where, "invalid-value",
                  fmt::format("{}: got '{}', expected an integer of at least {}", key,
                              found->scalar, minimum));
    return std::nullopt;
  }
  return static_cast<int64_t>(*value);
}

bool SpecReader::boolean(const std::string& key, bool otherwise) {
  return choice(key, {"true", "false"}, otherwise ? "true" : "false") == "true";
}

std::optional<Word> SpecReader::word_of(const Yaml& given, Null null) {
  if (given.is_null() && null == Null::is_a_value) return Word{"null", given.where};
  return given.is_scalar() ? std::optional(Word{given.scalar, given.where, given.quoted})
                           : std::nullopt;
}

std::vector<Word> SpecReader::words(const std::string& key, Null null) {
  const Yaml* found = take(key);
  if (!found) return {};
  if (found->is_scalar()) return {{found->scalar, found->where, found->quoted}};
  std::vector<Word> all;
  for (const Yaml& item : found->items) {
    if (const std::optional<Word> word = word_of(item, null)) {
      all.push_back(*word);
    } else {
      problems_.add(item.where, "invalid-value", fmt::format("{}: expected text", key));
    }
  }
  if (!found->is_list())
    problems_.add(found->where, "invalid-value", fmt::format("{}: expected a list", key));
  return all;
}

SpecPairs SpecReader::pairs(const std::string& key, Null null) {
  const Yaml* found = take(key);
  if (!found) return {};
  SpecPairs all;
  for (const Yaml::Entry& entry : found->entries) {
    if (const std::optional<Word> word = word_of(entry.value, null)) {
      all.push_back({word_of_key(entry), *word});
    } else {
      problems_.add(entry.value.where, "invalid-value",
                    fmt::format("{}.{}: expected text or a number", key, entry.key));
    }
  }
  if (!found->is_map())
    problems_.add(found->where, "invalid-value", fmt::format("{}: expected a map", key));
  return all;
}

std::vector<const Yaml*> SpecReader::maps(const std::string& key, const std::string& example) {
  const Yaml* found = take(key);
  if (!found) return {};
  if (found->is_map()) return {found};
  if (found->items.empty())
    problems_.add(found->where, "invalid-value",
                  fmt::format("{}: expected a list of maps, such as {}", key, example));
  if (found->items.size() > kMostItems)
    problems_.refuse(
        found->where, "too-many",
        fmt::format("{} {}, expected at most {}", found->items.size(), key, kMostItems));
  std::vector<const Yaml*> all;
  for (const Yaml& item : found->items) all.push_back(&item);
  return all;
}

void SpecReader::finish() {
  for (const Yaml::Entry& entry : map_.entries) {
    if (std::find(taken_.begin(), taken_.end(), entry.key) != taken_.end()) continue;
    const bool is_kept = problems_.size() < Problems::kKept;
    const std::string meant = is_kept ? did_you_mean(entry.key, taken_) : "";
    problems_.add(entry.where, "unknown-key",
                  fmt::format("unknown key '{}' of a {}{}; known: {}", entry.key, what_, meant,
                              joined(taken_)));
    std::erase_if(missing_, [&](const std::string& key) {
      return !meant.empty() && did_you_mean(entry.key, {key}) == meant;
    });
  }
  for (const std::string& key : missing_) {
    const Yaml* empty = map_.find(key);
    if (empty)
      problems_.add(empty->where, "missing-key",
                    fmt::format("{}: got nothing, expected a value", key));
    else
      problems_.add(map_.where, "missing-key", fmt::format("{} lacks the key '{}'", what_, key));
  }
}

double read_scale(SpecReader& reader) {
  const Yaml* given = reader.take("scale");
  const double scale = reader.number("scale").value_or(1);
  if (given && scale <= 0)
    reader.problem(given->where, fmt::format("scale: got {}, expected more than 0", given->scalar));
  return scale;
}

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace rethink
