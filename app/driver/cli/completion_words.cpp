#include "app/driver/cli/completion_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/program_templates.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "core/trial_state.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/library.h"
#include "experiments/site/sites_file.h"
#include "plots/spec_sweeps.h"
#include "plots/table/lines/grid.h"
#include "results/database/sql_expressions.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

using Words = std::vector<std::string>;
using WordSet = std::set<std::string>;

constexpr const char* kMostTrials = "200";

/// The parsed part of the command line.
struct Line {
  std::shared_ptr<Command> command;
  Words arguments;           // complete words
  std::string last, option;  // the word to complete; the option whose value it is, or nothing
  std::string profile;       // --profile
  std::string sites;         // --sites
  CommandContext context;    // with the line's --store, --data and --path
};

const std::set<std::string>& common_with_value() {
  static const std::set<std::string> names = {"store", "data", "path", "out"};
  return names;
}

po::options_description declared_options(const Command& command) {
  po::options_description own;
  command.declare(own);
  return own;
}

bool takes_value(const Command& command, const std::string& option) {
  if (common_with_value().count(option)) return true;
  const po::options_description own = declared_options(command);
  const po::option_description* found = own.find_nothrow(option, /*approx=*/false);
  return found && found->semantic()->max_tokens() > 0;
}

std::optional<Line> parsed(const CommandContext& context, const Words& words) {
  Line line;
  line.context = context;
  line.last = words.back();
  std::string option;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (!option.empty()) {
      if (option == "store") line.context.store = word;
      if (option == "data") line.context.data = word;
      if (option == "profile") line.profile = word;
      if (option == "sites") line.sites = word;
      if (option == "path") line.context.paths.insert(line.context.paths.begin(), word);
      option.clear();
    } else if (word.starts_with("--")) {
      const std::string name = word.substr(2);
      if (line.command ? takes_value(*line.command, name) : common_with_value().count(name) > 0)
        option = name;
    } else if (!line.command) {
      const Words known = commands().names();
      if (std::find(known.begin(), known.end(), word) == known.end()) return std::nullopt;
      line.command = commands().make(word, Json::object());
    } else {
      line.arguments.push_back(word);
    }
  }
  line.option = option;
  return line;
}

WordSet set_of(const Words& words) {
  return {words.begin(), words.end()};
}

/// Returns the sweep files that the line names, directly or by a table or figure; all sweeps if the
/// line names none.
std::vector<std::filesystem::path> sweep_files(const Line& line) {
  Words names = line.arguments;
  std::vector<std::filesystem::path> files;
  const std::string takes = line.command->positional();
  for (const auto& [word, kind] : {std::pair("TABLE", "tables"), std::pair("FIGURE", "figures")}) {
    if (!takes.starts_with(word) || names.empty()) continue;
    if (names_sweep(kind, names[0], line.context.paths)) break;
    const std::filesystem::path spec = Library(kind, line.context.paths).file(names[0]);
    const Yaml document = read_yaml(spec);
    const Yaml* sweep = document.find("sweep");
    if (sweep) files.push_back(find_spec_sweep({sweep->scalar, sweep->where}, line.context.paths));
    return files;
  }
  const Library sweeps("sweeps", line.context.paths);
  if (names.empty()) names = sweeps.names();
  for (const std::string& name : names) files.push_back(sweeps.file(name));
  return files;
}

/// Keys of the map `section` in the line's sweep files: "profiles", "stages".
WordSet keys_of_sweeps(const Line& line, const char* section) {
  WordSet keys;
  for (const std::filesystem::path& file : sweep_files(line)) {
    const Yaml document = read_yaml(file);
    const Yaml* found = document.find(section);
    if (!found) continue;
    for (const std::string& key : found->keys()) keys.insert(key);
  }
  return keys;
}

/// The first column of a query on the line's store.
WordSet query_column(const Line& line, const std::string& sql) {
  WordSet found;
  Store store(line.context.store, Store::Access::read);
  for (const auto& row : run_query(store, sql).rows) {
    if (row.at(0).is_string()) found.insert(row.at(0).get<std::string>());
  }
  return found;
}

/// Metrics of all trials: trials of one job may lack the metrics of another.
WordSet metrics(const Line& line) {
  return query_column(line, "SELECT DISTINCT split || '/' || name FROM series");
}

