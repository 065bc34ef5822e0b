// `rethink query`: runs SQL that only reads, or the short form: conditions, groups and values.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/split_list.h"
#include "app/driver/command.h"
#include "app/driver/show/query_and_curve.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/shortened_json.h"
#include "core/error.h"
#include "plots/spec_reader.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"
#include "results/query/where.h"

namespace rethink {
namespace {

/// Whether the statement may read the view `runs`, whose columns take time to make.
bool names_runs(std::string statement) {
  std::ranges::transform(statement, statement.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return statement.find("runs") != std::string::npos;
}

class Query : public Command {
 public:
  std::string positional() const override { return "['SQL']"; }

  bool prints_data(const po::variables_map&) const override { return true; }
  void declare(po::options_description& options) const override {
    declare_conditions(
        options,
        "which trials: 'task=cola and (mask=star or seed in (0, 1)) and not state=failed'");
    options.add_options()("by",
                          po::value<std::vector<std::string>>()->value_name("KEYS")->composing(),
                          "one row per value of these labels or configuration keys (trials without "
                          "any of them are left out)")(
        "show", po::value<std::vector<std::string>>()->value_name("VALUES")->composing(),
        "values, such as dev/mcc, optimizer.lr, steps_per_s, n, or functions of them: mean sd sem "
        "ci95 median iqm min max n mean_ci. Functions leave out the metrics of trials that are not "
        "done. n alone counts the values of the function before it, or trials; diverged counts the "
        "diverged trials. Without --by, a value of each trial and a function of all trials are two "
        "queries")("format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                   "text, md, csv, json or latex")(
        "scale", po::value<std::string>()->value_name("X"),
        "multiply metrics and measurements of --show by this: 100 for percentages")(
        "decimals", po::value<std::string>()->value_name("N"),
        "decimals of numbers with a fraction, except in csv and json")(
        "sql", "print the SQL of the short form, and do not run it");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> sql = arguments_of(given);
    const bool is_short = given.count("by") || given.count("show") || given.count("where");
    if (sql.size() > 1)
      throw ConfigError(
          "wrong-arguments",
          fmt::format("query: got {} arguments, expected SQL in one; quote it", sql.size()));
    if (sql.empty() != is_short) {
      throw ConfigError(
          "conflicting-arguments",
          "query: give either SQL or --where, --by and --show; `rethink query --help` shows both");
    }
    Store store(context.store, Store::Access::read);
    try {
      return answer(context, given, store, sql);
    } catch (const UnknownName& unknown) {
      explain_unknown_name(context, store, unknown);
    }
  }

 private:
  /// `sql`: one statement, or none in the short form.
  static int answer(const CommandContext& context, const po::variables_map& given, Store& store,
                    const std::vector<std::string>& sql) {
    const bool is_short = sql.empty();
    ShortQuery query = short_form(conditions_given(store, given), given);
    query.scale = scale_given(given, is_short);
    query.decimals = number_given(given, "decimals", {0, kMostDecimals});
    if (!is_short && names_runs(sql[0])) store.widen_runs();
    const std::string statement = is_short ? short_query_sql(store, query) : sql[0];
    if (given.count("sql")) {
      std::cout << statement << "\n";
      return kDone;
    }
    const std::string format = given["format"].as<std::string>();
    QueryResult rows = run_query(store, statement);
    const std::vector<std::string> thinned =
        format == "text" ? shorten_json(rows) : std::vector<std::string>();
    std::cout << format_rows(rows, format, "", query.decimals);
    if (!thinned.empty())
      print_note(Note(
          "shortened-values",
          fmt::format("{}: the part that all its values share is left out; --format csv shows it",
                      joined(thinned))));
    if (!is_short || context.quiet) return kDone;
    if (rows.rows.empty()) print_note(Note("no-match", "no trial matches" + words_of(query)));
    for (const std::string& text : unmatched_values(store, query.where))
      print_note(Note("unmatched-value", text));
    print_notes(pooling_notes(store, query));
    print_notes(unfinished_notes(store, query));
    return kDone;
  }

  static constexpr int64_t kMostDecimals = 15;

  static double scale_given(const po::variables_map& given, bool is_short) {
    if (!given.count("scale")) return 1;
    const std::string text = given["scale"].as<std::string>();
    const std::optional<double> scale = parse_number(text);
    if (!scale || *scale <= 0)
      throw ConfigError("invalid-argument",
                        fmt::format("--scale: got '{}', expected a number above 0", text));
    if (!is_short)
      throw ConfigError("conflicting-arguments", "--scale goes with --show; in SQL, multiply");
    return *scale;
  }

  static std::string words_of(const ShortQuery& query) {
    return (query.where.empty() ? "" : fmt::format(": --where '{}'", query.where)) +
           (query.by.empty() ? ""
                             : fmt::format(", with a value of --by {}", joined(query.by, ",")));
  }

  static ShortQuery short_form(const std::string& where, const po::variables_map& given) {
    ShortQuery query{where, {}, {"state"}};
    if (given.count("by"))
      query = {query.where, split_list("--by", given["by"].as<std::vector<std::string>>()), {"n"}};
    if (given.count("show"))
      query.show = split_list("--show", given["show"].as<std::vector<std::string>>());
    return query;
  }
};

RETHINK_REGISTERED =
    add_command<Query>("query", "query the store by SQL, or by --where, --by and --show");

}  // namespace
}  // namespace rethink
