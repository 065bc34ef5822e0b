#include "experiments/attempt/command/output/reported_line.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/text.h"

namespace rethink {
namespace {

constexpr size_t kMostName = 200, kMostShown = 200;
constexpr const char* kNoSplit = "run";

/// `line` with NaN and infinities as text, since Python writes them without quotes.
std::string with_quoted_constants(const std::string& line) {
  if (line.find_first_of("NI") == std::string::npos) return line;
  std::string text;
  bool quoted = false;
  for (size_t at = 0; at < line.size(); ++at) {
    if (quoted && line[at] == '\\') {
      text += line.substr(at++, 2);
      continue;
    }
    if (line[at] == '"') quoted = !quoted;
    size_t length = 0;
    for (const char* word : {"NaN", "-Infinity", "Infinity"}) {
      if (!quoted && length == 0 && line.compare(at, std::string(word).size(), word) == 0)
        length = std::string(word).size();
    }
    if (length == 0) {
      text += line[at];
      continue;
    }
    text += '"' + line.substr(at, length) + '"';
    at += length - 1;
  }
  return text;
}

double number_of(const Json& value) {
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (!value.is_number()) throw ConfigError("invalid-report", "'value' is not a number");
  return value.get<double>();
}

int64_t step_of(const Json& value, const char* key) {
  constexpr double kMost = 9e15;  // largest exact whole number of a double
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= kMost) || std::trunc(number) != number)
    throw ConfigError("invalid-report",
                      fmt::format("'{}' is not a step, a whole number from 0 on", key));
  return static_cast<int64_t>(number);
}

std::string text_of(const Json& value, const char* key) {
  if (!value.is_string() || value.get<std::string>().empty())
    throw ConfigError("invalid-report", fmt::format("'{}' is not text", key));
  return value;
}

std::string name_of(const Json& value, const char* key) {
  const std::string name = text_of(value, key);
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '@' || c == 0x7f)
      throw ConfigError("invalid-report",
                        fmt::format("'{}' is not a name: it has an @ or a control character", key));
  }
  if (name.size() > kMostName)
    throw ConfigError("invalid-report", fmt::format("'{}' has {} bytes, expected at most {}", key,
                                                    name.size(), kMostName));
  return name;
}

const Json& member(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end()) throw ConfigError("invalid-report", fmt::format("'{}' is missing", key));
  return *found;
}

ReportedEnvironment environment_of(const Json& facts) {
  constexpr size_t kMostFacts = 50;
  if (!facts.is_object() || facts.size() > kMostFacts)
    throw ConfigError(
        "invalid-report",
        fmt::format("'environment' is not an object of at most {} names and values", kMostFacts));
  ReportedEnvironment environment;
  for (const auto& [name, value] : facts.items()) {
    if (value.is_structured())
      throw ConfigError("invalid-report",
                        fmt::format("'environment': the value of '{}' is not text", name));
    environment.facts[name_of(name, "environment")] =
        value.is_string() ? value.get<std::string>() : value.dump();
  }
  return environment;
}

ReportedOutsideFiles outside_of(const Json& files) {
  if (!files.is_array()) throw ConfigError("invalid-report", "'outside' is not a list of files");
  ReportedOutsideFiles outside;
  for (const Json& file : files) outside.files.push_back(text_of(file, "outside"));
  return outside;
}

ReportedLine line_of_json(const Json& line) {
  if (line.contains("metric")) {
    ReportedMetric metric;
    set_metric_name(name_of(line.at("metric"), "metric"), metric);
    metric.step = step_of(member(line, "step"), "step");
    metric.value = number_of(member(line, "value"));
    return metric;
  }
  if (line.contains("tick")) {
    ReportedTick tick{step_of(line.at("tick"), "tick"), {}};
    if (line.contains("of") && !line.at("of").is_null()) tick.of = step_of(line.at("of"), "of");
    return tick;
  }
  if (line.contains("checkpoint"))
    return ReportedCheckpoint{step_of(line.at("checkpoint"), "checkpoint"),
                              text_of(member(line, "path"), "path"),
                              line.contains("give") && line.at("give") == true};
  if (line.contains("artifact"))
    return ReportedArtifact{name_of(line.at("artifact"), "artifact"),
                            text_of(member(line, "path"), "path")};
  if (line.contains("text"))
    return ReportedText{name_of(line.at("text"), "text"), step_of(member(line, "step"), "step"),
                        text_of(member(line, "value"), "value")};
  if (line.contains("image"))
    return ReportedImage{name_of(line.at("image"), "image"), step_of(member(line, "step"), "step"),
                         text_of(member(line, "path"), "path")};
  if (line.contains("environment")) return environment_of(line.at("environment"));
  if (line.contains("outside")) return outside_of(line.at("outside"));
  if (line.contains("done") && line.at("done") == true) return ReportedDone{};
  throw ConfigError("invalid-report",
                    "it has no known member: metric, tick, checkpoint, artifact, text, image, "
                    "environment, outside, done");
}

std::string shown(const std::string& line) {
  return visible_controls(std::string_view(line).substr(0, kMostShown)) +
         (line.size() <= kMostShown ? "" : "...");
}

}  // namespace

void set_metric_name(const std::string& given, ReportedMetric& metric) {
  const size_t slash = given.find('/');
  metric.split = slash == std::string::npos ? kNoSplit : given.substr(0, slash);
  metric.name = slash == std::string::npos ? given : given.substr(slash + 1);
  if (metric.split.empty() || metric.name.empty())
    throw ConfigError("invalid-report",
                      fmt::format("'{}' is not the name of a metric, SPLIT/NAME", given));
}

ReportedLine reported_line(const std::string& line, const SecretFilter& secrets) {
  try {
    Json json = parse_json(with_quoted_constants(line), "event");
    if (!json.is_object()) throw ConfigError("invalid-report", "it is not a JSON object");
    secrets.hide(json);
    return line_of_json(json);
  } catch (const ConfigError& error) {
    throw WrongLine(
        error.code(),
        fmt::format("{}: {}", secrets.hidden(error.what()), shown(secrets.hidden(line))),
        line.find("\"metric\"") != std::string::npos);
  }
}

}  // namespace rethink
