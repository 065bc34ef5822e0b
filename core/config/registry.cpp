#include "core/config/registry.h"

#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {
namespace {

std::map<std::string, const RegistryBase*>& mutable_registries() {
  static std::map<std::string, const RegistryBase*> all;
  return all;
}

}  // namespace

RegistryBase::RegistryBase(std::string kind, std::string folder)
    : kind_(std::move(kind)), folder_(std::move(folder)) {
  RETHINK_ASSERT(mutable_registries().emplace(kind_, this).second, "two registries of " + kind_);
}

void RegistryBase::insert(Entry entry) {
  const std::string name = entry.name;
  RETHINK_ASSERT(entries_.emplace(name, std::move(entry)).second,
                 kind_ + " '" + name + "' is registered twice");
}

std::vector<std::string> RegistryBase::names() const {
  std::vector<std::string> all;
  for (const auto& [name, entry] : entries_) all.push_back(name);
  return all;
}

const RegistryBase::Entry& RegistryBase::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    throw ConfigError("unknown-name", fmt::format("unknown {} '{}'{}; known: {}", kind_, name,
                                                  did_you_mean(name, names()), joined(names())));
  }
  return found->second;
}

PluginSchema RegistryBase::schema(const std::string& name) const {
  const Entry& found = entry(name);
  return {kind_,
          name,
          found.summary,
          found.revision,
          describe_options(*found.options),
          {found.facts, *found.facts_type},
          found.source,
          ""};
}

Json RegistryBase::completed(const std::string& name, const Json& options) const {
  try {
    const OptionsType& type = *entry(name).options;
    const std::shared_ptr<void> read = type.make();
    read_options(options, read.get(), type);
    return write_options(read.get(), type);
  } catch (const ConfigError& error) {
    throw ConfigError(error.code(), fmt::format("{} '{}': {}", kind_, name, error.what()));
  }
}

const std::map<std::string, const RegistryBase*>& registries() {
  return mutable_registries();
}

const RegistryBase& find_registry(const std::string& kind) {
  const auto found = registries().find(kind);
  if (found == registries().end())
    throw ConfigError("unknown-name",
                      fmt::format("this program has no plug-ins of kind '{}'", kind));
  return *found->second;
}

}  // namespace rethink
