// The numeric environment: everything beside a trial's configuration on which the last bits of its
// numbers depend; and the differences between two environments. A worker records it
// (experiments/train/device/device.cpp); resumes, tables and checks of a store compare it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Fact: value, both as the store's table `environment` has them ("threads": "4",
/// "libraries.libm.so.6": "5a..."). A fact that was not recorded is missing.
using NumericEnvironment = std::map<std::string, std::string>;

/// Returns a worker's recorded facts that belong to its numeric environment.
NumericEnvironment numeric_environment_of(const Json& facts);

/// Whether the fact is part of a numeric environment: "threads", and not "host".
bool is_numeric_fact(const std::string& fact);

/// Returns a fact's name for people: "build", "processor", "library libm.so.6".
std::string name_of_fact(const std::string& fact);

/// How the environment of a resumed trial differs from its checkpoint's.
struct EnvironmentChange {
  std::vector<std::string> differs;  // names for people, each once
  bool build_is_unknown = false;     // the checkpoint is of a version that did not record its build

  bool is_none() const { return differs.empty() && !build_is_unknown; }
  /// Returns "another build, another processor" or "a build that was not recorded"; "another kind
  /// of machine" if nothing is known.
  std::string text() const;
  /// Adds the differences in `other`.
  void add(const EnvironmentChange& other);
};

/// Returns the differences from `before`. A fact that only one side has counts as a difference,
/// except facts that a version without recorded builds did not record.
EnvironmentChange environment_change(const NumericEnvironment& before,
                                     const NumericEnvironment& now);

/// The event that a worker writes at such a resume, from the checkpoint's recorded facts and its
/// own.
Json inexact_event(const Json& before, const Json& now);

/// Returns the message of such an event. Events of older versions do not name the differences.
EnvironmentChange change_of_event(const Json& event);

/// Values by fact over several trials. If a fact has two values, the trials' numbers may differ in
/// the last bits. Trials that did not record a fact do not count for it.
class SeenEnvironments {
 public:
  void add(const NumericEnvironment& environment);
  void add(const SeenEnvironments& other);
  /// Returns, for people, the names of facts that differ between the trials.
  std::vector<std::string> mixed() const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace rethink
