// The facts of one plug-in: what it declares beside options, as the struct of its registry (core/facts). Such a
// struct declares its facts with Fields, as options are declared, and schema.json is written and read by that.
#pragma once

#include <memory>

#include "core/config/options.h"
#include "core/error.h"
#include "core/json_value.h"

namespace rethink {

/// A struct of facts, whichever it is.
class PluginFacts {
 public:
  PluginFacts() : PluginFacts(NoFields{}) {}
  template <HasFields F>
  PluginFacts(F facts)
      : PluginFacts(std::make_shared<const F>(std::move(facts)), kOptionsType<F>) {}
  /// Requires: `facts` is of this type.
  PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type);
  /// The same where `json` is known, as schema.json has it: each command reads the facts of all plug-ins, and working
  /// it out again took a fifteenth of the time of a short command.
  PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type, const Json& json);

  /// Null where the facts are of another type.
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
  /// As schema.json has them: without those that are not required and are as by default.
  const Json& json() const { return *json_; }

 private:
  std::shared_ptr<const void> facts_;
  const OptionsType* type_;
  JsonValue json_;
};

/// Throws ConfigError when a required fact is missing, or one is unknown or of another type.
PluginFacts facts_from_json(const Json& json, const OptionsType& type);

}  // namespace rethink
