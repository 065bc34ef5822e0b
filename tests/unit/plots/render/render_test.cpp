#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "core/files/file.h"
#include "core/json.h"
#include "plots/render/renderer.h"
#include "plots/text_format.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

/// Returns a table with numbers of every kind: partial, missing, published, unlike.
Table rich_table() {
  std::string text = with(kExampleSpec, "{axis: arm, labels: {star: Star}}",
                          "[{axis: arm, labels: {star: Star}}, {label: A & B_c, published: 100% of "
                          "it is the paper's}]");
  text = with(text, "  Star: {", "  A & B_c: {CoLA: 0.4, RTE: 0.7}\n  Star: {");
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 1)] = {};
  records[trial_named("star", "CoLA", 1)].state = TrialState::running;
  for (int64_t seed = 0; seed < 3; ++seed) records.erase(trial_named("star", "RTE", seed));
  records[trial_named("star", "CoLA", 0)].measurements["parameters"] = 1010;
  return table_of(text, example_plans(3, "small"), records, {" --profile small"});
}

const Judgement kJudgement = {.verdict = Verdict::holds,
                              .gain = 0.02,
                              .interval = Interval{0.0125, 0.03},
                              .level = 0.975,
                              .p = 0.0078125};

std::vector<ClaimResult> some_claims() {
  return {{.name = "first",
           .says = "Star is better than dense",
           .source = "Table 1",
           .table = "example/scores",
           .file = "bet",
           .verdict = Verdict::holds,
           .why = "better by 0.02",
           .judgement = kJudgement,
           .smallest = 0.005,
           .looks = {{{5, 0.025}, kJudgement}},
           .q = 0.02,
           .seeds = 5,
           .planned_seeds = 8,
           .paper = "better by 0.4",
           .remarks = "partial data: trained on 64 of 8,551 examples"},
          {.name = "second",
           .says = "a claim with a comma, and \"quotes\"",
           .table = "t",
           .file = "a3",
           .why = "trials are missing",
           .decides = "the look at 5 seeds: 3 of them have values",
           .planned_seeds = 5,
           .incomplete = true,
           .run_with = "rethink table t --run"}};
}

class Rendering : public testing::TestWithParam<std::string> {};

/// LaTeX compiles a table of any name, and a reference finds it.
TEST(Rendering, OfATableCompilesInLatex) {
  if (std::system("command -v pdflatex > /dev/null && kpsewhich booktabs.sty > /dev/null") != 0)
    GTEST_SKIP() << "no pdflatex here";
  std::string all;
  for (char c = ' '; c <= '~'; ++c) all += c;
  const auto renderer = renderers().make("latex", Json::object());
  for (const std::string& name : {std::string("p%q"), std::string("p#q"), std::string("p{q"),
                                  std::string("p}q"), all, std::string("caf\u00E9 \u6CE8")}) {
    SCOPED_TRACE(name);
    Table table = rich_table();
    table.name = name;
    table.title = "A table";
    const TempFolder folder;
    write_text(folder / "a.tex",
               "\\documentclass{article}\\usepackage{booktabs,graphicx}\n\\begin{document}\n" +
                   renderer->table(table) + "\\end{document}\n");
    const std::string command = fmt::format(
        "cd {0} && pdflatex -interaction=nonstopmode -halt-on-error a.tex > out && "
        "pdflatex -interaction=nonstopmode -halt-on-error a.tex > out",
        folder.path().string());
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "out");
  }
}

TEST_P(Rendering, OfATableIsAsItWas) {
  const auto renderer = renderers().make(GetParam(), Json::object());
  const std::string whole = renderer->table(example_table());
  EXPECT_EQ(whole, golden("tables/whole." + renderer->extension(), whole));
  const std::string partial = renderer->table(rich_table());
  EXPECT_EQ(partial, golden("tables/partial." + renderer->extension(), partial));
}

TEST_P(Rendering, OfATableWithTwoTestsIsAsItWas) {
  const auto renderer = renderers().make(GetParam(), Json::object());
  const std::string both =
      renderer->table(table_of(two_tests_spec(), example_plans(), example_records()));
  EXPECT_EQ(both, golden("tables/two_tests." + renderer->extension(), both));
}

