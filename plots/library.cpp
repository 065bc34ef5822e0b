#include "plots/library.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "experiments/schedule/yaml_names.h"
#include "plots/spec.h"

namespace rethink {

std::filesystem::path find_spec(const std::string& kind, const std::string& name,
                                const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    const std::filesystem::path file = path / "plots" / kind / (name + ".yaml");
    if (std::filesystem::exists(file)) return file;
  }
  if (std::filesystem::is_regular_file(name)) return name;
  const std::vector<std::string> known = spec_names(kind, paths);
  throw ConfigError(fmt::format("no '{}' in plots/{} of the search path{}; there is: {}", name,
                                kind, did_you_mean(name, known),
                                known.empty() ? "nothing" : joined(known)));
}

std::vector<std::string> spec_names(const std::string& kind,
                                    const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& path : paths) folders.push_back(path / "plots" / kind);
  return yaml_names(folders);
}

std::vector<std::string> tables_of(const std::vector<std::filesystem::path>& sweeps,
                                   const std::vector<std::filesystem::path>& paths) {
  const auto is_named = [&](const std::string& name, const std::filesystem::path& spec) {
    const std::filesystem::path file = find_spec_sweep(name, spec, paths);
    return std::any_of(sweeps.begin(), sweeps.end(), [&](const std::filesystem::path& sweep) {
      return std::filesystem::equivalent(file, sweep);
    });
  };
  std::vector<std::string> tables;
  for (const std::string& table : spec_names("tables", paths)) {
    try {
      const TableSpec spec = read_table_spec(find_spec("tables", table, paths));
      const std::vector<std::string> named = sweeps_of(spec);
      if (std::all_of(named.begin(), named.end(),
                      [&](const std::string& name) { return is_named(name, spec.file); }))
        tables.push_back(table);
    } catch (const ConfigError&) {
      continue;
    }
  }
  return tables;
}

std::filesystem::path find_spec_sweep(const std::string& sweep, const std::filesystem::path& spec,
                                      const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    if (std::filesystem::is_regular_file(path / sweep)) return path / sweep;
  }
  throw ConfigError(
      fmt::format("{}: there is no sweep file {} below the search path", spec.string(), sweep));
}

}  // namespace rethink
