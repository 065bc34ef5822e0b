// `rethink figure`: draws figures from the store alone, with script and data file beside them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/named_files.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/table_view.h"
#include "core/message.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

class FigureCommand : public Command {
 public:
  std::string positional() const override { return "FIGURE|SWEEP..."; }
  void declare(po::options_description& options) const override {
    declare_rendering_choices(options);
    declare_like_last_run(options);
    options.add_options()("stage", po::value<std::string>()->value_name("STAGE"),
                          "for a SWEEP: show this stage (default: the first stage with a score)");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const RenderingChoices chosen = rendering_choices(context, given);
    SpecNames names("figures", context.paths);
    const std::string stage = given.count("stage") ? given["stage"].as<std::string>() : "";
    return for_each_spec(chosen_specs(context, given, "figures"), [&](const std::string& name) {
      int worst = kDone;
      const RenderingChoices own = choices_of_named(context, given, chosen, "figures", name);
      for (NamedFigure& figure : figures_named(context, name, own, stage)) {
        const int code = make(context, given, name, std::move(figure), own, names);
        if (code > kSomeFailed) return code;
        worst = std::max(worst, code);
      }
      return worst;
    });
  }

 private:
  static int make(const CommandContext& context, const po::variables_map& given,
                  const std::string& name, NamedFigure named, const RenderingChoices& chosen,
                  SpecNames& names) {
    if (named.plans)
      names.require_unused(named.figure.name(), name);
    else
      names.take(named.spec);
    FigureView view = plan_figure_view(context, std::move(named), chosen);
    read_view(context, open_store(context).get(), view);
    if (given.count("run") && !view.made.to_run.empty()) {
      std::set<std::string> shown;
      for (const Grid* grid : {&view.grids.points, &view.grids.lines})
        add_trials_with_needs(*grid, shown);
      const int ran = run_missing(context, given, view.plans, chosen.plan, view.made.to_run, shown,
                                  resuming_words("figure", name, given));
      if (ran != kDone && ran != kSomeFailed) return ran;
      read_view(context, open_store(context).get(), view);
    }
    const Figure& figure = view.made;
    if (figure.missing > 0) {
      const std::string missing =
          not_done_text(figure.missing, figure.trials, figure.needed.size());
      if (figure.can_start) {
        std::cerr << fmt::format(
            "{}: {}; run them with: {}\n", figure.name, missing,
            chosen.again.with_choices(fmt::format("figure {} --run", for_a_shell(name))));
      } else {
        std::cerr << fmt::format("{}: {}\n", figure.name, missing);
      }
      print_other_settings(context, chosen, files_of(view.plans), "figure " + for_a_shell(name),
                           trials_of(view.plans), stages_of({&view.spec.points, &view.spec.lines}));
    }
    if (!figure.needs_data.empty())
      std::cerr << fmt::format("{}: {}\n", figure.name, figure.needs_data);
    for (const std::string& note : figure.on_request)
      std::cerr << fmt::format("{}: {}\n", figure.name, note);
    if (!figure.not_measured.empty())
      std::cerr << fmt::format("{}: {}\n", figure.name, figure.not_measured);
    if (figure.empty()) {
      std::cerr << fmt::format("{}: not drawn: {}\n", figure.name, figure.why_empty());
      return kSomeFailed;
    }
    const std::filesystem::path place = context.out / "figures" / figure.name;
    make_out_folder(place.parent_path());
    try {
      for (const auto& drawn : draw_figure(figure, place.parent_path(), last_part_of(figure.name)))
        std::cout << drawn.string() << "\n";
    } catch (const NothingDrawn& error) {
      std::cerr << error.what() << "\n";
      return kSomeFailed;
    }
    return figure.complete() ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED = add_command<FigureCommand>(
    "figure", "draw figures of a paper or of a sweep as SVG, PDF and PNG");

}  // namespace
}  // namespace rethink
