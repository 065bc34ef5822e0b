#include "core/store_files/numeric_environment.h"

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/event.h"

namespace rethink {
namespace {

constexpr const char* kBuildFact = "numeric_build";
constexpr const char* kLibraries = "libraries.";
constexpr const char* kPlugins = "plugins.";
constexpr const char* kCode = "code.";  // no numeric fact: the build contains it

struct FactName {
  const char* fact;
  const char* name;
};

/// In the order of importance for readers.
constexpr FactName kFactNames[] = {{kBuildFact, "build"},
                                   {"processor", "processor"},
                                   {"processor_version", "processor"},
                                   {"instructions", "instruction set"},
                                   {"cpu_capability", "instruction set"},
                                   {"device", "device"},
                                   {"gpu_name", "GPU"},
                                   {"attention", "path of attention"},
                                   {"batches_of_pass", "number of batches in a pass"},
                                   {"threads", "number of threads"},
                                   {"deterministic", "deterministic mode"},
                                   {"libtorch", "LibTorch"},
                                   {"onednn", "oneDNN"},
                                   {"settings", "setting of a library"},
                                   {"program.python", "Python"},
                                   {"program.torch", "PyTorch"},
                                   {"program.cuda", "CUDA"},
                                   {"program.packages", "Python packages"}};

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Facts in the order of kFactNames, then all others.
std::vector<std::string> in_reading_order(const std::vector<std::string>& facts) {
  std::vector<std::string> names;
  for (const std::string& fact : facts) {
    if (fact.starts_with(kCode)) add_name(names, name_of_fact(fact));
  }
  for (const FactName& known : kFactNames) {
    if (std::ranges::find(facts, known.fact) != facts.end()) add_name(names, known.name);
  }
  for (const std::string& fact : facts) add_name(names, name_of_fact(fact));
  return names;
}

std::string text_of_fact(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// An environment that an event holds as text; empty if it is damaged.
NumericEnvironment environment_in(const Json& event, const char* member) {
  const auto text = event.find(member);
  if (text == event.end() || !text->is_string()) return {};
  const Json facts = Json::parse(text->get<std::string>(), nullptr, /*allow_exceptions=*/false);
  return facts.is_object() ? numeric_environment_of(facts) : NumericEnvironment();
}

}  // namespace

bool is_numeric_fact(const std::string& fact) {
  return fact.starts_with(kLibraries) || fact.starts_with(kPlugins) ||
         std::ranges::any_of(kFactNames, [&](const FactName& known) { return fact == known.fact; });
}

std::string name_of_fact(const std::string& fact) {
  for (const FactName& known : kFactNames) {
    if (fact == known.fact) return known.name;
  }
  if (fact.starts_with(kLibraries)) return "library " + fact.substr(std::string(kLibraries).size());
  if (fact.starts_with(kCode)) return "code of " + fact.substr(std::string(kCode).size());
  if (fact.starts_with(kPlugins)) return "plug-in " + fact.substr(std::string(kPlugins).size());
  return fact;
}

NumericEnvironment numeric_environment_of(const Json& facts) {
  NumericEnvironment environment;
  const auto take = [&](const std::string& fact, const Json& value) {
    if (is_numeric_fact(fact)) environment[fact] = text_of_fact(value);
  };
  for (const auto& [name, value] : facts.items()) {
    if (!value.is_object()) take(name, value);
    // each_leaf would split the names of libraries, which contain dots.
    if (value.is_object()) {
      for (const auto& [part, inner] : value.items()) take(name + "." + part, inner);
    }
  }
  return environment;
}

std::string EnvironmentChange::text() const {
  std::vector<std::string> parts;
  for (const std::string& name : differs) parts.push_back("another " + name);
  if (build_is_unknown) parts.push_back("a build that was not recorded");
  return parts.empty() ? "another kind of machine" : joined(parts);
}

void EnvironmentChange::add(const EnvironmentChange& other) {
  for (const std::string& name : other.differs) add_name(differs, name);
  build_is_unknown = build_is_unknown || other.build_is_unknown;
}

EnvironmentChange environment_change(const NumericEnvironment& before,
                                     const NumericEnvironment& now) {
  EnvironmentChange change;
  change.build_is_unknown = now.contains(kBuildFact) && !before.contains(kBuildFact);
  std::vector<std::string> facts;
  for (const auto& [fact, value] : before) {
    const auto other = now.find(fact);
    if (other == now.end() || other->second != value) facts.push_back(fact);
  }
  for (const auto& [fact, value] : now) {
    if (!before.contains(fact) && !change.build_is_unknown) facts.push_back(fact);
  }
  change.differs = in_reading_order(facts);
  return change;
}

Json inexact_event(const Json& before, const Json& now) {
  const EnvironmentChange change =
      environment_change(numeric_environment_of(before), numeric_environment_of(now));
  return {{"event", to_text(EventKind::inexact)},
          {"before", before.dump()},
          {"now", now.dump()},
          {"differs", change.differs},
          {"build_is_unknown", change.build_is_unknown}};
}

EnvironmentChange change_of_event(const Json& event) {
  if (!event.is_object()) return {};
  const auto differs = event.find("differs");
  if (differs == event.end() || !differs->is_array())
    return environment_change(environment_in(event, "before"), environment_in(event, "now"));
  EnvironmentChange change;
  for (const Json& name : *differs) add_name(change.differs, text_of_fact(name));
  change.build_is_unknown = event.value("build_is_unknown", Json(false)) == true;
  return change;
}

void SeenEnvironments::add(const NumericEnvironment& environment) {
  for (const auto& [fact, value] : environment) add_name(values_[fact], value);
}

void SeenEnvironments::add(const SeenEnvironments& other) {
  for (const auto& [fact, values] : other.values_) {
    for (const std::string& value : values) add_name(values_[fact], value);
  }
}

std::vector<std::string> SeenEnvironments::mixed() const {
  std::vector<std::string> facts;
  for (const auto& [fact, values] : values_) {
    if (values.size() > 1) facts.push_back(fact);
  }
  return in_reading_order(facts);
}

}  // namespace rethink
