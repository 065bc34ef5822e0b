// The plug-ins that a configuration names, wherever they stand in it.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"

namespace rethink {

/// One of them, and the dotted path of the option that names it.
struct ChosenPlugin {
  std::string path;  // "model.attention"
  const PluginSchema* plugin;
  const Json* options;  // of the configuration: its own and its name
};

/// In the order of the options. Requires: `config` is complete and typed (core/config/check.h or
/// write_options).
std::vector<ChosenPlugin> plugins_chosen(const Json& config, const OptionsSchema& options,
                                         const Schema& schema);

}  // namespace rethink
