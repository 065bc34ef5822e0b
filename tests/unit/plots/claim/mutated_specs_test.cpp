// Random mutations of the shipped specs of tables, tables of words, figures and claims. RETHINK_MUTATIONS
// is their number, RETHINK_SEED selects them.
#include <gtest/gtest.h>

#include <algorithm>

#include "plots/claim/claim.h"
#include "plots/figure/figure.h"
#include "plots/table/table_kind.h"
#include "tests/support/mutations.h"
#include "tests/support/temp_folder.h"

namespace rethink::test {
namespace {

/// The texts of the specs in plots/`kind`, in the order of their names.
std::vector<std::string> shipped_specs(const std::string& kind) {
  return yaml_texts_below(std::filesystem::path(RETHINK_SOURCE_DIR) / "plots" / kind);
}

class MutatedSpecs : public testing::Test {
 protected:
  void try_reading(const std::string& kind, size_t times,
                   const std::function<void(const std::filesystem::path&)>& read) const {
    const std::vector<std::string> specs = shipped_specs(kind);
    ASSERT_FALSE(specs.empty());
    const auto mutate = [&](RandomChoices& choices) {
      return mutated_text(choices.one_of(specs), specs, choices);
    };
    const std::filesystem::path file = folder_ / "spec.yaml";
    try_mutations(times, mutate, [&](const std::string& text) {
      write_text(file, text);
      return fault_of_reading(file, ErrorPlace::line, [&] { read(file); });
    });
  }

 private:
  TempFolder folder_{memory_folder()};
};

TEST_F(MutatedSpecs, OfTablesAreReadOrRefusedWithTheirPlace) {
  try_reading("tables", 1500,
              [](const std::filesystem::path& file) { sweeps_of(read_table_file(file).spec()); });
}

TEST_F(MutatedSpecs, OfFiguresAreReadOrRefusedWithTheirPlace) {
  try_reading("figures", 1500,
              [](const std::filesystem::path& file) { sweeps_of(read_figure_spec(file)); });
}

TEST_F(MutatedSpecs, OfClaimsAreReadOrRefusedWithTheirPlace) {
  try_reading("claims", 500, [](const std::filesystem::path& file) { read_claims_spec(file); });
}

}  // namespace
}  // namespace rethink::test
