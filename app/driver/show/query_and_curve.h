// The common parts of `query` and `curve`: --where, notes on trials that are averaged together, and
// names that no trial has measured.
#pragma once

#include <filesystem>
#include <string>

#include "app/driver/command.h"
#include "core/config/note.h"
#include "results/query/curves.h"
#include "results/query/recorded_names.h"
#include "results/query/short_query.h"
#include "results/store/store.h"

namespace rethink {

/// Declares --where, which may be repeated; `what` says which trials.
void declare_conditions(po::options_description& options, const std::string& what);

/// Returns all given conditions, joined by "and"; "" without conditions. Throws ConfigError with
/// the position of a mistake.
std::string conditions_given(Store& store, const po::variables_map& given);

// Notes on groups of `query --by` and `curve`, for standard error.

/// Returns notes on differing keys of trials of one group, unless the user averages over them, with
/// the profiles if there are several; on metrics whose mean uses several splits; and on a seed that
/// occurs several times in one mean. Throws ConfigError as short_query_sql.
std::vector<Note> pooling_notes(Store& store, const ShortQuery& query);

/// Returns notes on the curves, by `by`, that end early since trials diverged, and on diverged
/// trials in no curve (`without_curve`, trials_without_curve()).
std::vector<Note> divergence_notes(const std::vector<Curve>& curves,
                                   const std::vector<std::string>& by,
                                   const TrialCounts& without_curve);

/// Returns notes on the number and the states of trials that the functions of a query leave out
/// because they are not done, and on the number with an earlier result. Throws ConfigError as
/// short_query_sql does.
std::vector<Note> unfinished_notes(Store& store, const ShortQuery& query);
/// Returns the same for curves, with the number of unfinished trials behind curves without a done
/// trial.
std::vector<Note> unfinished_notes(const std::vector<Curve>& curves,
                                   const TrialCounts& without_curve,
                                   const std::filesystem::path& store);

/// Returns a note on the number of steps at which not all trials of a curve have a value.
std::vector<Note> thin_steps_notes(const std::vector<Curve>& curves);

// Metrics in a query that no trial has measured yet.

/// Throws ConfigError "no trial has measured dev/score yet: trial ID will ..." if an unfinished
/// trial will measure a metric of this name, else `unknown` itself.
[[noreturn]] void explain_unknown_name(const CommandContext& context, Store& store,
                                       const UnknownName& unknown);

}  // namespace rethink
