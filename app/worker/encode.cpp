#include "app/worker/encode.h"

#include <ATen/ATen.h>
#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <numeric>

#include "app/worker/encoder_command.h"
#include "core/error.h"
#include "core/system/dangling_link.h"
#include "core/system/file.h"
#include "core/system/shown_name.h"
#include "datasets/files/text_lines.h"
#include "datasets/labelled/encoded_texts.h"
#include "experiments/train/encoder_input.h"
#include "experiments/train/tensor_memory.h"
#include "models/encoder.h"
#include "models/heads.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

constexpr int64_t kRowsAtOnce = 32;

struct EncodeArguments {
  std::filesystem::path model, in, out;  // in: empty = standard input
};

EncodeArguments encode_arguments(const std::vector<std::string>& words) {
  namespace po = boost::program_options;
  po::options_description options;
  options.add_options()("in", po::value<std::string>()->default_value(""))(
      "out", po::value<std::string>())("model", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("model", 1);
  po::variables_map given;
  try {
    po::store(po::command_line_parser(words).options(options).positional(positional).run(), given);
  } catch (const po::error& error) {
    throw ConfigError(std::string("encode: ") + error.what());
  }
  if (!given.count("model") || !given.count("out"))
    throw ConfigError("encode: give the folder of a model and, with --out, the file to write");
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
    throw ConfigError(fmt::format("--in: {} cannot be read", given.in.string()));
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

/// Publishing a file replaces whatever has its name.
void require_new_file(const std::filesystem::path& out) {
  const std::filesystem::path whole = whole_path(out);
  if (std::filesystem::exists(whole))
    throw ConfigError(fmt::format("--out: {} is there already; name a new file", out.string()));
  if (!std::filesystem::is_directory(whole.parent_path())) {
    throw ConfigError(fmt::format("--out: there is no folder {}", whole.parent_path().string()));
  }
}

struct PooledEncoder : torch::nn::Module {
  explicit PooledEncoder(const EncoderFolder& facts)
      : encoder(register_module("encoder",
                                std::make_shared<Encoder>(facts.options, facts.vocabulary, 0))),
        pooler(register_module("pooler", std::make_shared<Pooler>(facts.options, 0))) {}
  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;
};

TensorsByName encoded(PooledEncoder& model, const TensorsByName& inputs, bool has_pooler) {
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
  PooledEncoder model(facts);
  const LoadedWeights loaded = load_huggingface(given.model, model);
  print_notes(facts.notes, loaded);
  model.eval();
  for (const std::string& name : loaded.fresh) {
    if (name == "pooler") continue;
    throw ConfigError(fmt::format("{} has no {}, which its attention needs",
                                  (given.model / "model.safetensors").string(), name));
  }
  const bool has_pooler = loaded.fresh.empty();
  if (!has_pooler) std::cerr << "the model has no pooler: no pooler_output\n";
  const EncodedTexts texts = read_texts(given, pieces, facts.options.max_positions);
  if (texts.size() == 0) {
    throw ConfigError(fmt::format("{}: is empty; expected lines of text",
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

}  // namespace rethink
