// Contract of every operator of the kernels' room: a folder, a plain reference, a unit test, a case
// of the self-check, and a benchmark beside LibTorch's own. LibTorch's dispatcher calls operators
// with a kernel for CUDA, so these also have a schema and a CPU implementation there.
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

/// Returns the folders that hold a header of their own name.
std::vector<std::string> operators() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSource / "kernels")) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(entry.path() / (name + ".h"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class KernelContract : public testing::TestWithParam<std::string> {};

TEST_P(KernelContract, HasAReferenceAndATest) {
  const std::string& name = GetParam();
  EXPECT_NE(read_text(kSource / "kernels/reference.h").find(" " + name + "_reference("),
            std::string::npos);
  const fs::path test = kSource / "tests/unit/kernels" / (name + "_test.cpp");
  ASSERT_TRUE(fs::exists(test));
  const std::string text = read_text(test);
  EXPECT_NE(text.find("expect_error_within_twice"), std::string::npos)
      << "does not check the 2x rule";
  EXPECT_NE(text.find("expect_gradients_match_differences"), std::string::npos)
      << "does not check gradients";
}

/// Returns whether a folder of the room has a kernel for CUDA.
bool runs_on_cuda(const std::string& name) {
  return fs::exists(kSource / "kernels" / name / (name + "_cuda.cpp"));
}

TEST_P(KernelContract, HasASchemaAndACpuImplementationWhereItRunsOnCuda) {
  const std::string prefix = "rethink::" + GetParam();
  int found = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (name.name != prefix && name.name.rfind(prefix + "_", 0) != 0) continue;
    ++found;
    const auto handle = c10::Dispatcher::singleton().findSchema(name);
    ASSERT_TRUE(handle.has_value()) << name.name;
    EXPECT_TRUE(handle->hasKernelForDispatchKey(c10::DispatchKey::CPU)) << name.name;
  }
  EXPECT_EQ(found > 0, runs_on_cuda(GetParam())) << "schemas " << prefix << ": " << found;
}

TEST_P(KernelContract, IsInTheSelfCheck) {
  EXPECT_NE(read_text(kSource / "kernels/check.cpp").find(GetParam() + "_reference("),
            std::string::npos)
      << "kernels/check.cpp does not compare it with its reference";
}

TEST_P(KernelContract, HasABenchmarkBesidePlainLibTorch) {
  std::string benchmarks;
  for (const auto& entry : fs::directory_iterator(kSource / "tests/bench"))
    if (entry.path().extension() == ".cpp") benchmarks += read_text(entry.path());
  for (const std::string way : {"ours", "plain"}) {
    const std::string name = '"' + GetParam() + "/" + way + '"';
    EXPECT_NE(benchmarks.find(name), std::string::npos)
        << "no file of tests/bench registers a benchmark " << name;
  }
}

TEST(KernelRoom, EveryOperatorHasAFolderOfItsName) {
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (name.name.rfind("rethink::", 0) != 0) continue;
    const std::vector<std::string> known = operators();
    const bool found = std::any_of(known.begin(), known.end(), [&](const std::string& folder) {
      const std::string own = "rethink::" + folder;
      return name.name == own || name.name.rfind(own + "_", 0) == 0;
    });
    EXPECT_TRUE(found) << name.name << " belongs to no folder of kernels/, so nothing checks it";
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelContract, testing::ValuesIn(operators()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace rethink
