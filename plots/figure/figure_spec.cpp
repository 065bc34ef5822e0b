#include "plots/figure/figure_spec.h"

#include "core/error.h"
#include "plots/figure/figure_kind.h"

namespace rethink {

FigureSpec read_figure_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "figure", problems);
  FigureSpec spec;
  spec.points.file = file;
  spec.points.name = reader.name_of_spec("figure");
  spec.points.title = reader.text("title");
  const size_t before = problems.added();
  const std::string kind = reader.choice("kind", figure_kinds().names(), "line");
  const std::shared_ptr<FigureKind> made = figure_kinds().make(kind, Json::object());
  made->read(document, reader, problems.added() == before, spec, problems);
  problems.throw_if_any();
  spec.kind = made;
  return spec;
}

std::vector<Word> sweeps_of(const FigureSpec& spec) {
  if (spec.points.rows.empty()) return {};
  return spec.lines.rows.empty() ? sweeps_of(spec.points) : sweeps_of({&spec.points, &spec.lines});
}

}  // namespace rethink
