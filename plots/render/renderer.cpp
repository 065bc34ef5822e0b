#include "plots/render/renderer.h"

#include "core/json.h"

namespace rethink {

std::optional<std::string> Renderer::after_another(const std::string&) const {
  return std::nullopt;
}

RendererRegistry& renderers() {
  static RendererRegistry registry("renderer", "plots/render");
  return registry;
}

Json json_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const Cell& cell) {
  Json samples = Json::object();
  for (const Sample& sample : cell.samples) samples[std::to_string(sample.seed)] = sample.value;
  Json tests = Json::array();
  for (const CellTest& test : cell.tests)
    tests.push_back({{"p", json_number(test.p)}, {"significant", test.significant}});
  Json marks = Json::array();
  for (const Mark& mark : cell.marks) marks.push_back({{"mark", mark.name()}, {"text", mark.text}});
  return {
      {"value", json_number(cell.value)},
      {"spread", json_number(cell.spread)},
      {"by_seed", samples},
      {"n", cell.samples.size()},
      {"planned", cell.planned()},
      {"diverged", cell.diverged()},
      {"paper", cell.paper ? Json(cell.paper->value) : Json()},
      {"paper_text", cell.paper ? Json(cell.paper->text) : Json()},
      {"difference", json_number(cell.difference)},
      {"delta", json_number(cell.delta)},
      {"paper_delta", json_number(cell.paper_delta)},
      {"delta_interval",
       cell.delta_interval ? Json{cell.delta_interval->low, cell.delta_interval->high} : Json()},
      {"tests", tests},
      {"best", cell.best},
      {"marks", marks},
      {"trials", cell.trials}};
}

}  // namespace rethink
