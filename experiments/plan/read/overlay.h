// Merges maps of options: dotted keys become nested maps, and a later map overrides an earlier one.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/config/written_values.h"
#include "core/config/yaml.h"
#include "core/json.h"

namespace rethink {

/// `value` with {model.layers: 2} written as {model: {layers: 2}}, at every depth. Two ways to the
/// same key, such as model.layers beside model: {layers: ...}, are a problem.
Yaml undotted(const Yaml& value, Problems& problems);

/// Sets `dotted` in `map`, making maps on the way; the last one wins.
void set_path(Yaml& map, const std::string& dotted, const Yaml& value, const Position& where);

/// Null pointer when there is nothing. A key that itself has dots is found too.
const Yaml* at_path(const Yaml& map, const std::string& dotted);

/// The value that `map` gives at a place of the configuration made from it; null pointer when there
/// is none.
const Yaml* at_place(const Yaml& map, const Json::json_pointer& place);

/// Removes the value at `dotted` and the maps that it leaves empty.
void erase_path(Yaml& map, const std::string& dotted);

/// A value that is no map with entries, with its dotted path and the place of its key.
struct Leaf {
  std::string path;
  Position where;
  const Yaml* value;
};
std::vector<Leaf> leaves_of(const Yaml& map, const std::string& prefix = "");

/// Equal paths, or one below the other.
bool overlap(const std::string& path, const std::string& other);

/// One line: "0.5", "[1, 2]", "{kind: star}".
std::string text_of(const Yaml& value);
std::string text_of(const Json& value);
/// What conditions compare (core/config/written_values.h).
RecordedValue recorded_value(const Json& value);
WrittenValue written_value(const Yaml& value);

/// A value as it would stand in a file at `where`.
Yaml yaml_of(const Json& value, const Position& where);
Yaml empty_map(const Position& where);

/// The options that may stand in one map; `tag` is the key that names its plug-in, if it is one's.
struct OptionBlock {
  std::vector<const Field*> fields;
  std::string tag;
  std::string usual;  // the plug-in that stands there when none is named

  explicit OptionBlock(const OptionsSchema& options);
  /// The map of `field`, whose plug-in is the one that `upper`, `lower` or else the default names.
  OptionBlock(const Field& field, const Yaml& upper, const Yaml& lower, const Schema& schema);
  const Field* find(const std::string& key) const;
};

/// What lies below: other lines of the sweep, or a preset (or a parent's configuration).
enum class Lower { given, preset };

/// Lays `upper` over `lower`, map by map. A map {0: ...} over a list changes entries of it. Naming another plug-in drops the lower options of that
/// block (a preset that names none speaks of the default one); naming a preset drops what a lower
/// preset said of that block.
void lay_over(Yaml& lower, const Yaml& upper, const OptionBlock& block, const Schema& schema,
              Lower kind);

}  // namespace rethink
