// The facts of a plug-in: declarations beside its options, in the struct of its registry
// (core/facts). Such a struct declares its facts with Fields, as options are declared. schema.json
// is written and read by this declaration.
#pragma once

#include <memory>

#include "core/config/options.h"
#include "core/error.h"
#include "core/json_value.h"

namespace rethink {

/// A struct of facts of any type.
class PluginFacts {
 public:
  PluginFacts() : PluginFacts(NoFields{}) {}
  template <HasFields F>
  PluginFacts(F facts)
      : PluginFacts(std::make_shared<const F>(std::move(facts)), kOptionsType<F>) {}
  /// Requires: `facts` is of this type.
  PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type);
  /// Makes the same with known `json` from schema.json. Each command reads the facts of all
  /// plug-ins, and computing the JSON again took a fifteenth of the time of a short command.
  PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type, const Json& json);

  /// Returns null if the facts have another type.
  template <HasFields F>
  const F* get_if() const {
    return type_ == &kOptionsType<F> ? static_cast<const F*>(facts_.get()) : nullptr;
  }
  /// Requires: the facts are of this type.
  template <HasFields F>
  const F& as() const {
    RETHINK_ASSERT(get_if<F>(), "facts of another registry");
    return *get_if<F>();
  }
  /// Returns the facts as in schema.json: without optional facts that have their default.
  const Json& json() const { return *json_; }

 private:
  std::shared_ptr<const void> facts_;
  const OptionsType* type_;
  JsonValue json_;
};

/// Throws ConfigError if a required fact is missing, and for an unknown fact or a wrong type.
PluginFacts facts_from_json(const Json& json, const OptionsType& type);

}  // namespace rethink
