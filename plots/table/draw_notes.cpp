#include "plots/table/draw_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/counted.h"
#include "core/error.h"

namespace rethink {
namespace {

constexpr size_t kMostRowsNamed = 8;

std::string named_rows(std::vector<std::string> labels) {
  const size_t more = labels.size() - std::min(kMostRowsNamed, labels.size());
  labels.resize(labels.size() - more);
  return joined(labels, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
}

/// A sentence and the rows that it is about, in the order of the first of them.
class NotesByRows {
 public:
  void add(const std::string& sentence, const std::string& row) {
    const auto same = std::ranges::find(notes_, sentence, &Note::sentence);
    Note& note = same == notes_.end() ? notes_.emplace_back(Note{sentence, {}}) : *same;
    if (note.rows.empty() || note.rows.back() != row) note.rows.push_back(row);
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Note& note : notes_) texts.push_back(note.sentence + ": " + named_rows(note.rows));
    return texts;
  }

 private:
  struct Note {
    std::string sentence;
    std::vector<std::string> rows;
  };
  std::vector<Note> notes_;
};

/// What the trials of one cell are.
class CellDraws {
 public:
  CellDraws(const Cell& cell, const TableSpec& spec, const Grid& grid) : grid_(grid) {
    for (size_t i = 0; i < cell.trials.size(); ++i) {
      const auto planned = grid.planned.find(cell.trials[i]);
      if (planned != grid.planned.end()) add(*planned->second, cell.trial_seeds[i], spec);
    }
  }

  bool any() const { return !own_.empty() || most_draws() > 1; }

  void note(NotesByRows& notes, const std::string& row) const {
    if (!own_.empty()) {
      notes.add(
          fmt::format("each seed has a draw of its own ({})", joined({own_.begin(), own_.end()})),
          row);
    }
    if (most_draws() > 1) {
      notes.add(fmt::format("the number of each seed is the mean over {} draws ({})", most_draws(),
                            joined({axes_.begin(), axes_.end()})),
                row);
    }
  }

  void note_stages_behind(std::vector<std::string>& notes) const {
    for (const auto& [stages, seeds] : behind_) {
      if (seeds.size() >= draws_.size()) continue;
      const std::string text =
          fmt::format("{} of stage '{}' rest on {} of stage '{}'", counted(draws_.size(), "seed"),
                      stages.first, counted(seeds.size(), "seed"), stages.second);
      if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
    }
  }

 private:
  void add(const PlannedTrial& planned, int64_t seed, const TableSpec& spec) {
    std::vector<std::string> draw;
    for (const std::string& axis : spec.over) {
      const auto label = planned.labels.find(axis);
      if (label == planned.labels.end() || !grid_.draw_axes.contains(axis)) continue;
      draw.push_back(label->second);
      axes_.insert(axis);
    }
    draws_[seed].insert(draw);
    own_.insert(planned.own_draws.begin(), planned.own_draws.end());
    for (const auto& [slot, ids] : planned.trial.needs) {
      for (const std::string& id : ids) {
        const auto need = grid_.planned.find(id);
        if (need == grid_.planned.end() || !need->second->trial.seed) continue;
        behind_[{planned.stage, need->second->stage}].insert(*need->second->trial.seed);
      }
    }
  }

  size_t most_draws() const {
    size_t most = 0;
    for (const auto& [seed, draws] : draws_) most = std::max(most, draws.size());
    return most;
  }

  const Grid& grid_;
  std::set<std::string> own_, axes_;
  std::map<int64_t, std::set<std::vector<std::string>>> draws_;              // by seed
  std::map<std::pair<std::string, std::string>, std::set<int64_t>> behind_;  // by stage and need
};

}  // namespace

std::vector<std::string> notes_on_draws(const Table& table, const TableSpec& spec,
                                        const Grid& grid) {
  NotesByRows rows;
  std::vector<std::string> behind;
  bool any = false;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (const Cell& cell : table.cells[row]) {
      const bool is_derived = cell.trial_seeds.size() != cell.trials.size();
      if (!cell.value || is_derived) continue;  // its parts are cells of the row
      const CellDraws draws(cell, spec, grid);
      draws.note(rows, table.rows[row].label);
      draws.note_stages_behind(behind);
      any = any || draws.any();
    }
  }
  if (!any) return {};
  std::vector<std::string> notes = rows.texts();
  notes.insert(notes.end(), behind.begin(), behind.end());
  return notes;
}

}  // namespace rethink
