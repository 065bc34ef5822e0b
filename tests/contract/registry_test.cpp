// A plug-in's registered name is its file's path below the registry's folder. This one test finds a
// registration that was forgotten, misspelt, or dropped by the linker.
#include "core/registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = RETHINK_SOURCE_DIR;

bool lies_below(const fs::path& file, const fs::path& folder) {
  const std::string relative = file.lexically_relative(folder).string();
  return !relative.empty() && relative.rfind("..", 0) != 0;
}

/// Files of `folder` that have no header of the same name, less the folders of registries inside
/// it.
std::set<std::string> headerless_files(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cpp" || fs::exists(fs::path(file).replace_extension(".h"))) continue;
    bool nested = false;
    for (const auto& [kind, registry] : registries()) {
      const fs::path other = kSource / registry->folder();
      nested = nested || (other != folder && lies_below(other, folder) && lies_below(file, other));
    }
    if (!nested) names.insert(file.lexically_relative(folder).replace_extension().generic_string());
  }
  return names;
}

/// Jobs that need no LibTorch live in a second folder, among files of another kind.
std::set<std::string> jobs_without_libtorch() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSource / "experiments/attempt")) {
    if (entry.path().extension() != ".cpp") continue;
    if (read_text(entry.path()).find("jobs().add<") != std::string::npos)
      names.insert(entry.path().stem().string());
  }
  return names;
}

TEST(Registries, AreAllLinkedIntoThisProgram) {
  for (const char* kind : {"attention", "dataset", "job", "metric", "optimizer", "schedule"}) {
    EXPECT_EQ(registries().count(kind), 1u) << kind;
  }
}

TEST(Registries, NameTheirPluginsAsTheirFiles) {
  for (const auto& [kind, registry] : registries()) {
    std::set<std::string> files = headerless_files(kSource / registry->folder());
    if (kind == "job") files.merge(jobs_without_libtorch());
    const std::vector<std::string> names = registry->names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), files)
        << kind << " in " << registry->folder();
  }
}

TEST(Registries, SayWhatEachPluginAndOptionIsFor) {
  for (const auto& [kind, registry] : registries()) {
    for (const std::string& name : registry->names()) {
      const PluginSchema schema = registry->schema(name);
      EXPECT_FALSE(schema.summary.empty()) << kind << " " << name;
      EXPECT_GE(schema.revision, 1) << kind << " " << name;
      for (const Field& field : schema.options.fields) {
        EXPECT_FALSE(field.summary.empty()) << kind << " " << name << ": " << field.name;
      }
    }
  }
}

}  // namespace
}  // namespace rethink
