// Claims about arms of attention count only if attention has an effect, so each claim on a score of a task has a gate.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plots/claim/claim_spec.h"
#include "plots/table/table_spec.h"
#include "tests/support/golden.h"

namespace rethink::test {
namespace {

namespace fs = std::filesystem;

const fs::path kPlots = fs::path(RETHINK_SOURCE_DIR) / "plots";

bool is_score(const std::optional<ValueName>& value) {
  const std::set<std::string> scores = {"score", "f1", "exact"};
  return value && scores.contains(value->name.substr(0, value->name.find('@')));
}

/// A column that the claim names, of an axis where it is no label of its own.
bool is_on_a_score(const ClaimSpec& claim, const TableSpec& table) {
  if (claim.columns.empty()) return is_score(table.metric);
  return std::ranges::any_of(claim.columns, [&](const std::string& name) {
    const auto column = std::ranges::find(table.columns, name, &LineSpec::label);
    if (column == table.columns.end()) return is_score(table.metric);
    const CellKind kind = column->kind.value_or(CellKind::metric);
    if (kind != CellKind::metric && kind != CellKind::mean_of) return false;
    return is_score(column->value ? column->value : table.metric);
  });
}

TEST(ShippedGates, AreThoseOfAllClaimsOnScoresOfTasks) {
  size_t gated = 0;
  for (const char* paper : {"a3", "sparsebert"}) {
    const ClaimsSpec spec = read_claims_spec(kPlots / "claims" / (paper + std::string(".yaml")));
    for (const ClaimSpec& claim : spec.claims) {
      const TableSpec table = read_table_spec(kPlots / "tables" / (claim.table + ".yaml"));
      if (claim.over_heads || !is_on_a_score(claim, table)) continue;
      EXPECT_FALSE(claim.gate.empty()) << paper << ": " << claim.name;
      gated += claim.gate.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(gated, 60u);
}

/// Numbers of heads are shares of 0 or more, so "above 0" could not fail.
TEST(ShippedClaims, CompareHeadsWithANumberThatTheyMayBeBelow) {
  for (const char* paper : {"a3", "bet", "sparsebert"}) {
    const ClaimsSpec spec = read_claims_spec(kPlots / "claims" / (paper + std::string(".yaml")));
    for (const ClaimSpec& claim : spec.claims)
      EXPECT_GT(claim.than_value.value_or(1), 0) << paper << ": " << claim.name;
  }
}

}  // namespace
}  // namespace rethink::test
