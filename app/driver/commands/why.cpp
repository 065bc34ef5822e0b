// `rethink why`: from a number of a table to the trials, seeds, configuration, build, data and logs behind
// it.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/rendering.h"
#include "app/driver/trial_names.h"
#include "results/folders.h"

namespace rethink {
namespace {

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

template <typename Line>
size_t find_line(const std::vector<Line>& lines, const std::string& name, const std::string& what) {
  std::vector<std::string> known;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].label == name || lines[i].key == name) return i;
    known.push_back(lines[i].label);
  }
  throw ConfigError(fmt::format("the table has no {} '{}'{}; it has: {}", what, name,
                                did_you_mean(name, known), joined(known)));
}

void print_attempts(const Store& store, const std::filesystem::path& folder, const std::string& trial) {
  for (const AttemptRow& attempt : store.attempts(trial)) {
    std::cout << fmt::format("    attempt {}: {}", attempt.number,
                             attempt.outcome.empty() ? "running" : attempt.outcome);
    for (const char* fact : {"build_id", "device", "threads", "gpu"}) {
      if (attempt.facts.contains(fact))
        std::cout << fmt::format(", {} {}", fact, text_of(attempt.facts[fact]));
    }
    if (!attempt.message.empty()) std::cout << ": " << attempt.message;
    const auto log = trial_folder(folder, trial) / fmt::format("attempt-{}", attempt.number) / "log";
    std::cout << fmt::format("\n      log: {}\n", log.string());
  }
}

/// Everything about one trial.
void print_trial(const CommandContext& context, const std::string& id) {
  const std::filesystem::path file = trial_folder(context.store, id) / "trial.json";
  if (!std::filesystem::exists(file)) {
    std::cout << fmt::format("  trial {}: not in this store\n", id);
    return;
  }
  const Store store(context.store, Store::Access::read);
  const std::optional<TrialRow> row = store.trial(id);
  const Json trial = read_json(file);
  std::cout << fmt::format("  trial {}: {}, job {}, seed {}\n", id, row ? row->state : "not in the index",
                           text_of(trial.at("job")),
                           row && row->seed ? fmt::format("{}", *row->seed) : "none");
  if (row && !row->message.empty()) std::cout << "    " << row->message << "\n";
  std::cout << "    configuration: " << trial.at("config").dump() << "\n";
  for (const auto& [name, sha256] : trial.value("data", Json::object()).items()) {
    std::cout << fmt::format("    data {}: sha256 {}\n", name, text_of(sha256));
  }
  for (const auto& [slot, needs] : trial.value("needs", Json::object()).items()) {
    std::cout << fmt::format("    needs {}: {}\n", slot, needs.dump());
  }
  print_attempts(store, context.store, id);
}

class Why : public Command {
 public:
  std::string positional() const override { return "TABLE ROW COLUMN | TRIAL"; }

  void declare(po::options_description& options) const override {
    options.add_options()("profile", po::value<std::string>(), "overlay of the table's sweep");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    if (words.size() == 1) {
      print_trial(context, find_trial(context.store, words[0]));
      return kDone;
    }
    if (words.size() != 3) throw ConfigError("rethink why: expected TABLE ROW COLUMN, or the id of a trial");
    const Table table = load_table(context, words[0], profile_of(given));
    const size_t row = find_line(table.rows, words[1], "row");
    const size_t column = find_line(table.columns, words[2], "column");
    print_cell(table, row, column);
    for (const std::string& trial : table.cells[row][column].trials) print_trial(context, trial);
    return table.cells[row][column].incomplete() ? kSomeFailed : kDone;
  }

 private:
  static void print_cell(const Table& table, size_t row, size_t column) {
    const Cell& cell = table.cells[row][column];
    std::cout << fmt::format("{}, {}, {}: ", table.name, table.rows[row].label, table.columns[column].label);
    std::cout << (cell.value ? fmt::format("{:.10g}", *cell.value) : "no number");
    if (cell.spread) std::cout << fmt::format(" ± {:.3g} ({})", *cell.spread, table.spread);
    std::cout << fmt::format(", {} of {} seeds\n", cell.samples.size(), cell.planned);
    if (!table.columns[column].value.empty()) std::cout << "  value: " << table.columns[column].value << "\n";
    if (cell.paper) std::cout << "  paper: " << cell.paper->text << "\n";
    if (cell.p) std::cout << fmt::format("  p against the baseline, corrected: {:.3g}\n", *cell.p);
    for (const Sample& sample : cell.samples) {
      std::cout << fmt::format("  seed {}: {:.10g}\n", sample.seed, sample.value);
    }
    for (const Mark& mark : cell.marks) std::cout << fmt::format("  {}: {}\n", to_text(mark.kind), mark.text);
  }
};

const bool registered =
    add_command<Why>("why", "from a number to the trials, settings, data and logs behind it");

}  // namespace
}  // namespace rethink
