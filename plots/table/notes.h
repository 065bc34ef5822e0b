// The sentences below a table, and some that figures and reports say too.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plots/table/table.h"

namespace rethink {

/// Returns the notes below a table: what the numbers are, what is missing and how to get it, what
/// the tests say; then the spec's own notes.
std::vector<std::string> notes_of(const Table& table, const TableSpec& spec, const Grid& grid);

/// Whether the table has one of each kind of lines that the note is about, and its profile.
bool is_about(const NoteSpec& note, const Table& table);
/// Returns whether the note applies to this profile; "" = no profile.
bool is_of_profile(const NoteSpec& note, const std::string& profile);
/// Throws ConfigError if a note names a profile that no sweep of the grid has.
void check_profiles(const std::vector<NoteSpec>& notes, const Grid& grid);

/// Of each column with means of the paper that it does not print itself, about that column.
std::vector<NoteSpec> notes_on_paper_means(const ComparedTable& table);

/// "2 of 6 cells have trials that are done without test/mcc@last; name a metric ..."; empty when no
/// trial that is done lacks its value. `what` the table has: "cells".
std::string not_measured_text(const Table& table, const std::string& what);

/// "2 of 6 cells need data that is not here; ... `rethink data get swag`"; empty where none does.
std::string needs_data_text(const Table& table, const std::string& what);
/// "3 of 6 cells need data that is not here; ..., or get it: ...". `lacks`: what brings it.
std::string needs_data_text(size_t lacking, size_t all, const std::string& what,
                            const std::set<std::string>& lacks);

/// ", when their data are here: `rethink data get swag`": behind what runs trials that wait; empty where nothing
/// is to be brought.
std::string when_brought_text(const std::set<std::string>& to_bring);

/// "12 of 12 trials are not done, nor are 23 that they need".
std::string not_done_text(size_t missing, size_t trials, size_t needed);

/// How trials that failed or were cancelled, and those that need them, are run again, sweep by sweep;
/// none where no cell lacks its number for it.
std::vector<std::string> notes_on_failures(const Table& table);

/// Returns "profile small, --set optimizer.lr=1"; "no profile" without choices.
std::string choices_text(const std::string& profile, const std::string& settings);

/// `title` of a table or figure; under the profile smoke, which tries that all of it runs (docs/sweeps.md), it says that the
/// numbers mean nothing.
std::string title_under(const std::string& profile, const std::string& title);

/// Returns the words behind "mean ±": "standard deviation" for sd, and so on.
std::string spread_text(const std::string& spread);

/// Which rows have a draw of its own for each seed, and of which rows the number of each seed is a mean
/// over several draws; then which stages behind these have fewer seeds than the cells. Empty where no
/// cell with a number has such trials. Requires: the cells of `table` are measured.
std::vector<std::string> notes_on_draws(const Table& table, const TableSpec& spec,
                                        const Grid& grid);

}  // namespace rethink
