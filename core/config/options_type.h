// What core/config/options.cpp needs to know of the type of an options struct.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/config/rule.h"

namespace rethink {

class Fields;

template <typename T>
concept HasFields = requires(T options, Fields& field) {
  options.fields(field);
};

struct OptionsType {
  std::shared_ptr<void> (*make)();               // an instance with every default
  void (*visit)(void* options, Fields& fields);  // calls the instance's `fields`
  std::vector<Rule> (*rules)();                  // null: the struct has no rules
};

template <HasFields O>
constexpr OptionsType make_options_type() {
  OptionsType type{
      .make = []() -> std::shared_ptr<void> { return std::make_shared<O>(); },
      .visit = [](void* options, Fields& fields) { static_cast<O*>(options)->fields(fields); },
      .rules = nullptr};
  if constexpr (requires { &O::rules; }) type.rules = &O::rules;
  return type;
}

template <HasFields O>
inline constexpr OptionsType kOptionsType = make_options_type<O>();

struct NoFields {
  void fields(Fields&) {}
};

/// A text as a template argument.
template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&given)[N]) { std::copy_n(given, N, text); }
};

/// A choice by name from a registry, with that plug-in's own options: a tagged union. In YAML and
/// JSON it is one map: {kind: local, window: 4}; `tag` is the key that holds the name, and the
/// fields of `Common` are keys of the same map.
template <Name registry, Name tag = "name", HasFields Common = NoFields>
struct Choice {
  std::string name;
  JsonValue options = JsonValue::object();  // the plug-in's own; a missing key has its default
  Common common{};
};

}  // namespace rethink
