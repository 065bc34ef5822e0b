// `rethink why`: explains a number of a table: the trials, seeds, configuration, build, data and
// logs behind it.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/tables/cell_parts.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/table_view.h"
#include "app/driver/show/trials/candidates.h"
#include "app/driver/show/trials/trial_reason.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/text.h"
#include "experiments/plan/read/library.h"
#include "plots/render/latex_text.h"
#include "plots/render/renderer.h"
#include "results/database/sql_expressions.h"
#include "results/folders/stored_trial.h"
#include "results/query/run_query.h"
#include "results/query/trial_prefix.h"
#include "results/records/environments.h"
#include "results/records/first_signs.h"

namespace rethink {
namespace {

std::string unquoted_json(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

template <typename Line>
size_t line_index(const std::vector<Line>& lines, const std::string& name,
                  const std::string& what) {
  // Quotes may be part of a label.
  const bool as_it_is = !lines_called(lines, {name}).empty();
  const WrittenValue meant = as_it_is ? WrittenValue{name} : written_value(name);
  if (const std::optional<size_t> found = find_line(lines, meant)) return *found;
  if (const std::string several = trouble_of_several(lines, meant, what); !several.empty())
    throw ConfigError("ambiguous-name", "the table " + several);
  // A table for people shows a label without its mathematics.
  for (size_t i = 0; i < lines.size(); ++i) {
    if (without_mathematics(lines[i].label) == name) return i;
  }
  const std::vector<std::string> known = line_labels(lines);
  throw ConfigError("unknown-name", fmt::format("the table has no {} '{}'{}; it has: {}", what,
                                                name, did_you_mean(name, known), joined(known)));
}

/// "  train/step_loss was 12.5 at step 11, median before 4.1"; "at step 20 (not looked at from step 11)".
std::string sign_line(const FirstSign& sign) {
  const std::string at = fmt::format(
      "{}{}", sign.step,
      sign.from < sign.step ? fmt::format(" (not looked at from step {})", sign.from) : "");
  return fmt::format("  train/{} was {} at step {}{}\n", sign.name,
                     sign.value ? fmt::format("{:.4g}", *sign.value) : "not finite", at,
                     sign.usual ? fmt::format(", median before {:.4g}", *sign.usual) : "");
}

/// Nothing for an attempt without output.
std::optional<std::string> log_of(const std::filesystem::path& folder, const AttemptRow& attempt) {
  const std::filesystem::path log = TrialFolder(folder, attempt.trial).log(attempt.number);
  return std::filesystem::exists(log) ? std::optional(log.string()) : std::nullopt;
}

/// The memberships of a trial: sweep, profile, stage, labels.
QueryResult places_of(Store& store, const std::string& trial) {
  return run_query(
      store,
      fmt::format("SELECT DISTINCT sweep, profile, stage, (SELECT group_concat(key || '=' || "
                  "value, ' ') FROM json_each(labels)) AS labels FROM sweep_trial WHERE "
                  "trial = {} ORDER BY sweep, profile, position",
                  sql_text(trial)));
}

/// Prints the trials of a cell one after the other, without repeating an equal configuration.
class TrialPrinter {
 public:
  /// `stale` says, by id, why trials that must still run are stale.
  TrialPrinter(const std::filesystem::path& folder, Store* store,
               std::map<std::string, std::string> stale = {})
      : folder_(folder), store_(store), stale_(std::move(stale)) {}

  void print(const std::string& id) {
    const std::filesystem::path file = TrialFolder(folder_, id).trial();
    const std::optional<TrialRow> row = store_ ? store_->trial(id) : std::nullopt;
    if (!row || !std::filesystem::exists(file)) {
      const auto stale = stale_.find(id);
      std::cout << fmt::format("trial {}: not in this store, it has yet to run{}\n", id,
                               stale == stale_.end() ? "" : "; " + stale->second);
      return;
    }
    const Json trial = required_trial(file.parent_path());
    std::cout << fmt::format("trial {}: {}, job {}, seed {}\n", id, to_text(row->state), row->job,
                             row->seed ? fmt::format("{}", *row->seed) : "none");
    if (const std::string reason = trial_reason(*store_, id); !reason.empty())
      std::cout << "  " << reason << "\n";
    const std::vector<FirstSign> signs = first_signs(*store_, id);
    for (const FirstSign& sign : signs) std::cout << sign_line(sign);
    if (const std::string order = open_order(signs); !order.empty())
      std::cout << "  " << order << "\n";
    print_places(id);
    print_attempts(id);
    const std::optional<Candidates> candidates = candidates_of(*store_, folder_, *row);
    if (candidates) std::cout << to_text(*candidates);
    print_pairs(trial, "data", "data {}: sha256 {}");
    print_pairs(trial, "imported", "imported {}: sha256 {}");
    print_pairs(trial, "needs", "needs {}: {}");
    Json configuration = trial.at("config");
    if (candidates) configuration.erase("groups");  // the same again
    print_configuration(id, configuration);
  }

  /// Explains how a trial of a select stage chose its winner.
  void print_choice(const std::string& id) {
    const std::optional<TrialRow> row = store_ ? store_->trial(id) : std::nullopt;
    const std::optional<Candidates> candidates =
        row ? candidates_of(*store_, folder_, *row) : std::nullopt;
    if (candidates) std::cout << fmt::format("\nchosen by trial {}\n{}", id, to_text(*candidates));
  }

 private:
  void print_places(const std::string& trial) const {
    for (const std::vector<Json>& place : places_of(*store_, trial).rows) {
      const std::string profile = place[1],
                        labels = place[3].is_null() ? "" : unquoted_json(place[3]);
      std::cout << fmt::format("  sweep {}{}, stage {}{}\n", unquoted_json(place[0]),
                               profile.empty() ? ", no profile" : ", profile " + profile,
                               unquoted_json(place[2]),
                               labels.empty() ? "" : ": " + one_line(labels));
    }
  }

  void print_attempts(const std::string& trial) const {
    const std::map<int64_t, EnvironmentChange> changes = inexact_resumes(*store_, trial);
    const std::vector<AttemptRow> attempts = store_->attempts(trial);
    const std::map<int64_t, std::string> reasons = attempt_reasons(*store_, trial);
    for (const AttemptRow& attempt : attempts) {
      std::cout << fmt::format(
          "  attempt {}: {}", attempt.number,
          attempt.outcome ? to_text(*attempt.outcome) : to_text(TrialState::running));
      for (const char* fact : {"build_id", "numeric_build", "host", "processor", "device", "gpu",
                               "threads", "cpu_capability", "libtorch", "deterministic"}) {
        if (attempt.facts.contains(fact))
          std::cout << fmt::format(", {} {}", fact, unquoted_json(attempt.facts[fact]));
      }
      if (const std::string& reason = reasons.at(attempt.number); !reason.empty())
        std::cout << ": " << reason;
      if (const auto change = changes.find(attempt.number); change != changes.end())
        std::cout << "\n    resumed inexactly: the checkpoint was made with "
                  << change->second.text();
      std::cout << fmt::format("\n    log: {}\n",
                               log_of(folder_, attempt).value_or("nothing was printed"));
    }
  }

  static void print_pairs(const Json& trial, const char* member, const char* words) {
    const auto pairs = trial.find(member);
    if (pairs == trial.end()) return;
    for (const auto& [name, value] : pairs->items()) {
      std::cout << "  " << fmt::format(fmt::runtime(words), name, unquoted_json(value)) << "\n";
    }
  }

  void print_configuration(const std::string& trial, const Json& configuration) {
    const auto [same, added] = printed_.try_emplace(configuration.dump(), trial);
    if (!added) {
      std::cout << fmt::format("  configuration: that of {}\n", same->second);
      return;
    }
    std::cout << "  configuration:\n";
    each_leaf(configuration, [](const std::string& key, const Json& value) {
      if (!value.is_null())
        std::cout << fmt::format("    {}: {}\n", key, one_line(unquoted_json(value)));
    });
  }

  const std::filesystem::path folder_;
  Store* store_;
  const std::map<std::string, std::string> stale_;
  std::map<std::string, std::string> printed_;  // the first trial with each configuration
};

/// The same as TrialPrinter in JSON. `store` is null before the first run.
Json trial_json(const std::filesystem::path& folder, Store* store, const std::string& id) {
  const std::filesystem::path file = TrialFolder(folder, id).trial();
  const std::optional<TrialRow> row = store ? store->trial(id) : std::nullopt;
  if (!row || !std::filesystem::exists(file)) return {{"trial", id}, {"state", nullptr}};
  Json all = {{"trial", id},
              {"job", row->job},
              {"state", to_text(row->state)},
              {"message", trial_reason(*store, id)}};
  all["seed"] = row->seed ? Json(*row->seed) : Json();
  all["sweeps"] = as_objects(places_of(*store, id));
  const std::vector<AttemptRow> attempts = store->attempts(id);
  const std::map<int64_t, std::string> reasons = attempt_reasons(*store, id);
  for (const AttemptRow& attempt : attempts) {
    const std::optional<std::string> log = log_of(folder, attempt);
    all["attempts"].push_back({{"number", attempt.number},
                               {"outcome", attempt.outcome ? to_text(*attempt.outcome) : ""},
                               {"message", reasons.at(attempt.number)},
                               {"facts", attempt.facts},
                               {"log", log ? Json(*log) : Json()}});
  }
  if (const std::optional<Candidates> candidates = candidates_of(*store, folder, *row))
    all["candidates"] = as_objects(candidates->rows);
  const Json trial = required_trial(file.parent_path());
  for (const char* part : {"data", "imported", "needs"})
    all[part] = trial.value(part, Json::object());
  all["configuration"] = trial.at("config");
  return all;
}

class Why : public Command {
 public:
  std::string positional() const override { return "TABLE ROW COLUMN | TRIAL"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    declare_like_last_run(options);
    declare_format(options);
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    const bool as_json = wants_json(given);
    if (words.size() == 1 && !is_table(words[0], context)) {
      Store store(context.store, Store::Access::read);
      const std::string trial = trial_with_prefix(store, words[0]);
      if (as_json) {
        std::cout << trial_json(context.store, &store, trial).dump(2) << "\n";
      } else {
        TrialPrinter(context.store, &store).print(trial);
      }
      return kDone;
    }
    if (words.empty() || words.size() > 3)
      throw ConfigError("wrong-arguments",
                        "rethink why: expected TABLE ROW COLUMN, or the id of a trial");
    const RenderingChoices chosen =
        choices_of_named(context, given, rendering_choices(context, given), "tables", words[0]);
    NamedTable named = table_named(context, words[0], chosen);
    if (named.file.kind) read_table_spec(named.spec);  // reports that it has no numbers
    TableView view = plan_table_view(context, std::move(named), chosen, words[0]);
    if (words.size() < 3)
      throw ConfigError("wrong-arguments", how_to_name_a_cell(words[0], view.grid));
    const std::unique_ptr<Store> store = open_store(context);
    read_view(context, store.get(), TableUse::reading, view);
    const Table& table = view.numbers();
    const size_t row = line_index(table.rows, words[1], "row");
    const size_t column = line_index(table.columns, words[2], "column");
    const Cell& cell = table.cells[row][column];
    if (as_json) {
      std::cout << cell_json(context, table, row, column, store.get()).dump(2) << "\n";
    } else {
      print_cell(table, row, column);
      const std::vector<CellPart> parts = parts_of_cell(view, row, column);
      if (!parts.empty()) {
        print_parts(parts, words, chosen.again);
        return cell.incomplete() ? kSomeFailed : kDone;
      }
      TrialPrinter printer(context.store, store.get(), view.stale);
      for (const std::string& trial : cell.selects) printer.print_choice(trial);
      for (const std::string& trial : cell.trials) {
        std::cout << "\n";
        printer.print(trial);
      }
    }
    return cell.incomplete() ? kSomeFailed : kDone;
  }

 private:
  /// A word that cannot begin a trial's id counts as the name of a table.
  static bool is_table(const std::string& word, const CommandContext& context) {
    const std::vector<std::string> tables = Library("tables", context.paths).names();
    return std::ranges::count(tables, word) > 0 ||
           word.find_first_not_of("0123456789abcdef") != std::string::npos;
  }

  /// The line's label, quoted for a shell; its value if other lines have the same label.
  static std::string name_of(const GridLine& line, const std::vector<GridLine>& lines) {
    return for_a_shell(find_line(lines, {line.label}) ? line.label : line.key);
  }

  static std::string names_of(const std::vector<GridLine>& lines) {
    std::vector<std::string> names;
    for (const GridLine& line : lines) names.push_back(name_of(line, lines));
    return joined(names);
  }

  static std::string how_to_name_a_cell(const std::string& table, const Grid& grid) {
    const std::string text =
        fmt::format("rethink why {}: expected a row and a column behind it\nrows: {}\ncolumns: {}",
                    table, names_of(grid.rows), names_of(grid.columns));
    for (size_t row = 0; row < grid.rows.size(); ++row) {
      for (size_t column = 0; column < grid.columns.size(); ++column) {
        if (grid.trials[row][column].empty()) continue;
        return fmt::format("{}\nfor example: {}", text,
                           grid.again.with_choices(fmt::format(
                               "why {} {} {}", table, name_of(grid.rows[row], grid.rows),
                               name_of(grid.columns[column], grid.columns))));
      }
    }
    return text + "\nnone of its trials are planned: choose another --profile";
  }

  static void print_parts(const std::vector<CellPart>& parts, const std::vector<std::string>& words,
                          const CommandWords& again) {
    std::cout << "\n" << format_rows(rows_of(parts), "text") << "\nmore of one: ";
    const CellPart& first = parts.front();
    if (!first.column.empty())
      std::cout << again.with_choices(fmt::format("why {} {} {}", words[0], for_a_shell(words[1]),
                                                  for_a_shell(first.column)))
                << ", or ";
    std::cout << store_command("why TRIAL", again.store) << "\n";
  }

  static Json cell_json(const CommandContext& context, const Table& table, size_t row,
                        size_t column, Store* store) {
    const Cell& cell = table.cells[row][column];
    Json all = {{"table", table.name},
                {"row", table.rows[row].label},
                {"column", table.columns[column].label},
                {"value", table.columns[column].value},
                {"cell", to_json(cell)},
                {"chosen_by", Json::array()},
                {"trials", Json::array()}};
    for (const std::string& id : cell.selects)
      all["chosen_by"].push_back(trial_json(context.store, store, id));
    for (const std::string& id : cell.trials)
      all["trials"].push_back(trial_json(context.store, store, id));
    return all;
  }

  static void print_cell(const Table& table, size_t row, size_t column) {
    const Cell& cell = table.cells[row][column];
    std::cout << fmt::format("{}, row {}, column {}: ", table.name, one_line(table.rows[row].label),
                             one_line(table.columns[column].label));
    std::cout << (cell.value ? fmt::format("{:.10g}", *cell.value) : "no number");
    if (cell.spread) std::cout << fmt::format(" ± {:.3g} ({})", *cell.spread, table.spread);
    std::cout << fmt::format(", {} of {}\n", cell.samples.size(), counted(cell.planned(), "seed"));
    if (!table.columns[column].value.empty())
      std::cout << "  value: " << table.columns[column].value << "\n";
    if (cell.paper) std::cout << "  paper: " << cell.paper->text << "\n";
    if (cell.delta) {
      std::cout << fmt::format("  difference to {}: {:+.6g}\n", one_line(table.rows[row].baseline),
                               *cell.delta);
    }
    if (cell.delta_awaits) {
      std::cout << fmt::format("  difference to {}: waits, {} of {} have both\n",
                               one_line(table.rows[row].baseline), cell.delta_awaits->done,
                               counted(cell.delta_awaits->planned, "seed"));
    }
    for (size_t i = 0; i < cell.tests.size(); ++i) {
      if (!cell.tests[i].p) continue;
      const TestSpec& test = table.tests[i];
      std::cout << fmt::format("  p against the baseline ({}{}): {:.3g}\n", test.kind,
                               test.correction == "holm" ? ", corrected" : "", *cell.tests[i].p);
    }
    for (const Sample& sample : cell.samples) {
      std::cout << fmt::format("  seed {}: {:.10g}\n", sample.seed, sample.value);
    }
    for (const Mark& mark : cell.marks) {
      const std::string name = mark.name();
      std::cout << "  " << (mark.text == name ? name : name + ": " + mark.text) << "\n";
    }
  }
};

RETHINK_REGISTERED =
    add_command<Why>("why", "explain a number: the trials, settings, data and logs behind it");

}  // namespace
}  // namespace rethink
