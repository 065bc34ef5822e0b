#include "core/json.h"
#include "plots/claim/claim.h"

namespace rethink {

Json rule_of(const ClaimSpec& claim, const std::map<std::string, GateSpec>& gates) {
  Json rule{{"table", claim.table},         {"columns", claim.columns},
            {"test", to_text(claim.test)},  {"row", claim.row},
            {"than", claim.than},           {"than_column", claim.than_column},
            {"direction", claim.direction}, {"over", claim.over_heads ? "heads" : "seeds"},
            {"margin", claim.margin},       {"not_below", claim.not_below},
            {"seeds", claim.seeds},         {"looks", Json::array()}};
  rule["smallest"] = claim.smallest ? Json(*claim.smallest) : Json();
  rule["than_value"] = claim.than_value ? Json(*claim.than_value) : Json();
  for (const Look& look : claim.looks) rule["looks"].push_back({look.seeds, look.alpha});
  rule["gate"] = Json();
  if (!claim.gate.empty()) {
    const GateSpec& gate = gates.at(claim.gate);
    rule["gate"] = {{"table", gate.table}, {"row", gate.row}, {"than", gate.than}};
  }
  return rule;
}

}  // namespace rethink
