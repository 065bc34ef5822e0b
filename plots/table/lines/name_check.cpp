#include "plots/table/lines/name_check.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {

bool has_every_line(const TableSpec& spec, const Grid& grid) {
  return spec.left_out.empty() &&
         (!grid.narrowed() || (grid.profile == "paper" && grid.settings.empty()));
}

void NameCheck::check(const Word& name, const std::string& kind,
                      const std::vector<GridLine>& lines) {
  if (find_line(lines, name.written()) || !said_.insert({kind, name.text}).second) return;
  const std::string several = trouble_of_several(lines, name.written(), kind);
  if (!several.empty()) {
    problems.add(name.at, "ambiguous-name",
                 fmt::format("{}: the {} {}", key_, words_.table, several));
    return;
  }
  if (may_be_absent_) return;
  const std::vector<std::string> known = line_labels(lines);
  problems.add(name.at, "unknown-name",
               fmt::format("{}: the {} has no {} '{}'{}; it has: {}", key_, words_.table, kind,
                           name.text, did_you_mean(name.text, known), joined(known)));
}

}  // namespace rethink
