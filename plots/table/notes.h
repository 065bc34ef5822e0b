// The sentences below a table, some of which figures and reports also have.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plots/table/table.h"

namespace rethink {

/// Returns the notes below a table: what the numbers mean, what is missing and how to get it, what
/// the tests say; then the spec's own notes.
std::vector<SheetNote> notes_of(const Table& table, const TableSpec& spec, const Grid& grid);

/// Returns whether the table has lines of each kind that the note names, and the note's profile.
bool is_about(const NoteSpec& note, const Table& table);
/// Returns whether the note applies to this profile; "" = no profile.
bool applies_to_profile(const NoteSpec& note, const std::string& profile);
/// Throws ConfigError if a note names a profile that no sweep of the grid has.
void check_profiles(const std::vector<NoteSpec>& notes, const Grid& grid);

/// Returns notes on columns with means of the paper that the paper does not print itself.
std::vector<NoteSpec> notes_on_paper_means(const ComparedTable& table);

/// Returns the note after "NOT COMPLETE: ".
SheetNote not_complete(const SheetNote& note);

/// Returns "2 of 6 cells have trials that are done without test/mcc@last; name a metric ..."; an
/// empty note if no done trial lacks its value. `what` is the noun: "cells".
SheetNote not_measured_note(const Table& table, const std::string& what);

/// Returns "2 of 6 cells need data that is not here; ... `rethink data get swag`"; an empty note if
/// none does.
SheetNote needs_data_note(const Table& table, const std::string& what);
/// Returns "3 of 6 cells need data that is not here; ..., or get it: ...". `lacks` has the commands
/// that get the data.
SheetNote needs_data_note(size_t lacking, size_t all, const std::string& what,
                          const std::set<std::string>& lacks);

/// Returns ", when their data are here: `rethink data get swag`", which follows the command that
/// runs waiting trials; "" if no data is missing.
std::string when_downloaded_text(const std::set<std::string>& to_bring);

/// Returns "12 of 12 trials are not done, nor are 23 that they need".
std::string not_done_text(size_t missing, size_t trials, size_t needed);

/// Returns how to run failed or cancelled trials again, and the trials that need them, for each
/// sweep; none if no cell lacks its number because of them.
std::vector<SheetNote> notes_on_failures(const Table& table);

/// Returns "profile small, --set optimizer.lr=1"; "no profile" without choices.
std::string choices_text(const std::string& profile, const std::string& settings);

/// Returns `title` of a table or figure. With the profile smoke, which only tests that everything
/// runs (docs/sweeps.md), it says that the numbers mean nothing.
std::string title_under(const std::string& profile, const std::string& title);

/// Returns the words behind "mean ±": "standard deviation" for sd, and so on.
std::string spread_text(const std::string& spread);

/// Returns notes on random draws: rows with a new draw for each seed, rows whose number for a seed
/// is a mean over several draws, and stages behind them with fewer seeds than the cells. Empty if
/// no cell with a number has such trials. Requires: the cells of `table` are measured.
std::vector<std::string> notes_on_draws(const Table& table, const TableSpec& spec,
                                        const Grid& grid);

}  // namespace rethink
