#include "models/other_weights.h"

#include <fmt/format.h>

namespace rethink {
namespace {

constexpr const char* kIndex = "model.safetensors.index.json";

struct OtherForm {
  const char* beginning;  // of the files' names
  const char* ending;
  const char* what;
  const char* packages;
  const char* python;
};

// The lines need no class of transformers, which would leave out the heads that it does not have, but
// where nothing else reads the weights.
constexpr OtherForm kForms[] = {
    {"model-", ".safetensors", "are in several files", "torch safetensors",
     R"(  import glob, safetensors.torch as st
  st.save_file({k: v for f in glob.glob("model-*.safetensors") for k, v in st.load_file(f).items()}, "model.safetensors"))"},
    {"pytorch_model", ".bin", "are in PyTorch's form", "torch safetensors",
     R"(  import glob, torch, safetensors.torch as st
  st.save_file({k: v.contiguous().clone() for f in glob.glob("pytorch_model*.bin") for k, v in torch.load(f, "cpu", weights_only=True).items()}, "model.safetensors"))"},
    {"tf_model", ".h5", "are in TensorFlow's form", "'transformers<4.50' torch tensorflow tf-keras",
     R"(  import transformers as t
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_tf=True).save_pretrained("."))"},
    {"flax_model", ".msgpack", "are in Flax's form", "'transformers<4.50' torch flax 'jax<0.5'",
     R"(  import transformers as t
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_flax=True).save_pretrained("."))"}};

bool has_file_of(const std::filesystem::path& folder, const OtherForm& form) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(form.beginning) && name.ends_with(form.ending)) return true;
  }
  return false;
}

}  // namespace

std::string other_form_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  for (const OtherForm& form : kForms) {
    if (!has_file_of(folder, form)) continue;
    return fmt::format(
        "{} does not exist; the weights in {} {}, which these two lines of Python, run in that "
        "folder, make into one file (pip install {}):\n{}",
        file.string(), folder.string(), form.what, form.packages, form.python);
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder / kIndex, ignored)) {
    return fmt::format("{} does not exist; {} lists several files with its weights: get them, too",
                       file.string(), (folder / kIndex).string());
  }
  return fmt::format("{} does not exist; expected the weights in this one file", file.string());
}

}  // namespace rethink
