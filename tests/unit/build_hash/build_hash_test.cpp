#include "app/build_hash/build_hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class BuildHash : public testing::Test {
 protected:
  BuildHash() { write_sources(root_); }

  static void write_sources(const TempFolder& root) {
    write_text(root / "kernels/sum.cpp", "// Adds.\nint sum(int a, int b) { return a + b; }\n");
    write_text(root / "models/scale.h", "constexpr double kScale = 0.5;\n");
    write_text(root / "app/driver/main.cpp", "int main() {}\n");
    write_text(root / "libicu.a", "bytes");
  }

  std::string list(const TempFolder& root, const std::string& compiler = "GNU 12.2.0") const {
    return "fact compiler " + compiler + "\nlibrary " + (root / "libicu.a").string() +
           "\nsource kernels/sum.cpp\nsource models/scale.h\n";
  }

  std::string hash() const { return build_hash(list(root_), root_.path()); }

  TempFolder root_;
};

TEST_F(BuildHash, IsTheSameInAnotherCheckout) {
  const TempFolder other;
  write_sources(other);
  EXPECT_EQ(hash().size(), 20u);
  EXPECT_EQ(build_hash(list(other), other.path()), hash());
}

TEST_F(BuildHash, DoesNotDependOnTheOrderOfItsList) {
  EXPECT_EQ(build_hash("source models/scale.h\nsource kernels/sum.cpp\n", root_.path()),
            build_hash("source kernels/sum.cpp\nsource models/scale.h\n", root_.path()));
}

TEST_F(BuildHash, MovesWithCodeThatComputes) {
  const std::string before = hash();
  write_text(root_ / "models/scale.h", "constexpr double kScale = 0.25;\n");
  EXPECT_NE(hash(), before);
}

TEST_F(BuildHash, MovesWithTheNameOfASource) {
  const std::string before = build_hash("source kernels/sum.cpp\n", root_.path());
  std::filesystem::rename(root_ / "kernels/sum.cpp", root_ / "kernels/add.cpp");
  EXPECT_NE(build_hash("source kernels/add.cpp\n", root_.path()), before);
}

TEST_F(BuildHash, MovesWithTheCompilerAndALibrary) {
  const std::string before = hash();
  EXPECT_NE(build_hash(list(root_, "GNU 13.1.0"), root_.path()), before);
  write_text(root_ / "libicu.a", "other bytes");
  EXPECT_NE(hash(), before);
}

TEST_F(BuildHash, IgnoresCommentsAndTheDriver) {
  const std::string before = hash();
  write_text(root_ / "kernels/sum.cpp",
             "// Returns a + b.\nint sum(int a, int b) { return a + b; }\n");
  write_text(root_ / "app/driver/main.cpp", "int main() { return 1; }\n");
  EXPECT_EQ(hash(), before);
}

TEST_F(BuildHash, NamesWhatItCannotRead) {
  EXPECT_THAT([&] { build_hash("source kernels/gone.cpp\n", root_.path()); },
              ThrowsMessage<MachineError>(HasSubstr("kernels/gone.cpp")));
  EXPECT_THAT([&] { build_hash("sources kernels\n", root_.path()); },
              ThrowsMessage<ConfigError>(
                  "got 'sources kernels', expected source PATH, library PATH or fact TEXT"));
}

/// Compares with the list of the build itself.
TEST(NumericBuild, CountsTheRoomsThatComputeAndNotTheDriver) {
  const std::filesystem::path listed = std::filesystem::path(RETHINK_BINARY_DIR) / "builds";
  for (const char* name : {"dataset_build.txt", "numeric_build.txt"}) {
    if (!std::filesystem::exists(listed / name)) continue;  // built without LibTorch
    const std::string list = read_file(listed / name);
    EXPECT_THAT(list, HasSubstr("\nsource datasets/unicode_text.cpp\n")) << name;
    EXPECT_THAT(list, HasSubstr("\nsource core/philox.h\n")) << name;
    EXPECT_THAT(list, HasSubstr("fact compiler ")) << name;
    EXPECT_THAT(list, ContainsRegex("\nfact ICU [0-9]+\\.[0-9]")) << name;
    EXPECT_THAT(list, ContainsRegex("\nlibrary /[^\n]*/libicuuc\\.")) << name;
    EXPECT_THAT(list, HasSubstr("\nsource datasets/translation/sentencepiece/library.cpp\n"))
        << name;
    for (const char* other : {"source app/", "source plots/", "source results/", "source tests/",
                              "experiments/plan", "experiments/run", "-ffile-prefix-map"})
      EXPECT_THAT(list, testing::Not(HasSubstr(other))) << name;
  }
  if (!std::filesystem::exists(listed / "numeric_build.txt")) GTEST_SKIP() << "no LibTorch";
  const std::string list = read_file(listed / "numeric_build.txt");
  for (const char* source : {"kernels/attention/attention_isa.cpp", "models/masks/star.cpp",
                             "models/attention/dense.cpp", "experiments/train/loop.cpp"})
    EXPECT_THAT(list, HasSubstr(std::string("\nsource ") + source + "\n"));
  EXPECT_THAT(list, HasSubstr("-march=x86-64-v3"));
  EXPECT_THAT(list, HasSubstr("\nfact flags of libtorch: "));
  EXPECT_THAT(list, ContainsRegex("\nlibrary /[^\n]*/torch/headeronly/version\\.h\n"));
}

TEST_F(BuildHash, OfASourceDependsOnItsCodeOnly) {
  const std::map<std::string, std::string> before = source_hashes(list(root_), root_.path());
  write_text(root_ / "kernels/sum.cpp",
             "// Says more.\nint sum(int a, int b) {\n  return a + b;\n}\n");
  EXPECT_EQ(source_hashes(list(root_), root_.path()), before);
  write_text(root_ / "kernels/sum.cpp", "int sum(int a, int b) { return a - b; }\n");
  const std::map<std::string, std::string> after = source_hashes(list(root_), root_.path());
  ASSERT_EQ(after.size(), 2u);
  EXPECT_NE(after.at("kernels/sum.cpp"), before.at("kernels/sum.cpp"));
  EXPECT_EQ(after.at("models/scale.h"), before.at("models/scale.h"));
}

}  // namespace
}  // namespace rethink
