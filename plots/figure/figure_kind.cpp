#include "plots/figure/figure_kind.h"

#include <set>

#include "plots/table/notes.h"

namespace rethink {

FigureKindRegistry& figure_kinds() {
  static FigureKindRegistry registry("figure", "plots/figure/kinds");
  return registry;
}

void count_trials(const Table& table, Figure& figure) {
  if (figure.not_measured.empty()) figure.not_measured = not_measured_note(table, "points").whole();
  if (figure.needs_data.empty()) figure.needs_data = needs_data_note(table, "points").whole();
  figure.trials += table.num_trials();
  figure.missing += table.num_to_run();
  figure.can_start = figure.can_start || (table.num_to_run() > 0 && table.can_start);
  figure.needed.insert(table.needed.begin(), table.needed.end());
  for (const SheetNote& note : notes_on_failures(table)) figure.on_request.insert(note.whole());
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      figure.measured = figure.measured || cell.value;
      figure.diverged = figure.diverged || !cell.diverged().empty();
    }
  }
  for (const auto& [sweep, trials] : table.to_run) {
    std::set<std::string> all(figure.to_run[sweep].begin(), figure.to_run[sweep].end());
    all.insert(trials.begin(), trials.end());
    figure.to_run[sweep].assign(all.begin(), all.end());
    for (const std::string& id : all) figure.needed.erase(id);
  }
}

Table points_of(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                FigureFindings& findings) {
  Table points = make_table(spec.points, sources.grids.points, sources.records);
  count_trials(points, figure);
  findings.take(points);
  return points;
}

}  // namespace rethink
