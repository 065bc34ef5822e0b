#include "plots/figure/figure_spec.h"

#include <fmt/format.h>

#include "core/error.h"
#include "plots/figure/figure_kind.h"
#include "plots/spec_sweeps.h"

namespace rethink {
namespace {

/// "3.3in", "84mm", "8.4cm" or "240pt" in inches. Adds a problem and returns nothing for another
/// form.
std::optional<double> parse_length(const Word& given, Problems& problems) {
  constexpr std::pair<const char*, double> kInches[] = {
      {"in", 1}, {"cm", 1 / 2.54}, {"mm", 1 / 25.4}, {"pt", 1 / 72.27}};
  constexpr double kLeast = 1, kMost = 20;
  for (const auto& [unit, inches] : kInches) {
    if (!given.text.ends_with(unit)) continue;
    const auto number = parse_number(given.text.substr(0, given.text.size() - 2));
    if (number && *number * inches >= kLeast && *number * inches <= kMost) return *number * inches;
  }
  problems.add(given.at, "invalid-value",
               fmt::format("width: got '{}', expected a length from {}in to {}in with its "
                           "unit, in, cm, mm or pt, such as 3.3in",
                           given.text, kLeast, kMost));
  return std::nullopt;
}

PageSpec read_page(SpecReader& reader, Problems& problems) {
  constexpr double kLeastFont = 4, kMostFont = 24;
  PageSpec page;
  page.caption = reader.optional_text("caption");
  if (const std::optional<Word> width = reader.word("width"))
    page.width_in = parse_length(*width, problems);
  const Yaml* font = reader.take("font_size");
  page.font_pt = reader.number("font_size");
  if (page.font_pt && (*page.font_pt < kLeastFont || *page.font_pt > kMostFont)) {
    problems.add(font->where, "invalid-value",
                 fmt::format("font_size: got {}, expected {} to {} [pt]", font->scalar, kLeastFont,
                             kMostFont));
  }
  return page;
}

}  // namespace

FigureSpec read_figure_spec(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& paths) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  if (!paths.empty()) check_sweeps_named(document, paths, problems);
  return read_figure_spec(document, file, problems);
}

FigureSpec read_figure_spec(const Yaml& document, const std::filesystem::path& file,
                            Problems& problems) {
  SpecReader reader(document, "figure", problems);
  FigureSpec spec;
  spec.points.file = file;
  spec.points.name = reader.name_of_spec("figure");
  const std::optional<std::string> title = reader.optional_text("title");
  spec.points.title = title.value_or("");
  spec.page = read_page(reader, problems);
  spec.page.has_title = !title || !title->empty();
  const size_t before = problems.added();
  const std::string kind = reader.choice("kind", figure_kinds().names(), "line");
  const std::shared_ptr<FigureKind> made = figure_kinds().make(kind, Json::object());
  if (made->has_panels() && spec.page.is_for_print()) {
    const Yaml* given = document.find("width");
    problems.add((given ? given : document.find("font_size"))->where, "misplaced-key",
                 "width and font_size go with a figure that has axes");
  }
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
