// Marks of a cell: reservations about its number. They are not in core/trial_state.h, since most are
// judgements of a table that no room below knows; those that repeat a state take its word from there.
#pragma once

#include <memory>
#include <string>

namespace rethink {

/// A mark of a cell.
enum class MarkKind {
  needs_data,  // a trial has no id, since the contents of a file that it reads are unknown
  missing,
  running,
  failed,
  oom,
  killed,
  timeout,
  cancelled,
  blocked,         // a trial must still run
  no_value,        // done, without the metric
  not_imported,    // done, but no score was imported
  damaged,         // done, but the file with the value is damaged or missing
  diverged,        // diverged, or done with a value that is not finite
  not_planned,     // left out by the profile
  not_applicable,  // its trials are done and have no such artifact
  memory_limit,    // done without the value, since the trial stopped at this limit
  time_limit,
  few_seeds,
  partial_data,
  other_data,       // compared with a paper, but trained on other data than published
  faulty_artifact,  // a trial's artifact has a fault (plots/table/cells/artifact_fault.h)
  constant,         // a trial gives the same answer to every example of the split
  unlike,
  not_comparable,  // paired_bootstrap has no predictions to compare
  selected_on_it,  // the reported step was chosen on the reported split
  tied,            // other candidates were equal to the chosen one
  inexact,         // resumed with another build or machine than the checkpoint's
  unproved,        // a user's program resumed without a proof by selftest that it resumes exactly
  outside_code,    // a user's program ran code that is not in the kept copy
  mixed,           // its trials ran with several builds or machines
  kept,            // an earlier result, since the trial failed when it ran again for its weights
  not_alone,       // a time of trials beside which other trials may run
  imported,
  published,
};

struct ArtifactFault;

struct Mark {
  MarkKind kind;
  std::string text;  // one clause for the footnote: "1 of 3 seeds diverged"
  std::shared_ptr<const ArtifactFault> fault{};  // of a faulty artifact

  /// Name in CSV and JSON, and in a cell without a number: "out of memory".
  std::string name() const;
};

/// Returns the default name of a mark of this kind.
const char* to_text(MarkKind kind);

/// Returns a mark's text: its name, unless the clause contains it, and the clause.
std::string footnote_text(const Mark& mark);

}  // namespace rethink
