#include "plots/table/lines/wanted_values.h"

#include <algorithm>

#include "core/add_once.h"
#include "core/config/schema.h"
#include "core/facts/dataset_facts.h"
#include "experiments/plan/expand/input_hashes.h"
#include "plots/table/cells/artifact_fault.h"
#include "plots/table/lines/grid.h"

namespace rethink {
namespace {

std::map<std::string, std::string> published_data(const Schema& schema) {
  std::map<std::string, std::string> published;
  for (const std::string& name : schema.names("dataset")) {
    published.merge(published_files(schema.find("dataset", name)->facts.as<DatasetFacts>()));
  }
  return published;
}

/// The first trial with a record of its training size: among the trials that `id` needs, then among
/// their dependencies; null if there is none.
const TrialRecord* nearest_trained(const std::string& id, const Grid& grid,
                                   const TrialRecords& needed) {
  const auto needs = grid.needs.find(id);
  if (needs == grid.needs.end()) return nullptr;
  for (const std::string& need : needs->second) {
    const TrialRecord* record = find_record(needed, need);
    if (record && record->measurements.contains(measured::examples("train"))) return record;
  }
  for (const std::string& need : needs->second) {
    if (const TrialRecord* record = nearest_trained(need, grid, needed)) return record;
  }
  return nullptr;
}

}  // namespace

const TrialRecord* find_record(const TrialRecords& records, const std::string& trial) {
  const auto found = records.find(trial);
  return found == records.end() ? nullptr : &found->second;
}

WantedValues wanted_training_data() {
  WantedValues wanted;
  wanted.measurements = {measured::examples("train"), measured::official_examples("train")};
  return wanted;
}

void take_training_data(const Grid& grid, const TrialRecords& needed, TrialRecords& records) {
  for (auto& [id, record] : records) {
    if (record.measurements.contains(measured::examples("train"))) continue;
    const TrialRecord* trained = nearest_trained(id, grid, needed);
    if (!trained) continue;
    for (const std::string& name : wanted_training_data().measurements) {
      const auto value = trained->measurements.find(name);
      if (value != trained->measurements.end()) record.measurements[name] = value->second;
    }
  }
}

WantedValues wanted_values(const TableSpec& spec, const Schema& schema, TableUse use) {
  WantedValues wanted;
  const bool are_wanted =
      use == TableUse::claims ||
      std::ranges::find(spec.tests, kPairedBootstrap, &TestSpec::kind) != spec.tests.end();
  wanted.published_data = published_data(schema);
  const auto add_examples_of = [&](const std::string& split) {
    add_once(wanted.measurements, measured::examples(split));
    add_once(wanted.measurements, measured::official_examples(split));
  };
  wanted.measurements = {measured::kParameters, measured::kTokens, measured::kLimit};
  add_examples_of("train");
  for (const auto& fault : known_faults()) add_once(wanted.facts, fault->fact);
  for (const LineSpec& column : spec.columns) {
    const CellKind kind = column.kind.value_or(CellKind::metric);
    const std::optional<ValueName>& value = column.kind ? column.value : spec.metric;
    if (!value) continue;
    if (kind == CellKind::metric || kind == CellKind::imported) add_once(wanted.metrics, *value);
    if (kind == CellKind::metric && are_wanted)
      for (const ValueName& part : parts_of(*value)) add_once(wanted.item_splits, part.split);
    if (kind == CellKind::metric) {
      for (const ValueName& part : parts_of(*value)) {
        add_examples_of(part.split);
        add_once(wanted.measurements, measured::answers(part));
      }
    }
    // For positions, the trial may have recorded the mean itself, which is all there is if its
    // files are missing.
    if (kind == CellKind::fact || kind == CellKind::places) add_once(wanted.facts, *value);
    if (kind == CellKind::measurement) add_once(wanted.measurements, value->name);
  }
  return wanted;
}

}  // namespace rethink