TEST(Rendering, OfABareTableIsTheTabularAlone) {
  const auto renderer = renderers().make("latex", Json::object());
  ASSERT_TRUE(renderer->make_bare());
  const std::string with_paper = renderer->table(rich_table());
  EXPECT_EQ(with_paper, golden("tables/bare.tex", with_paper));
  // Without a paper's numbers, a column with one number has only its name and no rule below the name.
  std::string spec = with(kExampleSpec, "test: {baseline: dense}\n", "");
  spec.erase(spec.find("paper:"), spec.find("notes:") - spec.find("paper:"));
  const std::string alone = renderer->table(table_of(spec, example_plans(), example_records()));
  EXPECT_EQ(alone, golden("tables/bare_alone.tex", alone));
}

TEST(Rendering, OnlyLatexShowsTheMathematicsOfLabels) {
  Table table = example_table();
  table.title = "By $\\lambda^2$";
  table.rows[0].label = "$\\gamma^{2}$";
  const auto shown = [&](const std::string& format) {
    return renderers().make(format, Json::object())->table(table);
  };
  EXPECT_THAT(shown("latex"), testing::HasSubstr("\\caption{By $\\lambda^2$}"));
  EXPECT_THAT(shown("latex"), testing::HasSubstr("\\midrule\n$\\gamma^{2}$ &"));
  for (const char* format : {"text", "md", "html"}) {
    EXPECT_THAT(shown(format), testing::HasSubstr("By \u03BB^2")) << format;
    EXPECT_THAT(shown(format), testing::HasSubstr("\u03B3^2")) << format;
    EXPECT_THAT(shown(format), testing::Not(testing::HasSubstr("$"))) << format;
  }
}

TEST(Rendering, OnlyLatexHasBareTables) {
  for (const std::string& name : renderers().names()) {
    EXPECT_EQ(renderers().make(name, Json::object())->make_bare(), name == "latex") << name;
  }
}

TEST(Rendering, OfATableWithDivergedSeedsIsAsItWas) {
  TrialRecords records = example_records();
  for (const char* trial : {"star-CoLA-1", "star-RTE-0", "star-RTE-1", "star-RTE-2"}) {
    records[trial].state = TrialState::diverged;
  }
  const Table table = table_of(kExampleSpec, example_plans(), records);
  const std::string text = renderers().make("text", Json::object())->table(table);
  EXPECT_EQ(text, golden("tables/diverged.txt", text));
  // Without footnotes, the cell itself says that its number is too good.
  const auto latex = renderers().make("latex", Json::object());
  ASSERT_TRUE(latex->make_bare());
  EXPECT_THAT(latex->table(table),
              testing::HasSubstr("Star & 0.530 $\\pm$ 0.014 (2 seeds, 1 diverged) & 2 &"));
}

/// LaTeX's own fonts have these letters only in formulas.
TEST(Rendering, OfLatexWritesGreekLettersAsFormulas) {
  const SpecFile file(
      with(kExampleSpec, "{axis: task}", "{axis: task, labels: {CoLA: μ σ λ τ Δ}}"));
  const Plans plans = example_plans();
  const TableSpec spec = read_table_spec(file.path());
  const std::string text = renderers()
                               .make("latex", Json::object())
                               ->table(make_table(spec, make_grid(spec, plans), example_records()));
  EXPECT_THAT(text, testing::HasSubstr("$\\mu$ $\\sigma$ $\\lambda$ $\\tau$ $\\Delta$"));
}

TEST_P(Rendering, OfClaimsIsAsItWas) {
  const auto renderer = renderers().make(GetParam(), Json::object());
  const std::string text = renderer->claims(some_claims());
  EXPECT_EQ(text, golden("tables/claims." + renderer->extension(), text));
}

