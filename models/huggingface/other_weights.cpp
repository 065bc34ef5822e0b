#include "models/huggingface/other_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/files/named_file.h"
#include "core/json.h"
#include "core/message.h"

namespace rethink {
namespace {

constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kConfigOfTransformers = "config.json";
constexpr const char* kConfigOfGoogle = "bert_config.json";

struct OtherForm {
  std::string_view beginning;  // of the files' names
  std::string_view ending;
  const char* what;
  const char* packages;
  const char* python;  // {0}: the file's name without .index; {1}: the configuration's
  const char* makes = "one file";
};

// The lines avoid classes of transformers, which would drop heads that a class lacks, except where
// no other code reads the weights. Training programs keep weights beside other state, under the key
// state_dict or model.
constexpr OtherForm kForms[] = {
    {"model-", ".safetensors", "are in several files", "torch safetensors",
     R"(  import glob, safetensors.torch as st
  st.save_file({{k: v for f in glob.glob("model-*.safetensors") for k, v in st.load_file(f).items()}}, "model.safetensors"))"},
    {"pytorch_model", ".bin", "are in PyTorch's form", "torch safetensors",
     R"(  import glob, torch, safetensors.torch as st; files = [torch.load(f, "cpu", weights_only=True) for f in glob.glob("pytorch_model*.bin")]
  st.save_file({{k: v.contiguous().clone() for d in files for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}}, "model.safetensors"))"},
    {"tf_model", ".h5", "are in TensorFlow's form", "'transformers<4.50' torch tensorflow tf-keras",
     R"(  import transformers as t
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_tf=True).save_pretrained("."))"},
    {"flax_model", ".msgpack", "are in Flax's form", "'transformers<4.50' torch flax 'jax<0.5'",
     R"(  import transformers as t
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_flax=True).save_pretrained("."))"},
    {"", ".ckpt.index", "are in the form of Google's BERT",
     "'transformers<4.50' torch tensorflow tf-keras",
     R"(  import transformers as t; m = t.BertForPreTraining(t.BertConfig.from_json_file({1}))
  t.load_tf_weights_in_bert(m, m.config, {0}); m.save_pretrained("."))",
     "config.json and model.safetensors"}};

/// A trainer's file. If a folder has several such files, the last by name counts.
constexpr std::string_view kEndingsOfTrainers[] = {".ckpt", ".pt", ".pth"};
/// Files that trainers write beside the weights.
constexpr std::string_view kNoWeights[] = {"optimizer", "scheduler", "scaler", "rng_state",
                                           "training_args"};
constexpr OtherForm kOfTrainer = {
    "", "", "are in PyTorch's form", "torch safetensors",
    R"(  import torch, safetensors.torch as st; d = torch.load({0}, "cpu", weights_only=True)
  st.save_file({{k: v.contiguous().clone() for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}}, "model.safetensors"))"};

/// Returns names in alphabetical order.
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string python_string(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string two_lines(const std::filesystem::path& folder, const OtherForm& form,
                      const std::string& name) {
  constexpr std::string_view kIndexEnding = ".index";
  const std::string bare =
      name.ends_with(kIndexEnding) ? name.substr(0, name.size() - kIndexEnding.size()) : name;
  const char* const config =
      is_regular_file_there(folder / kConfigOfGoogle) ? kConfigOfGoogle : kConfigOfTransformers;
  return fmt::format(
      "the weights in {} {}, which these two lines of Python, run in that folder, make into {} "
      "(pip install {}):\n{}",
      folder.string(), form.what, form.makes, form.packages,
      fmt::format(fmt::runtime(form.python), python_string(bare), python_string(config)));
}

/// Returns two lines of Python that convert the folder's weights to model.safetensors; "" without
/// weights. Throws ConfigError if a file of weights is a pointer of Git LFS or git-annex.
std::string conversion_in(const std::filesystem::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  for (const OtherForm& form : kForms) {
    const auto is_one = [&](const std::string& name) {
      return name.starts_with(form.beginning) && name.ends_with(form.ending);
    };
    const auto found = std::ranges::find_if(names, is_one);
    if (found == names.end()) continue;
    for (const std::string& name : names) {
      if (is_one(name)) refuse_git_pointer(folder / name);
    }
    return two_lines(folder, form, *found);
  }
  for (const std::string_view ending : kEndingsOfTrainers) {
    const auto found = std::find_if(names.rbegin(), names.rend(), [&](const std::string& name) {
      return name.ends_with(ending) &&
             std::ranges::none_of(kNoWeights, [&](auto other) { return name.starts_with(other); });
    });
    if (found == names.rend()) continue;
    refuse_git_pointer(folder / *found);
    return two_lines(folder, kOfTrainer, *found);
  }
  return "";
}

}  // namespace

std::string other_form_of(const std::filesystem::path& file) {
  refuse_dangling_link(file);
  const std::filesystem::path folder = file.parent_path();
  if (const std::string conversion = conversion_in(folder); !conversion.empty())
    return fmt::format("{} does not exist; {}", file.string(), conversion);
  if (is_regular_file_there(folder / kIndex)) {
    return fmt::format("{} does not exist; {} lists several files with its weights: get them, too",
                       file.string(), (folder / kIndex).string());
  }
  return fmt::format("{} does not exist; expected the weights in this one file", file.string());
}

std::string config_of_google(const std::filesystem::path& folder) {
  if (!is_regular_file_there(folder / kConfigOfGoogle)) return "";
  const std::vector<std::string> names = names_in(folder);
  const bool has_checkpoint = std::ranges::any_of(
      names, [](const std::string& name) { return name.ends_with(".ckpt.index"); });
  if (has_checkpoint) return conversion_in(folder);
  return fmt::format("{} is Google's name of it: cp {} {}", kConfigOfGoogle,
                     for_a_shell((folder / kConfigOfGoogle).string()),
                     for_a_shell((folder / kConfigOfTransformers).string()));
}

}  // namespace rethink
