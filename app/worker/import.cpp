#include "app/worker/import.h"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/worker/encoder_command.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/format/text_marks.h"
#include "core/system/file.h"
#include "core/text.h"
#include "experiments/train/encoder_input.h"
#include "models/encoder.h"
#include "models/heads.h"
#include "models/huggingface/reduced_encoder.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

constexpr const char* kVocabulary = "vocab.txt";

struct ImportArguments {
  std::filesystem::path from, to;
  EncoderReduction reduction;
};

/// "2,4,6"
std::vector<int64_t> layers_in(const std::string& text) {
  std::vector<int64_t> layers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const bool is_number = !word.empty() && word.size() < 6 &&
                           word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number)
      throw ConfigError(fmt::format("--layers: got '{}', expected layers such as 2,4,6", text));
    layers.push_back(std::stoll(word));
  }
  return layers;
}

ImportArguments import_arguments(const std::vector<std::string>& words) {
  namespace po = boost::program_options;
  po::options_description options;
  options.add_options()("out", po::value<std::string>())("from", po::value<std::string>())(
      "layers", po::value<std::string>()->default_value(""))("distilbert", po::bool_switch());
  po::positional_options_description positional;
  positional.add("from", 1);
  po::variables_map given;
  try {
    po::store(po::command_line_parser(words).options(options).positional(positional).run(), given);
  } catch (const po::error& error) {
    throw ConfigError(std::string("import: ") + error.what());
  }
  if (!given.count("from") || !given.count("out"))
    throw ConfigError("import: give the folder of a BERT and, with --out, one that is to be made");
  return {given["from"].as<std::string>(),
          given["out"].as<std::string>(),
          {layers_in(given["layers"].as<std::string>()), given["distilbert"].as<bool>()}};
}

/// Everything that a file has weights of.
struct WholeModel : torch::nn::Module {
  WholeModel(const EncoderFolder& facts, const std::map<std::string, int64_t>& heads) {
    const EncoderOptions& options = facts.options;
    const int64_t width = options.d_model;
    register_module("encoder", std::make_shared<Encoder>(options, facts.vocabulary, 0));
    if (heads.contains("pooler")) register_module("pooler", std::make_shared<Pooler>(options, 0));
    if (heads.contains("mlm")) {
      register_module("mlm", std::make_shared<MaskedLanguageHead>(width, facts.vocabulary,
                                                                  options.activation, 0));
    }
    for (const char* name : {"nsp", "classifier", "span"}) {
      if (heads.contains(name))
        register_module(name, std::make_shared<LinearHead>(name, width, heads.at(name), 0));
    }
  }
};

void require_new(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return;
  if (std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder)) return;
  throw ConfigError(fmt::format("--out: {} is there already; name a new folder", folder.string()));
}

/// The vocab.txt of the new folder: the old one byte for byte, but for a byte order mark, or what
/// tokenizer.json says.
std::string vocabulary_text(const std::filesystem::path& folder, const WordPiece& pieces) {
  if (!std::filesystem::exists(folder / kVocabulary)) return pieces.to_text();
  return std::string(without_byte_order_marks(read_file(folder / kVocabulary)));
}

int import_folder(const ImportArguments& given) {
  EncoderFolder facts = read_encoder_folder(given.from);
  const WordPiece pieces = read_pieces(given.from, facts, &facts.notes);
  require_new(given.to);
  require_sizes(given.from, facts);
  const std::map<std::string, int64_t> heads = heads_in(given.from);
  WholeModel model(facts, heads);
  const LoadedWeights loaded = load_huggingface(given.from, model);
  print_notes(facts.notes, loaded);
  for (const std::string& name : loaded.fresh)
    std::cerr << visible_controls(name) << " is not in the file: it begins fresh\n";
  if (!loaded.unused.empty()) {
    std::cerr << fmt::format("left out, since nothing here reads them: {}\n",
                             visible_controls(joined(loaded.unused)));
  }
  TensorsByName weights = weights_of(model);
  reduce_encoder(given.reduction, facts, weights);
  make_folder_durably(given.to);
  write_file_durably(given.to / kVocabulary, vocabulary_text(given.from, pieces));
  save_huggingface(given.to, facts, weights);
  std::vector<std::string> names;
  for (const auto& [name, outputs] : heads) {
    const bool stays = std::ranges::any_of(
        weights, [&](const auto& item) { return item.first.starts_with(name + "."); });
    if (stays) names.push_back(name);
  }
  const EncoderOptions& options = facts.options;
  std::cout << fmt::format(
      "{}: {} of width {}, {}, {} positions, {} pieces ({}); heads: {}\n",
      visible_controls(given.to.string()), counted(static_cast<size_t>(options.layers), "layer"),
      options.d_model, counted(static_cast<size_t>(options.heads), "head"), options.max_positions,
      facts.vocabulary, facts.lower_case ? "uncased" : "cased",
      names.empty() ? "none" : visible_controls(joined(names)));
  return 0;
}

}  // namespace

int run_import(const std::vector<std::string>& words) {
  return with_memory_errors([&] { return import_folder(import_arguments(words)); });
}

}  // namespace rethink
