// Figures of permutations, from spec to gnuplot's script.
#include "plots/figure/kinds/permutations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/figure/figure.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<PermutationPanel>& permutation_panels_of(const Figure& figure) {
  return dynamic_cast<const PermutationsDrawing&>(*figure.drawing).panels;
}

const std::string kPermutationsSpec = R"(figure: example/permutations
kind: permutations
words: [a, b, c]
panels:
  - {label: one on, permutation: next}
  - {permutation: next, direction: backward}
)";

TEST(Permutations, ShowWhatTheCodeDoes) {
  const FigureSpec spec = figure_spec_of(kPermutationsSpec);
  EXPECT_TRUE(sweeps_of(spec).empty());
  const Figure figure = make_figure(spec, make_grids(spec, {}), {}, {});
  ASSERT_EQ(permutation_panels_of(figure).size(), 2u);
  EXPECT_EQ(permutation_panels_of(figure)[0].label, "one on");
  EXPECT_THAT(permutation_panels_of(figure)[0].from, ElementsAre(1, 2, 0));
  EXPECT_EQ(permutation_panels_of(figure)[1].label, "next");
  EXPECT_THAT(permutation_panels_of(figure)[1].from, ElementsAre(2, 0, 1));
  EXPECT_TRUE(figure.complete());
  EXPECT_FALSE(figure.empty());
}

TEST(Permutations, ScriptDrawsAnArrowFromEachWordToItsPlace) {
  const FigureSpec spec = figure_spec_of(kPermutationsSpec);
  const Figure figure = make_figure(spec, make_grids(spec, {}), {}, {});
  EXPECT_THAT(figure_data(figure), HasSubstr("# one on\n\"b\" 1 0\n\"c\" 2 1\n\"a\" 0 2\n"));
  EXPECT_THAT(figure_script(figure, "p"), HasSubstr("DATA index 1 using 2:(0.82):($3-$2)"));
}

TEST(Permutations, SayWhatIsWrong) {
  EXPECT_THAT(
      [] { figure_spec_of(with(kPermutationsSpec, "permutation: next}", "permutation: nxt}")); },
      ThrowsMessage<ConfigError>(
          HasSubstr("spec.yaml:5:34: error: permutation: got 'nxt', expected one of "
                    "next, next_two, random, reverse, swap; did you mean 'next'?")));
  EXPECT_THAT([] { figure_spec_of(with(kPermutationsSpec, "words: [a, b, c]\n", "")); },
              ThrowsCode("missing-key"));
  EXPECT_THAT(
      [] {
        figure_spec_of(
            with(kPermutationsSpec, "  - {permutation: next, direction: backward}\n", "") +
            "sweep: s.yaml\n");
      },
      ThrowsMessage<ConfigError>(HasSubstr("unknown key 'sweep' of a figure")));
}

}  // namespace
}  // namespace rethink::test
