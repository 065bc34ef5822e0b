#include "app/driver/score/scores_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/config/schema.h"
#include "core/facts/metric_facts.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "results/query/trial_prefix.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// The range of a score: in % if `is_percent`.
struct ScoreRange {
  double least = 0;
  std::optional<double> most;  // nothing: no upper bound
  std::string metric;          // "mcc"
  bool is_percent = false;

  bool has(double value) const { return value >= least && (!most || value <= *most); }
  /// "expected from -100 to 100: mcc in %"
  std::string expectation() const;
};

constexpr double kWhole = 100;  // %

ScoreRange percentage(const std::string& metric, double least = 0) {
  return {kWhole * least, kWhole, metric, true};
}

/// Metrics with a greatest value are given in % by servers and papers. Nothing if the metric, or
/// its range, is unknown.
std::optional<ScoreRange> range_of_metric(const std::string& metric, const Schema& schema) {
  const PluginSchema* const known = schema.find("metric", metric);
  const MetricFacts facts = known ? known->facts.as<MetricFacts>() : MetricFacts{};
  if (!facts.least) return std::nullopt;
  if (facts.most) return percentage(metric, *facts.least / *facts.most);
  return ScoreRange{*facts.least, std::nullopt, metric, false};
}

std::string ScoreRange::expectation() const {
  const std::string range =
      most ? fmt::format("from {:g} to {:g}", least, *most) : fmt::format("{:g} or more", least);
  return fmt::format("expected {}: {}{}", range, metric, is_percent ? " in %" : "");
}

/// The range of the score `name` of a trial. The metric is what the data set's server reports as
/// `name`, else the metric called `name`, else, for the name of a split, the metric that papers
/// report. Nothing if none is known.
std::optional<ScoreRange> score_range(Store& store, const Schema& schema, const std::string& trial,
                                      const std::string& name) {
  const std::optional<TrialRow> row = store.trial(trial);
  const Json* dataset = row ? find_path(row->config, "data.dataset") : nullptr;
  const DatasetFacts facts = dataset ? datasets().facts(*dataset) : DatasetFacts{};
  const std::map<std::string, std::string>& measured = facts.server_metrics;
  if (const auto metric = measured.find(name); metric != measured.end())
    return range_of_metric(metric->second, schema);
  if (const auto range = range_of_metric(name, schema)) return range;
  if (!measured.empty()) return percentage("the server's accuracies and correlations", -1);
  const std::vector<std::string>& splits = facts.splits;
  const bool is_split = name == "test" || std::ranges::count(splits, name) > 0;  // or hidden
  if (!is_split) return std::nullopt;
  return range_of_metric(facts.metric, schema);
}

/// Keys of an entry that select a trial; all others are names of scores.
const std::set<std::string> kTrialKeys = {"trial", "where", "seed"};
/// Keys of the file, which cannot be names of scores.
const std::set<std::string> kFileKeys = {"from", "date", "sweep", "stage", "profile", "scores"};