TEST(Rendering, OfClaimsCountsVerdictsByFileAndSaysOnWhatSeedsTheyRest) {
  std::vector<ClaimResult> claims = some_claims();
  EXPECT_EQ(verdicts_text({}), "0 hold, 0 fail, 0 undecided");
  EXPECT_EQ(verdicts_text({{.verdict = Verdict::holds, .adaptation_only = true},
                           {.verdict = Verdict::fails},
                           {.verdict = Verdict::undecided, .adaptation_only = true}}),
            "1 holds, 1 fails (1 of these adaptation only), 1 undecided");
  claims.push_back({.name = "third", .file = "bet", .verdict = Verdict::fails, .seeds = 8});
  claims.push_back({.name = "fourth", .file = "bet", .incomplete = true, .unmeasured = true});
  EXPECT_EQ(verdicts_by_file(claims),
            "bet: 1 holds, 1 fails (1 of these with q at most 0.05), 1 undecided; a3: 0 hold, 0 "
            "fail, 1 undecided (1 waits for trials)");
  const Sheet sheet = make_sheet(claims);
  EXPECT_EQ(whole(sheet.notes).at(0), "verdicts rest on 5 to 8 seeds");
  EXPECT_EQ(
      whole(sheet.notes).at(1),
      "among verdicts with q at most 0.05, at most 5 % are expected to be false, if the tests "
      "are independent or depend on each other positively");
  EXPECT_EQ(whole(sheet.notes).at(3),
            "NOT COMPLETE: 1 of 4 claims lack values of trials that are done: fourth; `rethink "
            "why` has more");
  EXPECT_THAT(whole(sheet.notes).back(), testing::StartsWith("a3: ")) << "a line for each file";
  claims[0].verdict = claims[2].verdict = Verdict::undecided;
  EXPECT_THAT(testing::PrintToString(whole(make_sheet(claims).notes)),
              testing::Not(testing::AnyOf(testing::HasSubstr("verdicts rest"),
                                          testing::HasSubstr("among verdicts"))));
  EXPECT_THAT(whole(make_sheet(std::vector{claims[1]}).notes).front(),
              testing::StartsWith("NOT COMPLETE"));
}

TEST(Rendering, OfClaimsOnANarrowTerminalPutsSentencesBelowEachOther) {
  const auto renderer = renderers().make("text", Json::object());
  renderer->fit(60);
  EXPECT_EQ(
      renderer->claims(
          {{.name = "a_claim_with_a_name",
            .says = "Star is better than dense on all of the tasks of this table, and more",
            .source = "Table 1",
            .table = "t",
            .why = "trials are missing",
            .incomplete = true,
            .run_with = "rethink claims c --run",
            .on_request = {{"failed trials run again only on request", ": rethink retry s"}}}}),
      "claims: what the papers say, and whether it holds here\n\n"
      "a_claim_with_a_name: undecided\n"
      "  claim    Star is better than dense on all of the tasks of\n"
      "           this table, and more\n"
      "  why      trials are missing\n"
      "  source   Table 1\n\n"
      "NOT COMPLETE: 1 of 1 claims wait for trials; run them with:\n"
      "  rethink claims c --run\n"
      "failed trials run again only on request: rethink retry s\n"
      "0 hold, 0 fail, 1 undecided (1 waits for trials)\n");
  renderer->fit(160);
  EXPECT_NE(renderer->claims(some_claims()).find("second  undecided  "), std::string::npos);
}

/// Trials that the claim's rule never reads are not advised.
TEST(Rendering, OfClaimsAdvisesOnlyRunsThatMayDecideOne) {
  std::vector<ClaimResult> claims(3);
  for (ClaimResult& claim : claims) {
    claim.incomplete = true;
    claim.plans_too_few = true;
    claim.run_with = "rethink claims c --run";
  }
  const auto notes = [&] { return testing::PrintToString(whole(make_sheet(claims).notes)); };
  EXPECT_THAT(notes(), testing::Not(testing::HasSubstr("rethink claims c --run")));
  EXPECT_THAT(notes(), testing::HasSubstr("NOT COMPLETE: 3 of 3 claims lack trials, which would "
                                          "decide none of them"));
  claims[0].plans_too_few = false;
  EXPECT_THAT(
      notes(),
      testing::HasSubstr(
          "NOT COMPLETE: 1 of 3 claims wait for trials; run them with: rethink claims c --run"));
}

