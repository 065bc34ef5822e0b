#include "experiments/train/batches/encoder_input.h"

#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

/// The weights determine the sizes. Settings that they do not determine, such as heads, must be
/// equal. A model with fewer layers uses the first ones.
void require_alike(const EncoderOptions& options, const EncoderOptions& weights,
                   const std::filesystem::path& folder) {
  const Json here = write_options(options), there = write_options(weights);
  Problems problems;
  for (const Field& field : describe_options<EncoderOptions>().fields) {
    if (field.type == FieldType::plugin || !field.shapes) continue;
    if (here.at(field.name) == there.at(field.name)) continue;
    if (field.name == "layers" && options.layers < weights.layers) continue;
    problems.add(
        {}, "wrong-weights",
        fmt::format("model.{} is {}, but the weights in {} have {}", field.name,
                    here.at(field.name).dump(), folder.string(), there.at(field.name).dump()));
  }
  problems.throw_if_any();
}

std::shared_ptr<const Mask> read_given_mask(const JobContext& context, int64_t max_length) {
  const Artifact* input = context.input("mask");
  if (!input) return nullptr;
  auto mask = std::make_shared<const Mask>(read_mask(input->path));
  if (mask->positions >= max_length) return mask;
  throw ConfigError("conflicting-values",
                    fmt::format("max_length: got {}, but the mask of the input 'mask' is for {} "
                                "tokens: lower max_length, or "
                                "learn the mask with a longer model.attention.length",
                                max_length, mask->positions));
}

}  // namespace

std::filesystem::path weights_folder(const Artifact& init) {
  return std::filesystem::is_directory(init.path) ? init.path : init.path.parent_path();
}

WordPiece read_pieces(const std::filesystem::path& folder, const EncoderFolder& facts,
                      std::vector<std::string>* notes) {
  TokenizerVocabulary read = read_vocabulary(folder);
  if (notes && !read.note.empty()) notes->push_back(read.note);
  const std::string file = read.file.string();
  WordPiece pieces(std::move(read.pieces), !facts.lower_case, file);
  if (static_cast<int64_t>(pieces.size()) <= facts.vocabulary) return pieces;
  throw ConfigError("wrong-weights",
                    fmt::format("{} has {} pieces, but config.json says vocab_size {}", file,
                                pieces.size(), facts.vocabulary));
}

EncoderStart encoder_start(const JobContext& context, const EncoderOptions& model,
                           int64_t max_length, const std::function<WordPiece()>& fresh) {
  const Artifact* init = context.input("init");
  if (!init) {
    WordPiece pieces = fresh();
    const auto size = static_cast<int64_t>(pieces.size());
    return {model, std::move(pieces), size, {}, read_given_mask(context, max_length)};
  }
  const std::filesystem::path folder = weights_folder(*init);
  const EncoderFolder facts = read_encoder_folder(folder);
  require_alike(model, facts.options, folder);
  require_sizes(folder, facts);
  return {model, read_pieces(folder, facts), facts.vocabulary, folder,
          read_given_mask(context, max_length)};
}

void load_start(const EncoderStart& start, torch::nn::Module& model, JobContext& context) {
  if (start.weights.empty()) return;
  const LoadedWeights loaded = load_huggingface(start.weights, model);
  if (!loaded.fresh.empty()) context.result["began_fresh"] = loaded.fresh;
}

}  // namespace rethink
