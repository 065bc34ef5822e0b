#include "plots/table/cells/mark.h"

#include "core/trial_state.h"
#include "plots/table/cells/artifact_fault.h"

namespace rethink {
namespace {

struct KindName {
  MarkKind kind;
  const char* name;
};

const KindName kMarkNames[] = {
    {MarkKind::needs_data, "needs data"},
    {MarkKind::missing, "missing"},
    {MarkKind::running, to_text(TrialState::running)},
    {MarkKind::failed, to_text(TrialState::failed)},
    {MarkKind::oom, "out of memory"},
    {MarkKind::killed, to_text(AttemptOutcome::killed)},
    {MarkKind::timeout, to_text(AttemptOutcome::timeout)},
    {MarkKind::cancelled, to_text(TrialState::cancelled)},
    {MarkKind::blocked, to_text(TrialState::blocked)},
    {MarkKind::no_value, "no value"},
    {MarkKind::not_imported, "not imported"},
    {MarkKind::damaged, "damaged file"},
    {MarkKind::diverged, to_text(TrialState::diverged)},
    {MarkKind::not_planned, "not planned"},
    {MarkKind::not_applicable, "not applicable"},
    {MarkKind::memory_limit, "memory limit"},
    {MarkKind::time_limit, "time limit"},
    {MarkKind::few_seeds, "too few seeds"},
    {MarkKind::partial_data, "partial data"},
    {MarkKind::other_data, "other data"},
    {MarkKind::faulty_artifact, "faulty artifact"},
    {MarkKind::constant, "always the same answer"},
    {MarkKind::unlike, "unlike arms"},
    {MarkKind::not_comparable, "not comparable"},
    {MarkKind::selected_on_it, "selected on the reported split"},
    {MarkKind::tied, "tied candidates"},
    {MarkKind::inexact, "inexact resume"},
    {MarkKind::unproved, "resume not verified"},
    {MarkKind::outside_code, "code outside the snapshot"},
    {MarkKind::mixed, "several builds or machines"},
    {MarkKind::kept, "earlier result"},
    {MarkKind::not_alone, "beside others"},
    {MarkKind::imported, "imported"},
    {MarkKind::published, "published"},
};

}  // namespace

const char* to_text(MarkKind kind) {
  for (const KindName& known : kMarkNames) {
    if (known.kind == kind) return known.name;
  }
  return "";
}

std::string Mark::name() const {
  return fault ? fault->name : to_text(kind);
}

std::string footnote_text(const Mark& mark) {
  const std::string name = mark.name();
  return mark.text.find(name) == std::string::npos ? name + ": " + mark.text : mark.text;
}

}  // namespace rethink
