#include "app/driver/show/query_and_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/driver/show/sweep_status.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "core/message.h"
#include "core/text.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "results/database/sql_expressions.h"
#include "results/query/short_query.h"
#include "results/query/where.h"
#include "results/records/known_trials.h"

namespace rethink {

void declare_conditions(po::options_description& options, const std::string& what) {
  options.add_options()("where",
                        po::value<std::vector<std::string>>()->value_name("CONDITION")->composing(),
                        (what + "; a trial must satisfy each --where").c_str());
}

std::string conditions_given(Store& store, const po::variables_map& given) {
  if (!given.count("where")) return "";
  std::vector<std::string> all = given["where"].as<std::vector<std::string>>();
  std::erase(all, "");
  if (all.size() < 2) return joined(all);
  const QueryNames names(store);
  for (std::string& one : all) {
    parse_condition(one, names);  // each is parsed alone, so "a=1) or (b=2" is refused
    one = "(" + one + ")";
  }
  return joined(all, " and ");
}

namespace {

constexpr size_t kMostKeysNamed = 6;

/// The profiles that --where could select; "" if the trials have one profile.
std::string profiles_text(const std::vector<std::string>& profiles) {
  if (profiles.size() < 2) return "";
  std::vector<std::string> named;
  for (const std::string& profile : profiles) named.push_back(profile.empty() ? "none" : profile);
  return fmt::format(", as --where profile={}: they are of the profiles {}", profiles.back(),
                     joined(named));
}

/// "2 running, 1 failed"
std::string states_text(const TrialCounts& counts) {
  std::vector<std::string> parts;
  for (const auto& [state, trials] : counts)
    parts.push_back(fmt::format("{} {}", trials, to_text(state)));
  return joined(parts);
}

/// Notes that `what` leaves out these trials.
std::vector<Note> left_out_notes(const TrialCounts& counts, const char* what,
                                 const std::filesystem::path& store) {
  int64_t trials = 0;
  for (const auto& [state, of_state] : counts) trials += of_state;
  if (trials == 0) return {};
  const bool are_listed = std::ranges::all_of(
      counts, [](const auto& one) { return states_listed_by_status().contains(one.first); });
  return {Note("unfinished-trials",
               fmt::format("{} not done and {} left out of the {}: {}; `{}` lists {}",
                           trials == 1 ? "1 trial is" : fmt::format("{} trials are", trials),
                           trials == 1 ? "was" : "were", what, states_text(counts),
                           store_command(are_listed ? "status" : "status --all", store),
                           trials == 1 ? "it" : "them"))};
}

/// Notes on trials whose earlier result counts, since their repetition failed.
std::vector<Note> kept_results_notes(Store& store, const ShortQuery& query) {
  const TrialCounts counts = kept_results(store, query);
  int64_t trials = 0;
  for (const auto& [state, of_state] : counts) trials += of_state;
  if (trials == 0) return {};
  return {Note("kept-results",
               fmt::format("{} with an earlier result: run again to restore {} files, {} ended "
                           "without a new result ({}); `{}` says why",
                           trials == 1 ? "1 trial counts" : fmt::format("{} trials count", trials),
                           trials == 1 ? "its" : "their", trials == 1 ? "it" : "they",
                           states_text(counts), store_command("status", store.folder())))};
}

/// Notes on a mean over seeds that counts a seed several times.
std::vector<Note> repeated_seeds_notes(Store& store, const ShortQuery& query) {
  const std::optional<RepeatedSeeds> repeated = repeated_seeds(store, query);
  if (!repeated) return {};
  const std::vector<std::string>& trials = repeated->trials;
  const std::string others =
      trials.size() > 2 ? fmt::format(" and {} more", trials.size() - 2) : "";
  const std::string only =
      repeated->snapshot.empty() ? "trial!=" + trials.at(1) : "snapshot=" + repeated->snapshot;
  return {
      Note("repeated-seeds",
           fmt::format(
               "{} in a mean several times: trials {} and {}{} have one configuration and seed {}, "
               "but differ in {}. A mean has {} trials of {}, so n counts trials, and sd, sem and "
               "intervals are too small; leave out all but one with --where, as --where '{}'",
               repeated->count == 1 ? "1 seed is" : fmt::format("{} seeds are", repeated->count),
               trials.at(0), trials.at(1), others, repeated->seed,
               repeated->differences.empty() ? "their ids" : joined(repeated->differences, "; "),
               repeated->trials_in_mean,
               counted(static_cast<size_t>(repeated->seeds_in_mean), "seed"), only))};
}

/// Notes on trials that are averaged although their settings differ.
std::vector<Note> pooled_keys_notes(Store& store, const ShortQuery& query) {
  const std::vector<PooledKey> keys = pooled_keys(store, query);
  if (keys.empty()) return {};
  std::vector<std::string> named;
  for (const PooledKey& key : keys) {
    if (named.size() < kMostKeysNamed)
      named.push_back(fmt::format("{} ({} values)", key.key, key.values));
  }
  if (keys.size() > named.size())
    named.push_back(fmt::format("{} more", keys.size() - named.size()));
  return {Note(
      "pooled-settings",
      fmt::format(
          "trials that differ in {} are averaged together; separate them with --by, or choose with "
          "--where{}",
          joined(named), profiles_text(mixed_profiles(store, query))))};
}

/// Notes on a mean over test of some trials and dev of others.
std::vector<Note> mixed_splits_notes(Store& store, const ShortQuery& query) {
  std::vector<Note> notes;
  for (const MixedSplits& mixed : mixed_splits(store, query)) {
    std::vector<std::string> parts;
    for (const auto& [split, trials] : mixed.trials)
      parts.push_back(
          fmt::format("{} of {}", split, counted(static_cast<size_t>(trials), "trial")));
    notes.push_back(Note("mixed-splits", fmt::format("{} averages {}; name the split, as in {}/{}",
                                                     mixed.metric, joined(parts, " and "),
                                                     mixed.trials.at(0).first, mixed.metric)));
  }
  return notes;
}

}  // namespace

std::vector<Note> pooling_notes(Store& store, const ShortQuery& query) {
  std::vector<Note> notes = pooled_keys_notes(store, query);
  std::ranges::copy(mixed_splits_notes(store, query), std::back_inserter(notes));
  std::ranges::copy(repeated_seeds_notes(store, query), std::back_inserter(notes));
  return notes;
}

std::vector<Note> unfinished_notes(Store& store, const ShortQuery& query) {
  std::vector<Note> notes =
      left_out_notes(unfinished_trials(store, query), "means", store.folder());
  std::ranges::copy(kept_results_notes(store, query), std::back_inserter(notes));
  return notes;
}

std::vector<Note> unfinished_notes(const std::vector<Curve>& curves,
                                   const TrialCounts& without_curve,
                                   const std::filesystem::path& store) {
  TrialCounts left_out = without_curve, drawn;
  left_out.erase(TrialState::diverged);
  for (const Curve& curve : curves) {
    for (const auto& [state, trials] : curve.unfinished)
      (curve.has_done ? left_out : drawn)[state] += trials;
  }
  std::vector<Note> notes = left_out_notes(left_out, "curves", store);
  if (!drawn.empty()) {
    notes.push_back(Note(
        "curve-of-unfinished",
        fmt::format("curves without a done trial show unfinished trials: {}", states_text(drawn))));
  }
  return notes;
}

std::vector<Note> thin_steps_notes(const std::vector<Curve>& curves) {
  std::vector<std::string> named;
  for (const Curve& curve : curves) {
    const auto thin = std::count_if(curve.points.begin(), curve.points.end(),
                                    [&](const auto& p) { return p.trials < curve.trials; });
    if (thin == 0) continue;
    named.push_back(fmt::format("{} of {}{}", thin, counted(curve.points.size(), "step"),
                                curve.label.empty() ? "" : " of " + one_line(curve.label)));
  }
  if (named.empty()) return {};
  return {Note("thin-steps",
               fmt::format("some means are of fewer trials, since the others have no value at that "
                           "step: {}; --format text shows the number of trials per step",
                           joined(named)))};
}

std::vector<Note> divergence_notes(const std::vector<Curve>& curves,
                                   const std::vector<std::string>& by,
                                   const TrialCounts& without_curve) {
  std::vector<std::string> left_out, some, whole;
  for (const Curve& curve : curves) {
    if (curve.diverged == 0) continue;
    const std::string of =
        by.empty() ? "" : fmt::format(" with {} {}", joined(by), one_line(curve.label));
    if (curve.has_done) {
      left_out.push_back(
          fmt::format("{} of {} trials{}", curve.diverged, curve.diverged + curve.trials, of));
    } else if (curve.diverged < curve.trials) {
      some.push_back(fmt::format("{} of {} trials{}", curve.diverged, curve.trials, of));
    } else {
      whole.push_back(
          (curve.trials == 1 ? "the only trial" : fmt::format("all {} trials", curve.trials)) + of);
    }
  }
  std::vector<Note> notes;
  if (!left_out.empty())
    notes.push_back(
        Note("diverged-left-out",
             fmt::format("diverged, and left out of the curves: {}", joined(left_out, "; "))));
  if (!some.empty()) {
    notes.push_back(Note("diverged-in-mean",
                         fmt::format("diverged: {}; a curve continues as the mean of the others",
                                     joined(some, "; "))));
  }
  if (!whole.empty())
    notes.push_back(Note("diverged-curve",
                         fmt::format("diverged: {}; the curve shows them", joined(whole, "; "))));
  if (const auto lost = without_curve.find(TrialState::diverged); lost != without_curve.end())
    notes.push_back(
        Note("diverged-without-value",
             fmt::format("{} diverged without a finite value and {} left out of the curves",
                         counted(static_cast<size_t>(lost->second), "trial"),
                         lost->second == 1 ? "was" : "were")));
  return notes;
}

namespace {

/// "dev/loss" for "dev/loss@tail"; a name without a split means any split.
std::vector<std::string> metrics_meant(const std::string& name) {
  const std::string recorded = curve_of_tail(name).value_or(name);
  if (named_metric(recorded)) return {recorded};
  return {"test/" + recorded, "dev/" + recorded, "train/" + recorded};
}

bool will_measure(const Json& config, const PluginSchema& job,
                  const std::vector<std::string>& metrics, const Schema& schema) {
  return std::ranges::any_of(metrics, [&](const std::string& metric) {
    return why_not_recorded("", job, config, metric, schema).empty();
  });
}

/// The first unfinished trial that will measure one of `metrics`; "" if there is none.
std::string trial_to_measure(Store& store, const std::vector<std::string>& metrics,
                             const Schema& schema) {
  constexpr int kMostRead = 2000;  // configurations: an answer within a second
  for (const IncompleteTrial& trial : incomplete_trials(store, kMostRead)) {
    const PluginSchema* job = schema.find("job", trial.job);
    if (!job || !job->facts.as<JobFacts>().metrics) continue;
    if (will_measure(trial.configuration, *job, metrics, schema)) return trial.id;
  }
  return "";
}

}  // namespace

void explain_unknown_name(const CommandContext& context, Store& store, const UnknownName& unknown) {
  std::string trial;
  try {
    trial = trial_to_measure(store, metrics_meant(unknown.name), context.schema());
  } catch (const MachineError&) {     // without its schema the program knows only recorded names
  } catch (const Json::exception&) {  // a configuration of another version
  }
  if (trial.empty()) throw unknown;
  throw ConfigError("no-values", fmt::format("no trial has measured {} yet; trial {}, which is "
                                             "unfinished, will: `{}` shows its progress",
                                             unknown.name, trial,
                                             store_command("show " + trial, store.folder())));
}

}  // namespace rethink
