// One line per cell with every number in full, for other programs.
#include <fmt/format.h>

#include "plots/render/renderer.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

std::string csv_number(const std::optional<double>& value) {
  return value ? shortest(*value) : "";
}

class Csv : public Renderer {
 public:
  std::string extension() const override { return "csv"; }
  std::optional<std::string> after_another(const std::string& document) const override {
    return document.substr(document.find('\n') + 1);  // the header is at the top of the file
  }

  std::string table(const Table& table) const override {
    std::string out =
        "table,profile,row,column,value_name,value,spread,spread_kind,n,planned,diverged,paper,"
        "paper_mark,difference,delta,delta_low,delta_high,paper_delta,p,marks,trials,test,second_"
        "test,"
        "second_p\n";
    for (size_t row = 0; row < table.rows.size(); ++row) {
      for (size_t column = 0; column < table.columns.size(); ++column) {
        out += cell_line(table, row, column);
      }
    }
    return out;
  }

  std::string claims(const std::vector<ClaimResult>& claims) const override {
    std::string out =
        "file,claim,verdict,scope,says,why,decides,source,table,complete,seeds,planned_seeds,"
        "smallest,"
        "gain,low,high,level,p,q,paper,remarks,test,column,row,than,margin,alpha,gate,row_mean,"
        "than_mean,sd,"
        "items_low,items_high,items_p,seeds_p,unit,unit_times,unit_less\n";
    for (const ClaimResult& claim : claims) {
      std::optional<double> gain, low, high, level, p;
      JudgedNumbers numbers;
      // If a gate is closed, the claim has numbers and no verdict.
      const Judgement* judgement = claim.judgement       ? &*claim.judgement
                                   : claim.looks.empty() ? nullptr
                                                         : &claim.looks.back().judgement;
      if (judgement) {
        gain = judgement->gain;
        p = judgement->p;
        numbers = judgement->numbers;
      }
      if (judgement && judgement->interval) {
        low = judgement->interval->low;
        high = judgement->interval->high;
        level = judgement->level;
      }
      out += csv_line({claim.file,
                       claim.name,
                       to_text(claim.verdict),
                       to_text(claim.scope),
                       claim.says,
                       claim.why,
                       claim.decides,
                       claim.source,
                       claim.table,
                       claim.complete() ? "true" : "false",
                       fmt::format("{}", claim.seeds),
                       fmt::format("{}", claim.planned_seeds),
                       shortest(claim.smallest),
                       csv_number(gain),
                       csv_number(low),
                       csv_number(high),
                       csv_number(level),
                       csv_number(p),
                       csv_number(claim.q),
                       claim.paper,
                       claim.remarks,
                       claim.test->name,
                       claim.column,
                       claim.row,
                       claim.than,
                       shortest(claim.margin),
                       csv_number(alpha_of(claim)),
                       claim.gate,
                       csv_number(numbers.row),
                       csv_number(numbers.than),
                       csv_number(numbers.deviation),
                       numbers.items ? shortest(numbers.items->low) : "",
                       numbers.items ? shortest(numbers.items->high) : "",
                       csv_number(numbers.items_p),
                       csv_number(numbers.seeds_p),
                       claim.unit ? claim.unit->name : "",
                       claim.unit ? shortest(claim.unit->times) : "",
                       claim.unit ? shortest(claim.unit->less) : ""});
    }
    return out;
  }

  std::string of_kind(const KindTable& table) const override { return table.csv; }

 private:
  static std::string cell_line(const Table& table, size_t row, size_t column) {
    const Cell& cell = table.cells[row][column];
    std::vector<std::string> marks;
    for (const Mark& mark : cell.marks) marks.push_back(mark.name());
    const auto& interval = cell.delta_interval;
    const auto kind_of = [&](size_t test) {
      return test < table.tests.size() ? table.tests[test].kind : "";
    };
    const auto p_of = [&](size_t test) {
      return test < cell.tests.size() ? csv_number(cell.tests[test].p) : "";
    };
    return csv_line({table.name,
                     table.profile,
                     table.rows[row].label,
                     table.columns[column].label,
                     table.columns[column].value,
                     csv_number(cell.value),
                     csv_number(cell.spread),
                     table.spread,
                     fmt::format("{}", cell.samples.size()),
                     fmt::format("{}", cell.planned()),
                     fmt::format("{}", cell.diverged().size()),
                     cell.paper ? shortest(cell.paper->value) : "",
                     cell.paper ? cell.paper->mark() : "",
                     csv_number(cell.difference),
                     csv_number(cell.delta),
                     interval ? shortest(interval->low) : "",
                     interval ? shortest(interval->high) : "",
                     csv_number(cell.paper_delta),
                     p_of(0),
                     joined(marks, ";"),
                     joined(cell.trials, ";"),
                     kind_of(0),
                     kind_of(1),
                     p_of(1)});
  }
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "csv", .summary = "one line per cell, every number in full"},
                              [](const NoFields&) { return std::make_shared<Csv>(); });

}  // namespace
}  // namespace rethink