/// A gate that closes answers a claim, even with few planned seeds.
TEST(Rendering, OfClaimsAdvisesThePilotOfAGateThatWaits) {
  const std::vector<ClaimResult> claims = {{.name = "c",
                                            .plans_too_few = true,
                                            .waits_for_gate = true,
                                            .incomplete = true,
                                            .run_with = "rethink claims c --run"}};
  EXPECT_THAT(whole(make_sheet(claims).notes),
              testing::ElementsAre("NOT COMPLETE: 1 of 1 claims wait for trials; run them with: "
                                   "rethink claims c --run",
                                   "0 hold, 0 fail, 1 undecided (1 waits for trials)"));
}

TEST(Rendering, OfClaimsAdvisesDataWhereTrialsCannotRun) {
  std::vector<ClaimResult> claims(3);
  for (ClaimResult& claim : claims) {
    claim.incomplete = true;
    claim.run_with = "rethink claims c --run";
    claim.lacks_data = {"`make weights`"};
  }
  const std::string data =
      "need data that is not here; name its folder with --data or RETHINK_DATA, or get it: "
      "`make weights`";
  EXPECT_THAT(whole(make_sheet(claims).notes),
              testing::ElementsAre("NOT COMPLETE: 3 of 3 claims " + data, testing::_));
  claims[1].plans_too_few = true;
  claims[2].lacks_data.clear();
  EXPECT_THAT(whole(make_sheet(claims).notes),
              testing::IsSupersetOf({"NOT COMPLETE: 1 of 3 claims " + data,
                                     std::string("NOT COMPLETE: 1 of 3 claims wait for trials; run "
                                                 "them with: rethink claims c --run")}));
}

TEST(Rendering, OfClaimsWithAWordThatNoColumnHoldsPutsSentencesBelowEachOther) {
  const auto renderer = renderers().make("text", Json::object());
  renderer->fit(100);
  std::string sentence = "a";
  for (int i = 0; i < 20; ++i) sentence += " word";
  const std::string word(42, 'x');
  EXPECT_THAT(
      renderer->claims({{.name = "claim", .says = sentence, .table = "t", .why = word + " y"}}),
      testing::HasSubstr("\nclaim: undecided\n"));
  EXPECT_THAT(renderer->claims({{.name = "claim", .says = sentence, .table = "t", .why = "short"}}),
              testing::Not(testing::HasSubstr("\nclaim: undecided\n")));
}

TEST(Rendering, OfATableOnANarrowTerminalPutsColumnsBelowEachOther) {
  const auto renderer = renderers().make("text", Json::object());
  const auto lines_of = [&](size_t columns) {
    renderer->fit(columns);
    std::vector<std::string> lines;
    std::istringstream in(renderer->table(example_table()));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const auto rows = [](const std::vector<std::string>& lines) {
    return std::ranges::count_if(lines, [](auto& line) { return line.starts_with("dense "); });
  };
  const std::vector<std::string> narrow = lines_of(80), wide = lines_of(200);
  EXPECT_EQ(rows(narrow), 3);
  EXPECT_EQ(rows(lines_of(120)), 2);
  EXPECT_EQ(rows(wide), 1);
  for (size_t i = 0; i < 18; ++i) EXPECT_LE(width_of(narrow[i]), 80u) << narrow[i];
  EXPECT_EQ(narrow[2], std::string(57, ' ') + "CoLA ↑");
  EXPECT_EQ(narrow[9], std::string(57, ' ') + "RTE ↑");
  EXPECT_EQ(narrow.back(), wide.back());
}

TEST(Rendering, OfClaimsAsTextFitsATerminal) {
  const std::string sentence =
      "a sentence that is as long as sentences of papers sometimes are, and then some words more";
  const std::string text = renderers()
                               .make("text", Json::object())
                               ->claims({{.name = "a_claim_with_a_name",
                                          .says = sentence,
                                          .source = sentence,
                                          .table = "t",
                                          .why = sentence}});
  std::istringstream lines(text);
  std::set<std::string> words;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(width_of(line), 100u) << line;
    std::istringstream in(line);
    for (std::string word; in >> word;) words.insert(word);
  }
  std::istringstream in(sentence);
  for (std::string word; in >> word;) EXPECT_TRUE(words.contains(word)) << word;
}

