// Marks of a cell that follow from its trials and their records. Each function adds its mark if the
// mark applies.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "plots/table/cells/measured_cell.h"

namespace rethink {

/// Returns whether the file with the value is damaged or missing.
bool is_damaged(const TrialRecord& record, const CellValue& value);
Mark not_planned();

void mark_partial_data(MeasuredCell& cell, const TrialRecord& record, const CellValue& value);
void mark_other_data(MeasuredCell& cell, const TrialRecord& record, const TableSpec& spec);
void mark_not_alone(MeasuredCell& cell, const CellTrials& trials, const CellValue& value);
void mark_selection(MeasuredCell& cell, const CellTrials& trials, const ValueName& value);
void mark_faults(MeasuredCell& cell, const TrialRecords& records);
void mark_constant_answers(MeasuredCell& cell, const TrialRecords& records, const ValueName& value);
void mark_ties(MeasuredCell& cell, const CellTrials& trials, const TrialRecords& records);
void mark_imported(MeasuredCell& cell, const TrialRecords& records, const ValueName& score);
void mark_damaged(MeasuredCell& cell, const TrialRecords& records, const CellValue& value);
void mark_lacking(MeasuredCell& cell);

// Also for a derived cell.

void mark_lacking_data(MeasuredCell& cell);
void mark_diverged(MeasuredCell& cell);
void mark_mixed(MeasuredCell& cell);
void mark_seeds(MeasuredCell& cell, int64_t wanted);

/// Trials that did not run from beginning to end in one attempt.
class Repetitions {
 public:
  void add(const TrialRecord& record, bool has_number);
  void mark(MeasuredCell& cell) const;

 private:
  size_t resumed_ = 0;  // with another environment than the checkpoint's
  EnvironmentChange change_;
  size_t outside_ = 0;  // with code that the kept copy lacks
  std::set<std::string> outside_files_;
  size_t unproved_ = 0;  // resumed, without a proof by selftest that the program resumes exactly
  std::map<TrialState, size_t> kept_;  // with an earlier result, by the end of the repetition
};

}  // namespace rethink
