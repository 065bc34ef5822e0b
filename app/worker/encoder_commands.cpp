#include "app/worker/encoder_commands.h"

#include <ATen/ATen.h>
#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <sstream>

#include "app/worker/memory_errors.h"
#include "app/worker/worker_words.h"
#include "core/config/note.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "core/message.h"
#include "core/text.h"
#include "datasets/files/text_lines.h"
#include "datasets/labelled/encoded_texts.h"
#include "experiments/train/batches/encoder_input.h"
#include "experiments/train/device/tensor_memory.h"
#include "models/encoder.h"
#include "models/heads.h"
#include "models/huggingface/reduced_encoder.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

/// " but 'n_averaged'"; "" if every name has the removed part.
std::string names_outside(const LeftOut& left_out) {
  constexpr size_t kShown = 3;
  std::vector<std::string> shown;
  for (const std::string& name : left_out.outside) {
    if (shown.size() < kShown) shown.push_back("'" + name + "'");
  }
  if (left_out.outside.size() > kShown)
    shown.push_back(fmt::format("{} more", left_out.outside.size() - kShown));
  return shown.empty() ? "" : " but " + joined(shown);
}

/// Writes the notes on a folder's tokenizer and weights to standard error, one a line.
void print_notes(const std::vector<std::string>& tokenizer, const LoadedWeights& loaded) {
  for (const std::string& text : tokenizer)
    std::cerr << visible_controls(to_text(Note("tokenizer-files", text))) << "\n";
  const LeftOut& left_out = loaded.left_out;
  if (!left_out.before.empty()) {
    std::cerr << visible_controls(to_text(
                     Note("common-prefix",
                          fmt::format("every weight's name{} begins with '{}', which is left out",
                                      names_outside(left_out), left_out.before))))
              << "\n";
  }
  if (left_out.names_within > 0) {
    std::cerr << visible_controls(to_text(
                     Note("common-part",
                          fmt::format("in the names of {}, '{}' and similar parts are left out",
                                      counted(left_out.names_within, "weight"), left_out.within))))
              << "\n";
  }
}

constexpr int64_t kRowsAtOnce = 32;

struct EncodeArguments {
  std::filesystem::path model, in, out;  // in: empty = standard input
};

EncodeArguments encode_arguments(const std::vector<std::string>& words) {
  namespace po = boost::program_options;
  po::options_description options;
  options.add_options()("in", po::value<std::string>()->default_value(""))(
      "out", po::value<std::string>())("model", po::value<std::string>());
  const po::variables_map given = worker_words("encode", words, options, "model");
  if (!given.count("model") || !given.count("out"))
    throw ConfigError("wrong-arguments",
                      "encode: give the folder of a model and, with --out, the file to write");
  return {given["model"].as<std::string>(), given["in"].as<std::string>(),
          given["out"].as<std::string>()};
}

std::vector<std::string> lines_in(const EncodeArguments& given) {
  if (given.in.empty()) {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    return lines_of(checked_text(text, kStandardInput));
  }
  refuse_dangling_link(given.in);
  if (!std::filesystem::exists(given.in) || std::filesystem::is_directory(given.in))
    throw ConfigError("file-error", fmt::format("--in: {} cannot be read", given.in.string()));
  return read_lines(given.in);
}

/// One sequence for each line; a line without words is [CLS] [SEP].
EncodedTexts read_texts(const EncodeArguments& given, const WordPiece& pieces, int64_t max_length) {
  EncodedTexts texts(pieces, max_length);
  for (const std::string& line : lines_in(given)) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      texts.add(line);
    } else {
      texts.add(std::string_view(line).substr(0, tab), std::string_view(line).substr(tab + 1));
    }
  }
  return texts;
}

/// The inputs of all texts, padded to the longest.
TensorsByName inputs_of(const EncodedTexts& texts) {
  std::vector<uint32_t> all(texts.size());
  std::iota(all.begin(), all.end(), 0u);
  TensorMemory memory(/*pinned=*/false);
  return memory.tensors(encoder_columns(texts.sequences(), texts.first_parts(), texts.padding(),
                                        all, memory.allocator()));
}

/// Publishing a file replaces an existing file of that name.
void require_new_file(const std::filesystem::path& out) {
  const std::filesystem::path whole = whole_path(out);
  if (std::filesystem::exists(whole))
    throw ConfigError("file-exists",
                      fmt::format("--out: {} is there already; name a new file", out.string()));
  if (!std::filesystem::is_directory(whole.parent_path())) {
    throw ConfigError("not-a-folder",
                      fmt::format("--out: there is no folder {}", whole.parent_path().string()));
  }
}

