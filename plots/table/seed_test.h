// The significance tests over seeds that a table's spec can name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rethink {

struct SeedTest {
  std::string kind;       // "paired_t"
  std::string text;       // "paired t-test over seeds"
  bool is_paired = true;  // takes the values of the seeds that both rows have; else all of both
  std::optional<double> (*p)(std::span<const double> a, std::span<const double> b);
};
const std::vector<SeedTest>& seed_tests();

/// Requires: one of these kinds.
const SeedTest& seed_test(const std::string& kind);

}  // namespace rethink
