// The numeric environment: everything beside a trial's configuration on which the last bits of its
// numbers depend; and the differences between two environments. A worker records it
// (experiments/train/device.cpp); resumes, tables and checks of a store compare it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Fact: value, both as the store's table `environment` has them ("threads": "4",
/// "libraries.libm.so.6": "5a..."). A fact that was not recorded is missing.
using NumericEnvironment = std::map<std::string, std::string>;

/// Those of a worker's recorded facts that belong to its numeric environment.
NumericEnvironment numeric_environment_of(const Json& facts);

/// Whether the fact is part of a numeric environment: "threads", and not "host".
bool is_numeric_fact(const std::string& fact);

/// What people call a fact: "build", "processor", "library libm.so.6".
std::string name_of_fact(const std::string& fact);

/// How the environment of a resumed trial differs from its checkpoint's.
struct EnvironmentChange {
  std::vector<std::string> differs;  // names for people, each once
  bool build_is_unknown = false;     // the checkpoint is of a version that did not record its build

  bool is_none() const { return differs.empty() && !build_is_unknown; }
  /// "another build, another processor", "a build that was not recorded"; "another kind of machine"
  /// where nothing is known.
  std::string text() const;
  /// Adds what differs in `other`.
  void add(const EnvironmentChange& other);
};

/// What is not as it was in `before`. A fact that only one of them has differs, but for those that
/// a version without recorded builds did not record either.
EnvironmentChange environment_change(const NumericEnvironment& before,
                                     const NumericEnvironment& now);

/// The event that a worker writes at such a resume, from the checkpoint's recorded facts and its
/// own.
Json inexact_event(const Json& before, const Json& now);

/// What such an event says, also one of an older version, which did not name what differs.
EnvironmentChange change_of_event(const Json& event);

/// Values by fact over several trials: where a fact has two, their numbers may differ in the last
/// bits. Trials that did not record a fact say nothing about it.
class SeenEnvironments {
 public:
  void add(const NumericEnvironment& environment);
  void add(const SeenEnvironments& other);
  /// Names for people of what is not the same in all.
  std::vector<std::string> mixed() const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace rethink
