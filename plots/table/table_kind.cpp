#include "plots/table/table_kind.h"

#include <algorithm>

#include "core/yaml/yaml.h"
#include "plots/spec_sweeps.h"

namespace rethink {

TableKindRegistry& table_kinds() {
  static TableKindRegistry registry("table", "plots/table/kinds");
  return registry;
}

TableFile read_table_file(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& paths) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  if (!paths.empty()) check_sweeps_named(document, paths, problems);
  const Yaml* kind = document.find("kind");
  const std::vector<std::string> kinds = table_kinds().names();
  if (!kind || !kind->is_scalar() || std::ranges::count(kinds, kind->scalar) == 0)
    return {read_table_spec(document, file, problems), nullptr};
  const std::shared_ptr<TableKind> made = table_kinds().make(kind->scalar, Json::object());
  made->read(document, file, problems);
  problems.throw_if_any();
  return {{}, made};
}

}  // namespace rethink