/// The date `days` days from now, in UTC, such as 2026-11-20.
std::string date_in(int days) {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day day(now + std::chrono::days(days));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

/// Tomorrow, since clocks and time zones differ.
std::string latest_date() {
  return date_in(1);
}

/// Whether a table can use the name in `imported: NAME`.
bool is_name(const std::string& text) {
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
         std::string::npos;
}

class FileReader {
 public:
  FileReader(const std::filesystem::path& file, const Schema& schema, Store& store,
             const std::filesystem::path& folder)
      : document_(read_yaml(file, problems_)), schema_(schema), store_(store), folder_(folder) {}

  ScoresFile read() {
    SpecReader reader(document_, "file of scores", problems_);
    read_head(reader);
    const Yaml* entries = reader.take("scores");
    for (const char* key : {"from", "scores"}) reader.require(key);
    reader.finish();
    problems_.throw_if_any();
    if (!entries->is_list() || entries->items.empty())
      problems_.refuse(entries->where, "invalid-value",
                       "scores: expected a list of maps, one for each trial");
    for (const Yaml& entry : entries->items) read_entry(entry);
    problems_.throw_if_any();
    return std::move(found_);
  }

 private:
  void read_head(SpecReader& reader) {
    from_ = reader.text("from");
    read_date(reader);
    const Word nowhere{"", document_.where};
    const std::optional<Word> sweep = reader.word("sweep"), stage = reader.word("stage");
    const Word profile = reader.word("profile").value_or(nowhere);
    where_ = reader.value_pairs("where");
    seed_ = reader.word("seed");
    if (sweep.has_value() != stage.has_value()) {
      problems_.add(document_.where, "missing-key",
                    "sweep and stage belong together: both say which trials are meant");
    } else if (sweep) {
      stage_ = RunStage{*sweep, profile, *stage};
    }
  }

  void read_date(SpecReader& reader) {
    const Yaml* given = document_.find("date");
    if (!given) reader.require("date");
    date_ = reader.text("date");
    if (!given) return;
    if (!is_day(date_)) {
      problems_.add(given->where, "invalid-value",
                    fmt::format("date: got {}, expected a day such as 2026-11-20",
                                date_.empty() ? "nothing" : "'" + date_ + "'"));
    } else if (date_ > latest_date()) {
      problems_.add(
          given->where, "invalid-value",
          fmt::format("date: got {}, which is in the future by this machine's clock ({}); "
                      "expected the day on which the server answered",
                      date_, date_in(0)));
    }
  }

  void read_entry(const Yaml& entry) {
    SpecReader reader(entry, "entry of scores", problems_);
    const std::optional<Word> id = reader.word("trial");
    const SpecPairs where = reader.value_pairs("where");
    const std::optional<Word> seed = reader.word("seed");
    if (!entry.is_map()) return;
    const std::optional<ScoredTrial> trial =
        id ? named(*id, where, seed) : selected(where, seed ? seed : seed_, entry.where);
    if (trial) take_scores(*trial, entry);
  }

  std::optional<ScoredTrial> named(const Word& id, const SpecPairs& where,
                                   const std::optional<Word>& seed) {
    if (!where.empty())
      problems_.add(where.front().key.at, "conflicting-keys",
                    "got trial and where; each of them names the trial; remove one");
    if (seed)
      problems_.add(seed->at, "conflicting-keys",
                    "got trial and seed; the trial's id says which is meant");
    try {
      const std::string whole = trial_with_prefix(store_, id.text);
      const TrialRow row = *store_.trial(whole);
      return checked({whole, row.seed, row.state, {}}, id.at);
    } catch (const ConfigError& error) {
      problems_.add(id.at, error.code(), error.what());
      return std::nullopt;
    }
  }

  std::optional<ScoredTrial> selected(const SpecPairs& where, const std::optional<Word>& seed,
                                      const Position& at) {
    if (!stage_) {
      problems_.add(
          at, "missing-key",
          "the trial is missing; add trial: ID to the entry, or sweep and stage to the file");
      return std::nullopt;
    }
    if (!on_record_) on_record_ = trials_on_record(store_, folder_, *stage_, problems_);
    if (on_record_->empty()) return std::nullopt;  // reported already
    SpecPairs all = where_;
    all.insert(all.end(), where.begin(), where.end());
    const std::vector<ScoredTrial> trials = trials_with(*on_record_, all, seed, problems_);
    if (trials.size() > 1) {
      const std::string differences = differences_of(trials);
      problems_.add(at, "ambiguous-trial",
                    fmt::format("{} trials are meant, expected one: {}", trials.size(),
                                differences.empty() ? "give it a trial: ID"
                                                    : "they differ in " + differences));
    }
    return trials.size() == 1 ? checked(trials.front(), at) : std::nullopt;
  }

  std::optional<ScoredTrial> checked(const ScoredTrial& trial, const Position& at) {
    if (trial.state == TrialState::done) return trial;
    problems_.add(at, "wrong-trial",
                  fmt::format("{} is {}; scores are of trials that are done", trial.title(),
                              trial.state ? to_text(*trial.state) : "not in this store"));
    return std::nullopt;
  }

  void take_scores(const ScoredTrial& trial, const Yaml& entry) {
    GivenScores given{trial, {}};
    bool has_names = false;
    for (const auto& [name, at, value, quoted] : entry.entries) {
      if (kTrialKeys.contains(name)) continue;
      has_names = true;
      if (kFileKeys.contains(name)) {
        problems_.add(
            at, "misplaced-key",
            fmt::format("'{}' belongs to the file, beside 'scores', not to an entry; "
                        "an entry names its trial with `trial`, or with `where` and `seed`",
                        name));
      } else if (!is_name(name)) {
        problems_.add(at, "invalid-name",
                      fmt::format("got the name '{}', expected letters, digits, _ . -", name));
      } else if (value.is_null()) {
        found_.empty.push_back(fmt::format("{} of {}", name, trial.title()));
      } else if (!seen_.emplace(trial.id, name).second) {
        problems_.add(at, "duplicate-name", fmt::format("{} has '{}' twice", trial.title(), name));
      } else if (const auto number = parse_number(value.is_scalar() ? value.scalar : "")) {
        check_range(trial, name, *number, value.where);
        given.scores.push_back({name, *number, from_, date_});
      } else {
        problems_.add(
            value.where, "invalid-value",
            fmt::format("{}: got '{}', expected a number such as 52.3", name, value.scalar));
      }
    }
    if (!has_names)
      problems_.add(entry.where, "missing-key",
                    "got no score; expected NAME: NUMBER, such as test: 52.3");
    found_.entries.push_back(std::move(given));
  }

  /// Refuses a value outside of the metric's range. Adds a note for a fraction among percentages.
  void check_range(const ScoredTrial& trial, const std::string& name, double value,
                   const Position& at) {
    const std::optional<ScoreRange> range = score_range(store_, schema_, trial.id, name);
    if (!range) return;
    if (!range->has(value)) {
      problems_.add(at, "invalid-value",
                    fmt::format("{}: got {}, {}", name, value, range->expectation()));
    } else if (range->is_percent && value != 0 && std::abs(value) <= 1) {
      found_.notes.push_back(
          Note("fraction-of-percent",
               fmt::format("{} of {} is {} %; if {:g} is meant, write that and import "
                           "the file again",
                           name, trial.title(), value, 100 * value)));
    }
  }

  Problems problems_;
  const Yaml document_;
  const Schema& schema_;
  Store& store_;
  const std::filesystem::path& folder_;
  std::string from_, date_;
  std::optional<RunStage> stage_;
  SpecPairs where_;
  std::optional<Word> seed_;
  std::optional<std::vector<ScoredTrial>> on_record_;
  std::set<std::pair<std::string, std::string>> seen_;  // trial, name
  ScoresFile found_;
};

}  // namespace

ScoresFile read_scores_file(const std::filesystem::path& file, const Schema& schema, Store& store,
                            const std::filesystem::path& folder) {
  return FileReader(file, schema, store, folder).read();
}

}  // namespace rethink
