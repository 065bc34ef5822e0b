// `rethink mask`: the sparsity of a pattern or of a mask that a trial left, and its cells as text,
// picture or table (SparseBERT, Figures 1, 5 and 6). Masks need no LibTorch, so this answers
// without the worker.
#include "models/masks/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_files.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/figure/drawing/heatmap.h"
#include "results/database/database_place.h"
#include "results/database/sql_expressions.h"
#include "results/query/run_query.h"
#include "results/query/trial_prefix.h"
#include "results/records/trial_records.h"

namespace rethink {
namespace {

// Masks that trials left.

struct LearnedMask {
  Mask mask;
  std::string name;   // for names of files made of it: the trial's id, or the file's stem
  std::string title;  // "trial 0a1b2c...", or the file's name
};

constexpr size_t kShortestId = 4;  // shorter words of hex digits are not ids

bool is_like_an_id(const std::string& word) {
  return word.size() >= kShortestId &&
         word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::optional<Artifact> mask_among(const std::vector<Artifact>& artifacts) {
  const auto found = std::ranges::find(artifacts, "mask", &Artifact::kind);
  if (found == artifacts.end()) return std::nullopt;
  return *found;
}

bool left_mask(const std::filesystem::path& store, const std::string& id) {
  const TrialFolder folder(store, id);
  const std::optional<Json> result = read_result(folder);
  return result && mask_among(artifacts_of(*result, folder));
}

/// "; it starts from trial 0a1b..., which has one: `rethink mask 0a1b...`" for the nearest such trial.
std::string nearest_with_mask(const std::filesystem::path& folder, Store& store,
                              const std::string& id) {
  const QueryResult above = run_query(
      store, fmt::format("WITH RECURSIVE above(id, steps) AS (SELECT need, 1 FROM trial_need WHERE "
                         "trial = {} UNION SELECT n.need, steps + 1 FROM trial_need n JOIN above "
                         "ON n.trial = above.id) SELECT id FROM above ORDER BY steps",
                         sql_text(id)));
  for (const std::vector<Json>& row : above.rows) {
    const std::string near = row[0];
    if (left_mask(folder, near)) {
      return fmt::format("; it starts from trial {}, which has one: `{}`", near,
                         store_command("mask " + near, folder));
    }
  }
  return "";
}

Artifact mask_of_trial(const CommandContext& context, Store& store, const std::string& id) {
  const std::vector<Artifact> artifacts = artifacts_of_trial(context.store, id);
  if (std::ranges::count(artifacts, "mask", &Artifact::kind) > 1) {
    throw ConfigError(
        "wrong-trial",
        fmt::format(
            "trial {} is a select and has a mask for each seed; give one of its winners: {}", id,
            joined(read_trial_records(store, context.store, {id}, {})[id].winners)));
  }
  const std::optional<Artifact> mask = mask_among(artifacts);
  if (mask) return *mask;
  throw ConfigError("artifact-missing",
                    fmt::format("trial {} has no mask; trials of job mask have one, and "
                                "pretraining trials with attention dam, masked or given_mask{}",
                                id, nearest_with_mask(context.store, store, id)));
}

LearnedMask read_mask_of_trial(const CommandContext& context, const std::string& beginning) {
  if (std::filesystem::is_regular_file(context.store)) {
    throw ConfigError("snapshot-given",
                      fmt::format("--store: {} is a snapshot, without the trials' files; give the "
                                  "store's folder",
                                  context.store.string()));
  }
  if (!is_store(context.store)) {
    throw ConfigError(
        "no-store",
        fmt::format("'{}' is neither a kind of mask nor a file, and {} is not a store with trials; "
                    "give --store DIR",
                    beginning, context.store.string()));
  }
  Store store(context.store, Store::Access::read);
  const std::string id = trial_with_prefix(store, beginning);
  const Artifact artifact = mask_of_trial(context, store, id);
  require_intact(artifact, context.store);
  return {read_mask(artifact.path), id, "trial " + id};
}

/// The artifact of kind "mask" of a trial, given by the beginning of its id, or of a file. Nothing
/// if `word` is the name of a pattern, or neither a file nor similar to an id. Throws ConfigError
/// if the trial left no mask, or if the mask is missing or damaged, and as read_mask.
std::optional<LearnedMask> find_learned_mask(const CommandContext& context,
                                             const std::string& word) {
  const std::vector<std::string> patterns = masks().names();
  if (std::find(patterns.begin(), patterns.end(), word) != patterns.end()) return std::nullopt;
  const std::filesystem::path file = word;
  if (std::filesystem::is_regular_file(file)) {
    require_intact_if_recorded(file);
    return LearnedMask{read_mask(file), file.stem(), file.filename()};
  }
  if (!is_like_an_id(word)) return std::nullopt;
  return read_mask_of_trial(context, word);
}

constexpr int64_t kMostTokens = 4096;
constexpr int64_t kMostHeads = 128;
constexpr size_t kHeadsAcross = 4;  // panels in a row of a picture with all heads

/// The shown mask: a pattern's, with equal heads, or a learned one.
struct Shown {
  Mask mask;
  std::string name, title;  // of its files; above it
  bool is_learned = false;
  std::optional<int64_t> head;  // from 0; nothing: all heads of a learned mask
};

/// {kind: KIND, K: V, ...} from the given words; later values of a key win, as in sweeps.
Yaml choice_given(const std::string& kind, const po::variables_map& given, Problems& problems) {
  Yaml choice;
  choice.kind = Yaml::Kind::map;
  choice.where = {"rethink mask " + kind, 0, 0};
  choice.entries.push_back({"kind", choice.where, {}});
  choice.entries[0].value.kind = Yaml::Kind::scalar;
  choice.entries[0].value.scalar = kind;
  choice.entries[0].value.where = choice.where;
  if (!given.count("set")) return choice;
  for (const std::string& setting : given["set"].as<std::vector<std::string>>()) {
    const Position where{"--set " + setting, 0, 0};
    const size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    if (equals == std::string::npos || key.empty() || key == "kind") {
      problems.add(where, "invalid-setting",
                   "expected K=V, K an option of the mask, such as diagonal=false");
      continue;
    }
    Yaml value = parse_yaml_of_flag(setting.substr(equals + 1), where.file, problems);
    if (Yaml* earlier = choice.find(key)) {
      *earlier = std::move(value);
    } else {
      choice.entries.push_back({key, where, std::move(value)});
    }
  }
  return choice;
}

/// "star, diagonal=false, n = 128": with the options that were set.
std::string title_of_pattern(const std::string& name, int64_t n, const po::variables_map& given) {
  std::string title = name;
  if (given.count("set")) {
    for (const std::string& setting : given["set"].as<std::vector<std::string>>())
      title += ", " + setting;
  }
  return fmt::format("{}, n = {}", title, n);
}

Shown pattern_shown(const std::string& kind, const po::variables_map& given) {
  Problems problems;
  const Yaml choice = choice_given(kind, given, problems);
  const MaskChoice mask = read_mask_choice(choice, "mask", problems);
  problems.throw_if_any();
  const int64_t n = number_given(given, "n", {1, kMostTokens}).value();
  const int64_t heads = number_given(given, "heads", {1, kMostHeads}).value();
  const int64_t head = number_given(given, "head", {1, heads}).value_or(1);
  return {make_mask(mask, heads, n), mask.name, title_of_pattern(mask.name, n, given), false,
          head - 1};
}

Shown learned_shown(LearnedMask learned, const po::variables_map& given) {
  for (const char* name : {"n", "heads"}) {
    if (!given[name].defaulted())
      throw ConfigError("conflicting-arguments",
                        fmt::format("--{} is for patterns: {} has {} heads of {} tokens", name,
                                    learned.title, learned.mask.heads, learned.mask.positions));
  }
  if (given.count("set"))
    throw ConfigError("conflicting-arguments",
                      "--set is for patterns: a learned mask has no options");
  std::optional<int64_t> head = number_given(given, "head", {1, learned.mask.heads});
  if (head) --*head;
  const std::string title = fmt::format("{}, n = {}", learned.title, learned.mask.positions);
  return {std::move(learned.mask), learned.name, title, true, head};
}

Shown shown_of(const CommandContext& context, const po::variables_map& given) {
  const std::vector<std::string> words = arguments_of(given);
  if (words.size() != 1) {
    throw ConfigError("wrong-arguments",
                      fmt::format("{}; known: {}; or a trial with a mask, or the file of a mask",
                                  words.empty() ? "which mask? Give one kind"
                                                : "expected one kind, got " + joined(words),
                                  joined(masks().names())));
  }
  if (std::optional<LearnedMask> learned = find_learned_mask(context, words[0]))
    return learned_shown(std::move(*learned), given);
  return pattern_shown(words[0], given);
}

/// Two rows in a line, so that cells are about square: a letter shows its upper, lower or both
/// halves.
std::string picture(const uint8_t* cells, int64_t n) {
  std::string out;
  for (int64_t row = 0; row < n; row += 2) {
    for (int64_t column = 0; column < n; ++column) {
      const bool upper = cells[row * n + column] != 0;
      const bool lower = row + 1 < n && cells[(row + 1) * n + column] != 0;
      out += upper && lower ? "\u2588" : upper ? "\u2580" : lower ? "\u2584" : " ";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string csv(const uint8_t* cells, int64_t n) {
  std::string out;
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t column = 0; column < n; ++column)
      out += fmt::format("{}{}", int{cells[row * n + column]}, column + 1 < n ? ',' : '\n');
  }
  return out;
}

/// 1 - |M| / n^2 of one head [%], and its cells.
std::string head_text(const Shown& shown, int64_t head) {
  const int64_t n = shown.mask.positions;
  const uint8_t* cells = shown.mask.head(head);
  const auto attended = std::count(cells, cells + n * n, 1);
  return fmt::format("sparsity {:.1f} %, {} of {} cells\n",
                     100 * (1 - static_cast<double>(attended) / static_cast<double>(n * n)),
                     attended, n * n);
}

/// Only the sparsities of all heads of a learned mask, since twelve pictures are too many to read.
std::string mask_text(const Shown& shown) {
  std::string out = shown.title + ": ";
  if (shown.head) {
    if (shown.is_learned) out += fmt::format("head {}, ", *shown.head + 1);
    return out + head_text(shown, *shown.head) +
           picture(shown.mask.head(*shown.head), shown.mask.positions);
  }
  out += fmt::format("sparsity {:.1f} %, mean over {}\n", 100 * sparsity(shown.mask),
                     counted(static_cast<size_t>(shown.mask.heads), "head"));
  for (int64_t head = 0; head < shown.mask.heads; ++head)
    out += fmt::format("head {}: {}", head + 1, head_text(shown, head));
  return out;
}

void draw_mask(const CommandContext& context, const Shown& shown) {
  Figure figure;
  figure.name = "masks/" + shown.name;
  figure.title = shown.title;
  const auto drawing = std::make_shared<HeatmapDrawing>();
  drawing->across = kHeadsAcross;
  for (int64_t head = 0; head < shown.mask.heads; ++head) {
    if (shown.head && head != *shown.head) continue;
    const std::string label = shown.is_learned ? fmt::format("head {}", head + 1) : "";
    drawing->panels.push_back({label, square_matrix(shown.mask.head(head), shown.mask.positions)});
  }
  figure.drawing = drawing;
  figure.caption = {"rows: queries, columns: keys; dark: the query may attend to the key"};
  const std::filesystem::path folder = context.out / "masks";
  make_out_folder(folder);
  for (const auto& file : draw_figure(figure, folder, shown.name))
    std::cout << file.string() << "\n";
}

class MaskCommand : public Command {
 public:
  std::string positional() const override { return "KIND|TRIAL|FILE"; }

  void declare(po::options_description& options) const override {
    options.add_options()("n", po::value<std::string>()->value_name("N")->default_value("128"),
                          "positions [tokens]")(
        "heads", po::value<std::string>()->value_name("N")->default_value("1"),
        "heads of the model")(
        "head", po::value<std::string>()->value_name("N"),
        "head to show, counted from 1 (default: the first; for a trial or a file: all heads, as "
        "CSV 1)")("set", po::value<std::vector<std::string>>()->value_name("K=V")->composing(),
                  "an option of the mask, such as diagonal=false (`rethink describe "
                  "mask/KIND`); may be repeated")(
        "format", po::value<std::string>()->value_name("FORMAT")->default_value("text"),
        "text: sparsity and letters; csv: 0 and 1, a line per query; png: pictures below --out");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::string format = given["format"].as<std::string>();
    const std::vector<std::string> formats = {"text", "csv", "png"};
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
      throw ConfigError("invalid-argument",
                        fmt::format("--format: got '{}', expected one of {}{}", format,
                                    joined(formats), did_you_mean(format, formats)));
    }
    const Shown shown = shown_of(context, given);
    if (format == "csv") {
      std::cout << csv(shown.mask.head(shown.head.value_or(0)), shown.mask.positions);
    } else if (format == "png") {
      draw_mask(context, shown);
    } else {
      std::cout << mask_text(shown);
    }
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<MaskCommand>(
    "mask", "show an attention mask: its sparsity, and its cells as text, picture or CSV");

}  // namespace
}  // namespace rethink
