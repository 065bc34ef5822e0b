// A plug-in's registered name is its file's path below the registry's folder. This one test finds a
// registration that was forgotten, misspelt, or dropped by the linker. Registries of the driver's
// own rooms are in contract_driver/registry_test.cpp.
#include "core/schema.h"
#include "experiments/attempt/job.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

bool is_of_the_driver(const std::string& folder) {
  return folder.starts_with("plots/") || folder.starts_with("app/");
}

/// Jobs that need no LibTorch live in a second folder, among files of another kind.
std::set<std::string> jobs_without_libtorch() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "experiments/attempt")) {
    if (entry.path().extension() != ".cpp") continue;
    if (read_text(entry.path()).find("jobs().add<") != std::string::npos)
      names.insert(entry.path().stem().string());
  }
  return names;
}

/// Analyses of weights live in a second folder, where LibTorch is.
std::set<std::string> analyses_with_libtorch() {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(kSource / "experiments/train/analyses")) {
    const std::filesystem::path& file = entry.path();
    const auto header = std::filesystem::path(file).replace_extension(".h");
    if (file.extension() == ".cpp" && !std::filesystem::exists(header)) names.insert(file.stem());
  }
  return names;
}

TEST(Registries, AreAllLinkedIntoThisProgram) {
  const auto declared = declared_registries();
  EXPECT_GE(declared.size(), 9u);
  for (const auto& [kind, folder] : declared)
    EXPECT_EQ(registries().count(kind), is_of_the_driver(folder) ? 0u : 1u) << kind;
}

TEST(Registries, NameTheirPluginsAsTheirFiles) {
  for (const auto& [kind, registry] : registries()) {
    std::set<std::string> files = headerless_files(*registry);
    if (kind == "job") files.merge(jobs_without_libtorch());
    if (kind == "analysis") files.merge(analyses_with_libtorch());
    const std::vector<std::string> names = registry->names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), files)
        << kind << " in " << registry->folder();
  }
}

TEST(Registries, SayWhatEachPluginAndOptionIsFor) {
  for (const auto& [kind, registry] : registries()) expect_summaries(*registry);
}

/// They would take one from trials that can. `analyze` has analyses of both kinds.
TEST(Registries, SayWhichJobsUseNoGpu) {
  std::set<std::string> expected = jobs_without_libtorch(), said;
  expected.erase("analyze");
  expected.insert("mask");  // reads and writes tensors, computes nothing
  for (const std::string& name : jobs().names()) {
    if (jobs().schema(name).facts.value("device", "") == "cpu") said.insert(name);
  }
  EXPECT_EQ(said, expected);
}

}  // namespace
}  // namespace rethink
