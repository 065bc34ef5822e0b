#include "experiments/train/encoder_input.h"

#include <fmt/format.h>

#include "models/huggingface.h"

namespace rethink {
namespace {

constexpr const char* kVocabulary = "vocab.txt";

/// Of a trial's artifacts, or imported.
std::filesystem::path folder_of(const std::vector<Artifact>& artifacts) {
  const std::filesystem::path& first = artifacts.front().path;
  return std::filesystem::is_directory(first) ? first : first.parent_path();
}

/// Sizes stand in the weights; what does not, such as heads, must be said alike.
void require_alike(const EncoderOptions& options, const EncoderOptions& weights,
                   const std::filesystem::path& folder) {
  const Json here = write_options(options), there = write_options(weights);
  Problems problems;
  for (const Field& field : describe_options<EncoderOptions>().fields) {
    if (field.type == FieldType::plugin || !field.shapes) continue;
    if (here.at(field.name) == there.at(field.name)) continue;
    problems.add(
        {}, fmt::format("model.{} is {}, but the weights in {} have {}", field.name,
                        here.at(field.name).dump(), folder.string(), there.at(field.name).dump()));
  }
  problems.throw_if_any();
}

std::shared_ptr<const Mask> read_given_mask(const JobContext& context) {
  const auto artifacts = context.inputs.find("mask");
  if (artifacts == context.inputs.end() || artifacts->second.empty()) return nullptr;
  return std::make_shared<const Mask>(read_mask(artifacts->second.front().path));
}

}  // namespace

EncoderStart encoder_start(const JobContext& context, const EncoderOptions& model,
                           const std::function<WordPiece()>& fresh) {
  const auto init = context.inputs.find("init");
  if (init == context.inputs.end() || init->second.empty()) {
    WordPiece pieces = fresh();
    const auto size = static_cast<int64_t>(pieces.size());
    return {model, std::move(pieces), size, {}, read_given_mask(context)};
  }
  const std::filesystem::path folder = folder_of(init->second);
  const EncoderFolder facts = read_encoder_folder(folder);
  require_alike(model, facts.options, folder);
  return {model, WordPiece::from_file(folder / kVocabulary, !facts.lower_case), facts.vocabulary,
          folder, read_given_mask(context)};
}

void load_start(const EncoderStart& start, torch::nn::Module& model, JobContext& context) {
  if (start.weights.empty()) return;
  const LoadedWeights loaded = load_huggingface(start.weights, model);
  if (!loaded.fresh.empty()) context.result["began_fresh"] = loaded.fresh;
}

}  // namespace rethink
