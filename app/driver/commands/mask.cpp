// `rethink mask`: a pattern's sparsity, and its cells as text, picture or table (SparseBERT, Figure
// 1). Masks need no LibTorch, so this answers without the worker.
#include "models/masks/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/rendering.h"
#include "plots/gnuplot.h"

namespace rethink {
namespace {

constexpr int64_t kMostTokens = 4096;
constexpr int64_t kMostHeads = 128;

struct Wanted {
  MaskChoice choice;
  int64_t n = 128, heads = 1, head = 1;
};

/// --NAME, from 1 to `most`.
int64_t count_named(const po::variables_map& given, const char* name, int64_t most) {
  const int64_t count = given[name].as<int64_t>();
  if (count < 1 || count > most)
    throw ConfigError(fmt::format("--{}: got {}, expected from 1 to {}", name, count, most));
  return count;
}

/// {kind: KIND, K: V, ...} of the words given; later values of a key win, as in sweeps.
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
      problems.add(where, "expected K=V, K an option of the mask, such as diagonal=false");
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

Wanted wanted_of(const po::variables_map& given) {
  const std::vector<std::string> words = arguments_of(given);
  if (words.size() != 1) {
    throw ConfigError(fmt::format(
        "{}; known: {}",
        words.empty() ? "which mask? Give one kind" : "expected one kind, got " + joined(words),
        joined(masks().names())));
  }
  Problems problems;
  const Yaml choice = choice_given(words[0], given, problems);
  Wanted wanted;
  wanted.choice = read_mask_choice(choice, "mask", problems);
  problems.throw_if_any();
  wanted.n = count_named(given, "n", kMostTokens);
  wanted.heads = count_named(given, "heads", kMostHeads);
  wanted.head = count_named(given, "head", wanted.heads);
  return wanted;
}

/// Two rows in a line, so that cells are about square: upper, lower or both halves of a letter.
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

/// "star, diagonal false": the options that are not as usual.
std::string title_of(const Wanted& wanted, const po::variables_map& given) {
  std::string title = wanted.choice.name;
  if (given.count("set")) {
    for (const std::string& setting : given["set"].as<std::vector<std::string>>())
      title += ", " + setting;
  }
  return fmt::format("{}, n = {}", title, wanted.n);
}

class MaskCommand : public Command {
 public:
  std::string positional() const override { return "KIND"; }

  void declare(po::options_description& options) const override {
    options.add_options()("n", po::value<int64_t>()->default_value(128), "positions [tokens]")(
        "heads", po::value<int64_t>()->default_value(1), "heads of the model")(
        "head", po::value<int64_t>()->default_value(1), "which one to show, from 1")(
        "set", po::value<std::vector<std::string>>()->composing(),
        "K=V: an option of the mask, such as diagonal=false (rethink describe mask/KIND); may be "
        "repeated")("format", po::value<std::string>()->default_value("text"),
                    "text, csv or png: sparsity and letters; 0 and 1, a line for each query; "
                    "pictures below --out");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::string format = given["format"].as<std::string>();
    const std::vector<std::string> formats = {"text", "csv", "png"};
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
      throw ConfigError(fmt::format("--format: got '{}', expected one of {}{}", format,
                                    joined(formats), did_you_mean(format, formats)));
    }
    const Wanted wanted = wanted_of(given);
    const Mask mask = make_mask(wanted.choice, wanted.heads, wanted.n);
    const uint8_t* cells = mask.head(wanted.head - 1);
    if (format == "csv") {
      std::cout << csv(cells, wanted.n);
    } else if (format == "png") {
      draw(context, mask, wanted, title_of(wanted, given));
    } else {
      std::cout << fmt::format("{}: sparsity {:.1f} %, {} of {} cells\n", title_of(wanted, given),
                               100 * sparsity(mask),
                               std::count(cells, cells + wanted.n * wanted.n, 1),
                               wanted.n * wanted.n)
                << picture(cells, wanted.n);
    }
    return kDone;
  }

 private:
  static void draw(const CommandContext& context, const Mask& mask, const Wanted& wanted,
                   const std::string& title) {
    Figure figure;
    figure.name = "masks/" + wanted.choice.name;
    figure.title = title;
    figure.kind = "heatmap";
    figure.panels = {{"", matrix_of(mask)}};
    figure.caption = {"rows: queries, columns: keys; dark: the query may attend to the key"};
    const std::filesystem::path folder = context.out / "masks";
    make_out_folder(folder);
    for (const auto& file : draw_figure(figure, folder, wanted.choice.name))
      std::cout << file.string() << "\n";
  }
};

const bool registered = add_command<MaskCommand>(
    "mask", "an attention mask: its sparsity, and its cells as text, picture or CSV");

}  // namespace
}  // namespace rethink