/// An encoder with those heads whose weights a file may have.
struct EncoderWithHeads : torch::nn::Module {
  /// `heads`: outputs by name, as heads_in() gives them.
  EncoderWithHeads(const EncoderFolder& facts, const std::map<std::string, int64_t>& heads) {
    const EncoderOptions& options = facts.options;
    const int64_t width = options.d_model;
    encoder = register_module("encoder", std::make_shared<Encoder>(options, facts.vocabulary, 0));
    if (heads.contains("pooler"))
      pooler = register_module("pooler", std::make_shared<Pooler>(options, 0));
    if (heads.contains("mlm")) {
      register_module("mlm", std::make_shared<MaskedLanguageHead>(width, facts.vocabulary,
                                                                  options.activation, 0));
    }
    for (const char* name : {"nsp", "classifier", "span"}) {
      if (heads.contains(name))
        register_module(name, std::make_shared<LinearHead>(name, width, heads.at(name), 0));
    }
  }
  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;  // null if it is not among the heads
};

TensorsByName encoded(EncoderWithHeads& model, const TensorsByName& inputs, bool has_pooler) {
  const at::Tensor &input_ids = inputs.at("input_ids"), &keep = inputs.at("keep");
  const int64_t rows = input_ids.size(0), tokens = input_ids.size(1);
  const EncoderOptions& options = model.encoder->options();
  TensorsByName results;
  const auto result = [&](const std::string& name, std::vector<int64_t> shape) {
    results[name] = at::empty(shape, at::kFloat);
  };
  for (int64_t layer = 0; layer <= options.layers; ++layer)
    result(fmt::format("hidden_states.{}", layer), {rows, tokens, options.d_model});
  if (has_pooler) result("pooler_output", {rows, options.d_model});
  for (int64_t first = 0; first < rows; first += kRowsAtOnce) {
    const int64_t end = std::min(rows, first + kRowsAtOnce);
    const at::Tensor ids = input_ids.slice(0, first, end);
    std::vector<at::Tensor> hidden;
    model.encoder->forward(
        {ids, inputs.at("token_type_ids").slice(0, first, end), keep.slice(0, first, end)}, {},
        nullptr, &hidden);
    for (size_t layer = 0; layer < hidden.size(); ++layer)
      results[fmt::format("hidden_states.{}", layer)].slice(0, first, end).copy_(hidden[layer]);
    if (has_pooler)
      results["pooler_output"].slice(0, first, end).copy_(model.pooler->forward(hidden.back()));
  }
  results["input_ids"] = input_ids;
  results["token_type_ids"] = inputs.at("token_type_ids");
  results["attention_mask"] = keep.to(at::kLong);
  return results;
}

int encode_texts(const EncodeArguments& given) {
  require_new_file(given.out);
  EncoderFolder facts = read_encoder_folder(given.model);
  const WordPiece pieces = read_pieces(given.model, facts, &facts.notes);
  require_sizes(given.model, facts);
  const at::NoGradGuard no_gradient;
  EncoderWithHeads model(facts, {{"pooler", facts.options.d_model}});
  const LoadedWeights loaded = load_huggingface(given.model, model);
  print_notes(facts.notes, loaded);
  model.eval();
  for (const std::string& name : loaded.fresh) {
    if (name == "pooler") continue;
    throw ConfigError("missing-tensor",
                      fmt::format("{} has no {}, which its attention needs",
                                  (given.model / "model.safetensors").string(), name));
  }
  const bool has_pooler = loaded.fresh.empty();
  if (!has_pooler) std::cerr << "the model has no pooler: no pooler_output\n";
  const EncodedTexts texts = read_texts(given, pieces, facts.options.max_positions);
  if (texts.size() == 0) {
    throw ConfigError("empty-file",
                      fmt::format("{}: is empty; expected lines of text",
                                  given.in.empty() ? "standard input" : given.in.string()));
  }
  const TensorsByName results = encoded(model, inputs_of(texts), has_pooler);
  write_safetensors_durably(whole_path(given.out), views_of(results), {});
  return 0;
}

}  // namespace

int run_encode(const std::vector<std::string>& words) {
  return with_memory_errors([&] { return encode_texts(encode_arguments(words)); });
}

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
      throw ConfigError("invalid-argument",
                        fmt::format("--layers: got '{}', expected layers such as 2,4,6", text));
    layers.push_back(std::stoll(word));
  }
  return layers;
}

ImportArguments import_arguments(const std::vector<std::string>& words) {
  namespace po = boost::program_options;
  po::options_description options;
  options.add_options()("out", po::value<std::string>())("from", po::value<std::string>())(
      "layers", po::value<std::string>()->default_value(""))("distilbert", po::bool_switch());
  const po::variables_map given = worker_words("import", words, options, "from");
  if (!given.count("from") || !given.count("out"))
    throw ConfigError("wrong-arguments",
                      "import: give the folder of a BERT and, with --out, a new folder");
  return {given["from"].as<std::string>(),
          given["out"].as<std::string>(),
          {layers_in(given["layers"].as<std::string>()), given["distilbert"].as<bool>()}};
}

void require_new(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return;
  if (std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder)) return;
  throw ConfigError("file-exists",
                    fmt::format("--out: {} is there already; name a new folder", folder.string()));
}

/// The vocab.txt of the new folder: the old file byte for byte without a byte order mark, or the
/// vocabulary of tokenizer.json.
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
  EncoderWithHeads model(facts, heads);
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