WordSet groups(const Line& line) {
  return query_column(
      line,
      "SELECT key FROM configuration_key WHERE varies UNION SELECT DISTINCT label FROM label");
}

/// "cpu, cuda or auto", "text or json: ...": the single words that an option's text lists; none for
/// other texts.
WordSet listed_in(const std::string& text) {
  WordSet words;
  std::string part;
  std::istringstream parts(text.substr(0, text.find_first_of(":(")) + ",");
  while (std::getline(parts, part, ',')) {
    std::istringstream inner(part);
    Words pieces;
    for (std::string piece; inner >> piece;) {
      if (piece != "or") pieces.push_back(piece);
    }
    const bool joined_by_or = part.find(" or ") != std::string::npos;
    if (pieces.size() != (joined_by_or && !part.starts_with(" or ") ? 2u : 1u)) return {};
    words.insert(pieces.begin(), pieces.end());
  }
  return words.size() > 1 ? words : WordSet{};
}

WordSet values_of_option(const Line& line) {
  if (line.option == "profile") return keys_of_sweeps(line, "profiles");
  if (line.option == "by") return groups(line);
  if (line.option == "site") return set_of(site_names(line.sites));
  if (line.option == "show") {
    WordSet values = metrics(line);
    values.merge(groups(line));
    values.merge(query_column(line, "SELECT DISTINCT name FROM measurement"));
    values.insert({"n", to_text(TrialState::diverged)});
    return values;
  }
  if (line.option == "template") {
    WordSet names;
    for (const auto& [name, folder] : templates_below(line.context.paths)) names.insert(name);
    return names;
  }
  const po::options_description own = declared_options(*line.command);
  const po::option_description* option = own.find_nothrow(line.option, /*approx=*/false);
  const WordSet listed = option ? listed_in(option->description()) : WordSet{};
  return listed.empty() && line.option == "only" ? keys_of_sweeps(line, "stages") : listed;
}

/// The words that `describe` accepts.
WordSet described_names(const Line& line) {
  WordSet names = {"preset"};
  for (const std::string& name : Library("presets", line.context.paths).names())
    names.insert("preset/" + name);
  for (const auto& [registry, plugins] : line.context.schema().plugins) {
    names.insert(registry);
    for (const auto& [name, plugin] : plugins) names.insert(fmt::format("{}/{}", registry, name));
  }
  return names;
}

/// The names of rows or columns of the line's table under its --profile; without --profile, under
/// the first profile that can be planned here.
WordSet lines_of_table(const Line& line, std::vector<GridLine> Grid::*lines) {
  const std::filesystem::path file = Library("tables", line.context.paths).file(line.arguments[0]);
  const TableSpec spec = read_table_spec(file);
  PlanChoices choices = choices_for_looking(line.context);
  WordSet profiles = {line.profile};
  if (line.profile.empty()) profiles.merge(keys_of_sweeps(line, "profiles"));
  for (const std::string& profile : profiles) {
    choices.profile = profile;
    try {
      Plans plans;
      for (const Word& sweep : sweeps_of(spec)) {
        plans[sweep.text] =
            make_plan(find_spec_sweep(sweep, line.context.paths), choices, line.context.schema());
      }
      const Grid grid = make_grid(spec, plans);
      WordSet labels;
      for (const GridLine& one : grid.*lines) labels.insert(one.label);
      return labels;
    } catch (const ConfigError&) {  // data or weights are missing here
    }
  }
  return {};
}

/// Returns the candidates for one word of a usage line: a word in capitals is a kind of name, any
/// other word is literal.
WordSet candidates_of_placeholder(const std::string& word, const Line& line) {
  const CommandContext& context = line.context;
  if (word == "SWEEP") return set_of(Library("sweeps", context.paths).names());
  if (word == "TABLE") return set_of(Library("tables", context.paths).names());
  if (word == "FIGURE") return set_of(Library("figures", context.paths).names());
  if (word == "CLAIMS") return set_of(Library("claims", context.paths).names());
  if (word == "PAPER") {
    WordSet papers = set_of(Library("claims", context.paths).names());
    papers.insert("all");
    return papers;
  }
  if (word == "ROW") return lines_of_table(line, &Grid::rows);
  if (word == "COLUMN") return lines_of_table(line, &Grid::columns);
  if (word == "WHAT") return described_names(line);
  if (word == "NAME") return set_of(context.schema().names("dataset"));
  if (word == "KIND") return set_of(context.schema().names("mask"));
  if (word == "TRIAL") {
    return query_column(line, "SELECT id FROM trial WHERE id GLOB " + sql_text(line.last + "*") +
                                  " ORDER BY id LIMIT " + kMostTrials);
  }
  if (word == "METRIC") return metrics(line);
  const bool is_kind =
      std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c); });
  return is_kind ? WordSet{} : WordSet{word};
}

