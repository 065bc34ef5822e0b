// Marks of a cell: reservations about its number.
#pragma once

#include <memory>
#include <string>

namespace rethink {

/// A mark of a cell.
enum class MarkKind {
  needs_data,  // a trial has no id, since nothing tells what is in a file that it reads
  missing,
  running,
  failed,
  oom,
  killed,
  timeout,
  cancelled,
  blocked,         // a trial has yet to run
  no_value,        // done, without the metric
  not_imported,    // done, and nobody imported a score
  damaged,         // done, and the file with the value is damaged or gone
  diverged,        // ended so, or done with a value that is no finite number
  not_planned,     // the profile leaves it out
  not_applicable,  // its trials are done and have no such artifact
  memory_limit,    // done without the value: the trial was to end there
  time_limit,
  few_seeds,
  partial_data,
  other_data,       // compared with a paper, and not of the data that was published
  faulty_artifact,  // a trial's artifact has a fault (plots/table/cells/artifact_fault.h)
  constant,         // a trial gives every example of the split the same answer
  unlike,
  not_comparable,  // paired_bootstrap has no predictions to compare
  selected_on_it,  // the reported step was chosen on the split that is reported
  tied,            // others were as good as the candidate that was chosen
  inexact,         // resumed with another build or machine than the checkpoint's
  unproved,        // a user's program resumed, and no selftest proved that it does so exactly
  outside_code,    // a user's program ran code that is not in the kept copy
  mixed,           // its trials ran with several builds or machines
  kept,            // an earlier result: the trial failed when it ran again for its weights
  not_alone,       // a time, of trials that others may run beside
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
