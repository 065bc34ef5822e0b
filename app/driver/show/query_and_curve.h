// The common parts of `query` and `curve`: --where, notes on trials that are averaged together, and
// names that no trial has measured.
#pragma once

#include <filesystem>
#include <string>

#include "app/driver/command.h"
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

// What the groups of `query --by` and `curve` take together, said on standard error.

/// "note: ...\n": the keys in which trials of one group differ, that nobody asked to be averaged
/// over, and their profiles where they are of several; metrics of which one mean takes several
/// splits; and a seed that one mean holds several times.
/// Empty when there are none. Throws ConfigError as short_query_sql does.
std::string pooling_note(Store& store, const ShortQuery& query);

/// Returns "note: ...
/// " on the curves, by `by`, that end early since trials diverged, and on diverged trials in no
/// curve (`without_curve`, trials_without_curve()); "" if there are none.
std::string divergence_note(const std::vector<Curve>& curves, const std::vector<std::string>& by,
                            const TrialCounts& without_curve);

/// Returns "note: ...
/// " on the number and the states of trials that the functions of a query leave out because they
/// are not done, and on the number with an earlier result; "" if there are none. Throws ConfigError
/// as short_query_sql does.
std::string unfinished_note(Store& store, const ShortQuery& query);
/// Returns the same for curves, with the number of unfinished trials behind curves without a done
/// trial.
std::string unfinished_note(const std::vector<Curve>& curves, const TrialCounts& without_curve,
                            const std::filesystem::path& store);

/// "note: ...\n": at how many steps not all trials of a curve have a value; empty when all do.
std::string thin_steps_note(const std::vector<Curve>& curves);

// Metrics that a question names before any trial has measured them.

/// Throws ConfigError "no trial has measured dev/score yet: trial ID will ..." where a trial that has
/// yet to end will measure a metric of this name, else `unknown` itself.
[[noreturn]] void explain_unknown_name(const CommandContext& context, Store& store,
                                       const UnknownName& unknown);

}  // namespace rethink