/// "SWEEP|TRIAL..." accepts both.
WordSet candidates_of_word(std::string word, const Line& line) {
  std::ranges::replace(word, '|', ' ');
  std::istringstream kinds(word.substr(0, word.find("...")));
  WordSet found;
  for (std::string kind; kinds >> kind;) found.merge(candidates_of_placeholder(kind, line));
  return found;
}

/// The usage line "check | merge STORE", "[SWEEP...]", "bleu --ref F | import FILE" as alternatives
/// of the words before options.
std::vector<Words> alternatives(std::string usage) {
  std::erase_if(usage, [](char c) { return c == '[' || c == ']' || c == '\''; });
  std::vector<Words> all(1);
  std::istringstream words(usage);
  bool is_behind_option = false;
  for (std::string word; words >> word;) {
    is_behind_option = word != "|" && (is_behind_option || word.starts_with("--"));
    if (word == "|") all.emplace_back();
    if (word != "|" && !is_behind_option) all.back().push_back(word);
  }
  return all;
}

WordSet arguments_for(const Line& line) {
  WordSet found;
  for (const Words& words : alternatives(line.command->positional())) {
    if (words.empty()) continue;
    bool fits = words.back().ends_with("...") || line.arguments.size() < words.size();
    for (size_t i = 0; fits && i < std::min(words.size(), line.arguments.size()); ++i) {
      const bool is_literal = std::islower(static_cast<unsigned char>(words[i][0])) != 0;
      fits = !is_literal || words[i] == line.arguments[i];
    }
    if (!fits) continue;
    found.merge(candidates_of_word(words[std::min(line.arguments.size(), words.size() - 1)], line));
  }
  return found;
}

/// For a command that passes its words to another program: returns the words after "WHAT: " in that
/// program's help or, if such a word is given, the word's options.
WordSet words_of_program_help(const Line& line) {
  WordSet choices, options;
  bool is_chosen = false;
  std::istringstream help(line.command->more_help(line.context));
  for (std::string text; std::getline(help, text);) {
    if (text.starts_with("WHAT: ")) {
      const std::string choice = text.substr(6, text.find(',') - 6);
      choices.insert(choice);
      is_chosen = !line.arguments.empty() && line.arguments[0] == choice;
    } else if (is_chosen && text.starts_with("  --")) {
      options.insert(text.substr(2, text.find(' ', 2) - 2));
    }
  }
  if (line.last.starts_with("-")) return options;
  return line.arguments.empty() ? choices : WordSet{};
}

WordSet option_words(const Line& line) {
  WordSet names = {"--store", "--data", "--path", "--out", "--quiet", "--help"};
  if (!line.command) return names;
  const po::options_description own = declared_options(*line.command);
  for (const auto& option : own.options()) names.insert("--" + option->long_name());
  return names;
}

WordSet candidates(const Line& line) {
  if (common_with_value().count(line.option)) return {};
  if (line.command && line.command->forwards_words()) return words_of_program_help(line);
  if (!line.option.empty()) return values_of_option(line);
  if (line.last.starts_with("-")) return option_words(line);
  if (line.command) return arguments_for(line);
  return set_of(commands().names());
}

}  // namespace

std::set<std::string> completion_words(const CommandContext& context,
                                       const std::vector<std::string>& words) {
  const std::optional<Line> line = parsed(context, words.empty() ? Words{""} : words);
  if (!line) return {};
  WordSet found;
  try {
    found = candidates(*line);
  } catch (const ConfigError&) {  // an unfinished command line may name missing files
    return {};
  } catch (const MachineError&) {
    return {};
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(line->last); });
  return found;
}

}  // namespace rethink
