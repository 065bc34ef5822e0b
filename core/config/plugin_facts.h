// The facts of one plug-in: what it declares beside options, as the struct of its registry (core/facts). Such a
// struct declares its facts with Fields, as options are declared, and schema.json is written and read by that.
#pragma once

#include <memory>

#include "core/config/options.h"
#include "core/error.h"
#include "core/json.h"
#include "core/json_value.h"

namespace rethink {

/// Facts of a registry that has no struct yet.
struct UntypedFacts : JsonValue {
  using JsonValue::JsonValue;
  UntypedFacts() : JsonValue(JsonValue::object()) {}
  void fields(Fields&) {}
};

/// A struct of facts, whichever it is.
class PluginFacts {
 public:
  PluginFacts() : PluginFacts(NoFields{}) {}
  PluginFacts(const Json& json) : PluginFacts(UntypedFacts(json)) {}
  template <HasFields F>
  PluginFacts(F facts)
      : PluginFacts(std::make_shared<const F>(std::move(facts)), kOptionsType<F>) {}
  /// Requires: `facts` is of this type.
  PluginFacts(std::shared_ptr<const void> facts, const OptionsType& type);

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

  // Of untyped facts, as Json has it.
  operator const Json&() const { return *json_; }
  template <typename T>
  auto value(const std::string& name, const T& otherwise) const {
    return json_->value(name, otherwise);
  }
  auto value(const std::string& name, const char* otherwise) const {
    return value(name, std::string(otherwise));
  }
  template <typename T>
  bool contains(const T& name) const {
    return json_->contains(name);
  }
  template <typename T>
  const auto& at(const T& name) const {
    return json_->at(name);
  }
  template <typename T>
  const auto& operator[](const T& name) const {
    return json_->at(name);
  }
  template <typename T>
  auto& operator[](const T& name) {
    json_ = JsonValue(*json_);
    return const_cast<Json&>(*json_)[name];
  }

 private:
  std::shared_ptr<const void> facts_;
  const OptionsType* type_;
  JsonValue json_;
};

/// Throws ConfigError when a required fact is missing, or one is unknown or of another type.
PluginFacts facts_from_json(const Json& json, const OptionsType& type);

}  // namespace rethink
