#include "models/other_weights.h"

#include <fmt/format.h>

namespace rethink {
namespace {

struct OtherForm {
  const char* beginning;  // of the files' names
  const char* ending;
  const char* what;
  const char* python;
};

// The lines need no class of transformers, which would leave out the heads that it does not have.
constexpr OtherForm kForms[] = {{"model-", ".safetensors", "are in several files",
                                 R"(  import glob, safetensors.torch as st
  st.save_file({k: v for f in glob.glob("model-*.safetensors") for k, v in st.load_file(f).items()}, "model.safetensors"))"},
                                {"pytorch_model", ".bin", "are in PyTorch's form",
                                 R"(  import glob, torch, safetensors.torch as st
  st.save_file({k: v.contiguous().clone() for f in glob.glob("pytorch_model*.bin") for k, v in torch.load(f, "cpu", weights_only=True).items()}, "model.safetensors"))"}};

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
        "folder, make into one file (pip install torch safetensors):\n{}",
        file.string(), folder.string(), form.what, form.python);
  }
  return fmt::format("{} does not exist; expected the weights in this one file", file.string());
}

}  // namespace rethink
