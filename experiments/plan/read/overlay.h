// Merges maps of options: dotted keys become nested maps, and a later map overrides an earlier one.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"
#include "core/yaml/written_values.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// Returns `value` with {model.layers: 2} written as {model: {layers: 2}}, at every depth. Two ways
/// to the same key, such as model.layers beside model: {layers: ...}, are a problem.
Yaml with_nested_keys(const Yaml& value, Problems& problems);

/// Sets `dotted` in `map`, and makes missing maps on the way. The last value wins.
void set_path(Yaml& map, const std::string& dotted, const Yaml& value, const Position& where);

/// Returns null if the key is missing. A key that contains dots itself is found too.
const Yaml* at_path(const Yaml& map, const std::string& dotted);

/// Returns the value in `map` at a position of the configuration that was made from `map`; null
/// without a value.
const Yaml* at_place(const Yaml& map, const Json::json_pointer& place);

/// Removes the value at `dotted` and the maps that it leaves empty.
void erase_path(Yaml& map, const std::string& dotted);

/// A value that is not a map with entries, with its dotted path and the position of its key.
struct Leaf {
  std::string path;
  Position where;
  const Yaml* value;
  std::string key;  // of the innermost map: "lr" of {optimizer: {lr: 0.1}}
};
std::vector<Leaf> leaves_of(const Yaml& map, const std::string& prefix = "");

/// Returns whether paths are equal, or one is below the other.
bool overlap(const std::string& path, const std::string& other);

/// Returns one line: "0.5", "[1, 2]", "{kind: star}".
std::string text_of(const Yaml& value);
std::string text_of(const Json& value);
/// Returns the value that conditions compare (core/yaml/written_values.h).
RecordedValue recorded_value(const Json& value);
WrittenValue written_value(const Yaml& value);

/// Returns a value as if it were written in a file at `where`.
Yaml yaml_of(const Json& value, const Position& where);
Yaml empty_map(const Position& where);

/// Options that a map may have. `tag` is the key that names its plug-in, if it has one.
struct OptionBlock {
  std::vector<const Field*> fields;
  std::string tag;
  std::string usual;  // the default plug-in

  explicit OptionBlock(const OptionsSchema& options);
  /// Returns the options of the map `field`, whose plug-in is named by `upper`, else by `lower`,
  /// else by the default.
  OptionBlock(const Field& field, const Yaml& upper, const Yaml& lower, const Schema& schema);
  const Field* find(const std::string& key) const;
};

/// The kind of lower layer: other lines of the sweep, or a preset (or a parent's configuration).
enum class Lower { given, preset };

/// Merges `upper` over `lower`, map by map. A map {0: ...} over a list changes single entries. If
/// `upper` names another plug-in, the lower options of that block are dropped; a preset that names
/// no plug-in means the default plug-in. If `upper` names a preset, the entries of a lower preset
/// in that block are dropped.
void lay_over(Yaml& lower, const Yaml& upper, const OptionBlock& block, const Schema& schema,
              Lower kind);

}  // namespace rethink