TEST(Rendering, AsMarkdownShowsSignsOfPeoplesWordsAsTheyAre) {
  const std::string words = R"(_x_ `run` [l](u) $a_b$ \d *b* a|b <i>)";
  Sheet sheet;
  sheet.title = words;
  sheet.headers = {{words, "ours"}};
  sheet.labels = {words};
  sheet.rows = {{SheetBox()}};
  sheet.footnotes = {{"a", words}};
  sheet.notes = {SheetNote{words}};
  const auto renderer = renderers().make("md", Json::object());
  const std::string text = dynamic_cast<const SheetRenderer&>(*renderer).sheet(sheet);
  const std::string plain = R"(\_x\_ \`run\` \[l\](u) \$a\_b\$ \\d \*b\* a\|b &lt;i>)";
  size_t count = 0;
  for (size_t at = text.find(plain); at != std::string::npos; at = text.find(plain, at + 1))
    ++count;
  EXPECT_EQ(count, 5u) << text;
}

TEST(Rendering, AsLatexTakesNoLabelForALengthAndLeavesOutHints) {
  Sheet sheet;
  sheet.headers = {{"a|b", "ours"}};
  sheet.labels = {"[CLS]", "*", "FAVOR|pos"};
  sheet.rows.resize(3, {SheetBox()});
  sheet.notes = {
      {"not shown: 2 of 3 rows (a; b)", "; to see them: rethink table t --unplanned"},
      {"made by the author: rethink 0.1 (`rethink run t`); in the spec, rates are per step"}};
  const auto renderer = renderers().make("latex", Json::object());
  const std::string text = dynamic_cast<const SheetRenderer&>(*renderer).sheet(sheet);
  using testing::HasSubstr;
  EXPECT_THAT(text, HasSubstr("\\midrule\n{}[CLS] & "));
  EXPECT_THAT(text, HasSubstr("\\\\\n{}* & "));
  EXPECT_THAT(text, HasSubstr("FAVOR\\textbar{}pos & "));
  EXPECT_THAT(text, HasSubstr("{a\\textbar{}b}"));
  EXPECT_THAT(text, HasSubstr("\nnot shown: 2 of 3 rows (a; b).\n"));
  EXPECT_THAT(text, Not(HasSubstr("--unplanned")));
  EXPECT_THAT(text, HasSubstr("in the spec, rates are per step.\n")) << "a note of the spec stays";
}

TEST(Rendering, AsCsvHasThePapersNumbersWithoutTheirMarks) {
  Table unnamed = example_table();
  unnamed.name.clear();
  EXPECT_THAT(renderers().make("csv", Json::object())->table(unnamed),
              testing::HasSubstr("\n,,dense,CoLA,"))
      << "empty fields keep their commas";
  const std::string text = renderers().make("csv", Json::object())->table(example_table());
  std::istringstream in(text);
  std::map<std::string, std::string> papers;  // by row and column
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    papers[fields.at(2) + " " + fields.at(3)] = fields.at(11) + " " + fields.at(12);
  }
  EXPECT_EQ(papers["row column"], "paper paper_mark");
  EXPECT_EQ(papers["dense CoLA"], "0.49 ");
  EXPECT_EQ(papers["Star CoLA"], "0.51 *");
  EXPECT_THAT(papers["Star Avg."], testing::MatchesRegex("0\\.55[0-9]+ computed"));
}

INSTANTIATE_TEST_SUITE_P(All, Rendering,
                         testing::Values("csv", "html", "json", "latex", "md", "text"));

}  // namespace
}  // namespace rethink::test
