// All contents of a table, for other programs.
#include "core/json.h"

#include "plots/render/renderer.h"

namespace rethink {
namespace {

Json judgement_json(const Judgement& judgement) {
  const std::optional<Interval>& interval = judgement.interval;
  const JudgedNumbers& numbers = judgement.numbers;
  return {{"row", json_number(numbers.row)},
          {"than", json_number(numbers.than)},
          {"sd", json_number(numbers.deviation)},
          {"items_low", numbers.items ? Json(numbers.items->low) : Json()},
          {"items_high", numbers.items ? Json(numbers.items->high) : Json()},
          {"items_p", json_number(numbers.items_p)},
          {"seeds_p", json_number(numbers.seeds_p)},
          {"verdict", to_text(judgement.verdict)},
          {"gain", judgement.gain},
          {"low", interval ? Json(interval->low) : Json()},
          {"high", interval ? Json(interval->high) : Json()},
          {"level", interval ? Json(judgement.level) : Json()},
          {"p", judgement.p}};
}

Json unit_json(const ClaimUnit& unit) {
  return {{"name", unit.name}, {"times", unit.times}, {"less", unit.less}};
}

Json look_json(const LookResult& taken) {
  Json look = judgement_json(taken.judgement);
  look.update({{"seeds", taken.look.seeds},
               {"alpha", taken.look.alpha},
               {"day", taken.day.empty() ? Json() : Json(taken.day)}});
  return look;
}

class JsonFormat : public Renderer {
 public:
  std::string extension() const override { return "json"; }

  std::string table(const Table& table) const override {
    Json columns = Json::array(), rows = Json::array();
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const TableColumn& column = table.columns[i];
      columns.push_back({{"label", column.label},
                         {"key", column.key},
                         {"value", column.value},
                         {"direction", to_text(column.direction)},
                         {"kendall", json_number(table.orders[i].kendall)}});
    }
    for (size_t row = 0; row < table.rows.size(); ++row) {
      Json cells = Json::array();
      for (const Cell& cell : table.cells[row]) cells.push_back(to_json(cell));
      const TableRow& line = table.rows[row];
      rows.push_back({{"label", line.label},
                      {"key", line.key},
                      {"baseline", line.baseline.empty() ? Json() : Json(line.baseline)},
                      {"cells", cells}});
    }
    Json tests = Json::array();
    for (size_t i = 0; i < table.tests.size(); ++i) {
      const TestSpec& test = table.tests[i];
      tests.push_back({{"kind", test.kind},
                       {"correction", test.correction},
                       {"alpha", test.alpha},
                       {"mark", kTestMarks[i]}});
    }
    const Json all = {{"table", table.name},
                      {"title", table.title},
                      {"profile", table.profile},
                      {"settings", table.settings},
                      {"spread", table.spread},
                      {"tests", tests},
                      {"columns", columns},
                      {"rows", rows},
                      {"complete", table.incomplete_cells == 0},
                      {"to_run", table.to_run},
                      {"notes", whole(table.notes)}};
    return all.dump(2) + "\n";
  }

  std::string claims(const std::vector<ClaimResult>& claims) const override {
    Json all = Json::array();
    for (const ClaimResult& claim : claims) {
      Json looks = Json::array();
      for (const LookResult& taken : claim.looks) looks.push_back(look_json(taken));
      all.push_back({{"claim", claim.name},
                     {"file", claim.file},
                     {"verdict", to_text(claim.verdict)},
                     {"scope", to_text(claim.scope)},
                     {"says", claim.says},
                     {"why", claim.why},
                     {"decides", claim.decides.empty() ? Json() : Json(claim.decides)},
                     {"paper", claim.paper.empty() ? Json() : Json(claim.paper)},
                     {"remarks", claim.remarks.empty() ? Json() : Json(claim.remarks)},
                     {"unit", claim.unit ? unit_json(*claim.unit) : Json()},
                     {"gate", claim.gate.empty() ? Json() : Json(claim.gate)},
                     {"adaptation_only", claim.adaptation_only},
                     {"source", claim.source},
                     {"table", claim.table},
                     {"complete", claim.complete()},
                     {"seeds", claim.seeds},
                     {"planned_seeds", claim.planned_seeds},
                     {"smallest", claim.smallest},
                     {"test", claim.test->name},
                     {"column", claim.column},
                     {"row", claim.row},
                     {"than", claim.than},
                     {"margin", claim.margin},
                     {"alpha", json_number(alpha_of(claim))},
                     {"judgement", claim.judgement ? judgement_json(*claim.judgement) : Json()},
                     {"q", json_number(claim.q)},
                     {"looks", looks}});
    }
    return all.dump(2) + "\n";
  }

  std::string of_kind(const KindTable& table) const override { return table.json.dump(2) + "\n"; }
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "json", .summary = "all fields of a table"},
                              [](const NoFields&) { return std::make_shared<JsonFormat>(); });

}  // namespace
}  // namespace rethink
