#include "core/format/adapter_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"

namespace rethink {
namespace {

// PEFT's AutoPeftModel refuses an adapter that says its task, and the class of a task one that does not.
constexpr const char* kMergeFolder =
    R"(  import json, peft, transformers as t; a = json.load(open("adapter_config.json")); kind = {"SEQ_CLS": "SequenceClassification", "TOKEN_CLS": "TokenClassification", "QUESTION_ANS": "QuestionAnswering", "FEATURE_EXTRACTION": "FeatureExtraction"}.get(a.get("task_type"))
  t.AutoTokenizer.from_pretrained(a["base_model_name_or_path"]).save_pretrained("merged"); getattr(peft, "AutoPeftModelFor" + kind if kind else "AutoPeftModel").from_pretrained(".").merge_and_unload().save_pretrained("merged"))";

constexpr const char* kMergeModel = R"(  model = model.merge_and_unload()
  model.save_pretrained("merged"))";

/// Parts of names between dots: of LoRA, IA3, and what PEFT wraps.
constexpr std::array<std::string_view, 9> kAdapterParts = {
    "lora_A",     "lora_B", "lora_embedding_A", "lora_embedding_B", "lora_magnitude_vector",
    "base_layer", "ia3_l",  "modules_to_save",  "prompt_embeddings"};

bool has_adapter_file(const std::filesystem::path& folder, const char* name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / name, ignored);
}

bool has_adapter_part(std::string_view name) {
  while (!name.empty()) {
    const size_t end = std::min(name.find('.'), name.size());
    if (std::ranges::find(kAdapterParts, name.substr(0, end)) != kAdapterParts.end()) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

}  // namespace

void refuse_adapter_weights(const std::filesystem::path& folder) {
  if (has_adapter_file(folder, "model.safetensors")) return;
  for (const char* name :
       {"adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"}) {
    if (!has_adapter_file(folder, name)) continue;
    throw ConfigError(fmt::format(
        "{}: the weights are an adapter (LoRA or another of PEFT) without the model that it "
        "changes; these two lines of Python, run in that folder, merge both into the folder merged "
        "(pip install peft transformers; num_labels=N in the last from_pretrained where a task has "
        "more than 2 classes):\n{}",
        (folder / name).string(), kMergeFolder));
  }
}

std::string trouble_with_adapter_names(const std::vector<std::string>& names) {
  const auto found = std::ranges::find_if(names, has_adapter_part);
  if (found == names.end()) return "";
  return fmt::format(
      "holds an adapter (LoRA or another of PEFT) that is not merged into its model, such as {}; "
      "merge it with these two lines of Python where the model was trained:\n{}",
      *found, kMergeModel);
}

}  // namespace rethink
