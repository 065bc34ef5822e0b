// `rethink curve METRIC`: a metric over steps, the mean of each group of trials; `rethink curve TRIAL`: each metric
// of one trial; `rethink curve TRIAL METRIC`: one metric of one trial.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/split_list.h"
#include "app/driver/command.h"
#include "app/driver/show/query_and_curve.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/terminal_plot.h"
#include "core/error.h"
#include "core/message.h"
#include "results/database/sql_expressions.h"
#include "results/query/curves.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"
#include "results/query/trial_prefix.h"
#include "results/query/where.h"

namespace rethink {
namespace {

QueryResult as_rows(const std::vector<Curve>& curves) {
  QueryResult rows{{"curve", "step", "value", "trials"}, {}};
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      rows.rows.push_back({curve.label, point.step, point.value, point.trials});
    }
  }
  return rows;
}

/// The metrics that the trial has at two steps or more.
std::vector<std::string> metrics_with_a_curve(Store& store, const std::string& trial) {
  const QueryResult found = run_query(
      store, fmt::format("SELECT split || '/' || name FROM metric WHERE trial = {} GROUP BY split, "
                         "name HAVING count(DISTINCT step) > 1 ORDER BY 1",
                         sql_text(trial)));
  std::vector<std::string> metrics;
  for (const std::vector<Json>& row : found.rows) metrics.push_back(row.at(0));
  return metrics;
}

/// Metrics are "SPLIT/NAME".
bool names_a_trial(Store& store, const std::string& word) {
  return word.find('/') == std::string::npos && !trials_beginning_with(store, word).empty();
}

class CurveCommand : public Command {
 public:
  std::string positional() const override { return "METRIC | TRIAL [METRIC]"; }

  void declare(po::options_description& options) const override {
    declare_conditions(options,
                       "which trials: 'task=cola and mask=star' (see `rethink query --help`)");
    options.add_options()("by",
                          po::value<std::vector<std::string>>()->value_name("KEYS")->composing(),
                          "one curve per value of these labels or configuration keys")(
        "format", po::value<std::string>()->value_name("FORMAT")->default_value("plot"),
        "plot, text, md, csv, json or latex");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> words = arguments_of(given);
    const auto refuse = [given_words = words.size()] {
      throw ConfigError("wrong-arguments",
                        fmt::format("curve: got {}, expected one metric, such as dev/perplexity, "
                                    "one trial of this store, or a trial and a metric",
                                    counted(given_words, "word")));
    };
    if (words.empty() || words.size() > 2) refuse();
    Store store(context.store, Store::Access::read);
    std::string trial;
    const auto named = std::ranges::find_if(
        words, [&](const std::string& word) { return names_a_trial(store, word); });
    if (named != words.end()) {
      trial = trial_with_prefix(store, *named);
      words.erase(named);
    }
    if (words.size() > 1) refuse();
    if (trial.empty() && words[0].find('/') == std::string::npos) {
      throw ConfigError("wrong-arguments",
                        fmt::format("curve: got '{}', expected one metric, such as dev/perplexity, "
                                    "one trial of this store, or a trial and a metric; `{}` draws "
                                    "the curves of a sweep",
                                    words[0], store_command("figure SWEEP", context.store)));
    }
    try {
      if (trial.empty()) return draw(context, given, store, words[0]);
      return draw_each(given, store, trial,
                       words.empty() ? metrics_with_a_curve(store, trial) : words);
    } catch (const UnknownName& unknown) {
      explain_unknown_name(context, store, unknown);
    }
  }

 private:
  /// A plot for each metric, since their scales differ; as rows, the metrics are the curves.
  static int draw_each(const po::variables_map& given, Store& store, const std::string& trial,
                       const std::vector<std::string>& metrics) {
    if (given.count("where") || given.count("by"))
      throw ConfigError("conflicting-arguments",
                        "curve: a trial's curves take no --where and no --by");
    const std::string format = given["format"].as<std::string>();
    std::vector<Curve> all;
    for (const std::string& metric : metrics) {
      std::vector<Curve> found = curves(store, metric, "trial=" + trial, {});
      for (Curve& curve : found) curve.label = metric;
      if (format == "plot") std::cout << (all.empty() ? "" : "\n") << terminal_plot(found);
      all.insert(all.end(), found.begin(), found.end());
    }
    if (all.empty())
      throw ConfigError("no-values",
                        metrics.size() == 1
                            ? fmt::format("trial {} has no value of {}", trial, metrics[0])
                            : fmt::format("trial {} has no metric with two steps or more", trial));
    if (format != "plot") std::cout << format_rows(as_rows(all), format, "plot, ");
    return kDone;
  }

  static int draw(const CommandContext& context, const po::variables_map& given, Store& store,
                  const std::string& metric) {
    const auto by = given.count("by")
                        ? split_list("--by", given["by"].as<std::vector<std::string>>())
                        : std::vector<std::string>{};
    const std::string where = conditions_given(store, given);
    const std::vector<Curve> found = curves(store, metric, where, by);
    const TrialCounts without_curve = trials_without_curve(store, metric, where, by);
    if (found.empty()) {
      std::string unmatched;
      for (const std::string& text : unmatched_values(store, where)) unmatched += "; " + text;
      const auto diverged = without_curve.find(TrialState::diverged);
      throw ConfigError(
          "no-values",
          fmt::format("no trial that --where keeps has {}{}{}{}", metric,
                      by.empty() ? "" : fmt::format(" and a value of --by {}", joined(by)),
                      diverged == without_curve.end()
                          ? ""
                          : fmt::format("; {} diverged without a finite value",
                                        counted(static_cast<size_t>(diverged->second), "trial")),
                      unmatched));
    }
    const std::string format = given["format"].as<std::string>();
    ShortQuery query{where, by, {fmt::format("mean({})", metric)}};
    query.takes_unfinished =
        std::ranges::any_of(found, [](const Curve& curve) { return !curve.has_done; });
    if (!context.quiet) {
      print_notes(pooling_notes(store, query));
      print_notes(divergence_notes(found, by, without_curve));
      print_notes(unfinished_notes(found, without_curve, context.store));
      print_notes(thin_steps_notes(found));
    }
    std::cout << (format == "plot" ? terminal_plot(found)
                                   : format_rows(as_rows(found), format, "plot, "));
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<CurveCommand>("curve", "show a metric over steps, as a plot or as rows");

}  // namespace
}  // namespace rethink
