// Plug-ins register themselves by name from files without a header; adding one touches no existing
// file, or adds one entry to a table of plug-ins that differ in their data alone.
//
//   // models/attention/attention.h
//   using AttentionRegistry = Registry<Attention, AttentionFacts, const AttentionSite&>;
//   AttentionRegistry& attentions();               // a function-local static in attention.cpp
//   // models/attention/dense.cpp, last line of its anonymous namespace
//   RETHINK_REGISTERED =
//       attentions().add<DenseOptions>({.name = "dense", .summary = "...", .facts = {...}}, make_dense);
//
// The registered name is the path below the registry's folder, or below a sub-room of it, without the
// ending: datasets/text/wikitext_2.cpp is "wikitext_2". Registration happens before main; afterwards a
// registry is read-only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "core/config/options.h"

namespace rethink {

struct PluginSchema;  // core/config/schema.h

#define RETHINK_PASTE_(text, number) text##number
#define RETHINK_PASTE(text, number) RETHINK_PASTE_(text, number)

/// Begins a definition at namespace scope whose initializer registers a plug-in. Each use defines a
/// constant with a name of its own, because several sources are compiled as one
/// (cmake/batches.cmake). The initializer stays outside of the macro, so that a debugger steps
/// through it line by line.
#define RETHINK_REGISTERED const bool RETHINK_PASTE(registered_, __COUNTER__)

/// Declarations of a plug-in about itself.
template <typename Facts = NoFields>
struct About {
  std::string name;
  std::string summary;  // one line, with the source: paper, equation or table
  int revision = 1;     // raise it when the numbers change for equal options
  Facts facts{};        // facts that the registry needs beside options (core/facts)
};

/// The part of a registry that does not depend on what it makes.
class RegistryBase {
 public:
  /// `kind` is the kind of plug-ins in messages and the schema ("attention"). `folder` has their
  /// files.
  RegistryBase(std::string kind, std::string folder);
  RegistryBase(const RegistryBase&) = delete;
  RegistryBase& operator=(const RegistryBase&) = delete;

  const std::string& kind() const { return kind_; }
  const std::string& folder() const { return folder_; }
  std::vector<std::string> names() const;  // sorted: order never depends on link order
  /// Throws ConfigError "unknown attention 'dens'; did you mean 'dense'?; known: ..."
  PluginSchema schema(const std::string& name) const;
  /// Returns options after reading them into the plug-in's own struct and writing them again:
  /// checked, complete and typed. Throws ConfigError for an unknown plug-in.
  Json completed(const std::string& name, const Json& options) const;

 protected:
  struct Entry {
    std::string name, summary;
    int revision;
    std::shared_ptr<const void> facts;
    const OptionsType *facts_type, *options;
    std::string source;  // the file that registers it, from the root of the checkout
  };
  void insert(Entry entry);
  const Entry& entry(const std::string& name) const;

 private:
  std::string kind_, folder_;
  std::map<std::string, Entry> entries_;
};

template <typename Interface, typename Facts = NoFields, typename... Arguments>
class Registry : public RegistryBase {
 public:
  using RegistryBase::RegistryBase;

  /// `factory` is called with the plug-in's options struct and the arguments of `make()` below.
  template <HasFields Options, typename Factory>
  bool add(About<Facts> about, Factory factory,
           std::source_location source = std::source_location::current()) {
    const std::string name = about.name;
    insert({name, std::move(about.summary), about.revision,
            std::make_shared<const Facts>(std::move(about.facts)), &kOptionsType<Facts>,
            &kOptionsType<Options>, source.file_name()});
    factories_[name] = [factory](const Json& options, Arguments... arguments) {
      return factory(read_options<Options>(options), std::forward<Arguments>(arguments)...);
    };
    return true;
  }

  /// Throws ConfigError when there is no such plug-in.
  const Facts& facts(const std::string& name) const {
    return *static_cast<const Facts*>(entry(name).facts.get());
  }

  /// Makes a plug-in. Throws ConfigError for an unknown plug-in and for wrong options.
  std::shared_ptr<Interface> make(const std::string& name, const Json& options,
                                  Arguments... arguments) const {
    entry(name);
    return factories_.at(name)(options, std::forward<Arguments>(arguments)...);
  }

 private:
  std::map<std::string, std::function<std::shared_ptr<Interface>(const Json&, Arguments...)>>
      factories_;
};

/// Every registry of this program, by kind. Requires: main has begun.
const std::map<std::string, const RegistryBase*>& registries();

/// Throws ConfigError for an unknown kind.
const RegistryBase& find_registry(const std::string& kind);

}  // namespace rethink
