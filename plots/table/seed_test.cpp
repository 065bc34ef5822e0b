#include "plots/table/seed_test.h"

#include <algorithm>

#include "core/error.h"
#include "results/statistics/statistics.h"

namespace rethink {

const std::vector<SeedTest>& seed_tests() {
  static const std::vector<SeedTest> tests = {
      {"paired_t", "paired t-test over seeds", true, paired_t},
      {"paired_permutation", "paired permutation test over seeds", true, paired_permutation},
      {"student_t", "Student's t-test of two samples over seeds", false, student_t},
      {"welch", "Welch's t-test over seeds", false, welch}};
  return tests;
}

const SeedTest& seed_test(const std::string& kind) {
  const auto found = std::ranges::find(seed_tests(), kind, &SeedTest::kind);
  RETHINK_ASSERT(found != seed_tests().end(), kind);
  return *found;
}

}  // namespace rethink
