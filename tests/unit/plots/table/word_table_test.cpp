// Tables of words, from the artifacts of the analysis attended_tokens to every format.
#include "plots/table/kinds/word_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "plots/render/renderer.h"
#include "plots/table/kinds/word_forms.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

const std::string kWordTableSpec = R"(table: example/words
kind: words
title: Example
sweep: s.yaml
stage: attended
artifact: attended_tokens
rows:
  - {label: layer 1, sentence: 1, layer: 1}
  - {label: layer 3, sentence: 1, layer: 3}
columns: [{axis: arm}]
paper:
  layer 1: {plain: [cat, "[comma]", saw], eye: [a, saw]}
notes: [a note of the spec]
)";

/// Fixture with two arms of two seeds, each with a sentence in two layers.
class WordTables : public testing::Test {
 protected:
  WordTables() {
    for (const char* arm : {"plain", "eye"}) {
      for (int64_t seed = 0; seed < 2; ++seed) add(arm, seed);
    }
  }

  void add(const std::string& arm, int64_t seed) {
    PlannedTrial planned;
    planned.trial.id = fmt::format("{}-{}", arm, seed);
    planned.trial.seed = seed;
    planned.stage = "attended";
    planned.labels = {{"arm", arm}};
    plans_["s.yaml"].trials.push_back(planned);
    TrialRecord& record = records_[planned.trial.id];
    record.state = TrialState::done;
    record.seed = seed;
    record.values = {{"attended_tokens/bytes", 1.0}};
    files_[planned.trial.id].path = folder_ / planned.trial.id;
    // In "the cat , saw [a]" the counted word follows "saw", the fourth token.
    const Json other = Json::array({{{0, 1.0}}, {{0, 1.0}}, {{0, 1.0}}, {{0, 1.0}}, {{0, 1.0}}}),
               first = {other[0], other[1], other[2], other[3], {{2, 0.5}, {3, 0.25}, {1, 0.125}}},
               second = {other[0], other[1], other[2], other[3], {{4, 0.5}, {3, 0.25}}};
    const Json& top = seed == 0 ? first : second;
    write(planned.trial.id, {{{"text", "x"},
                              {"tokens", {"<start>", "the", "cat", ",", "saw", "a"}},
                              {"unknown", {2}},
                              {"target", 5},
                              {"layers", {top, other}}}});
  }

  void write(const std::string& trial, const Json& sentences) {
    write_text(files_[trial].path, Json{{"sentences", sentences}}.dump());
  }

  WordTable table(const std::string& text = kWordTableSpec) {
    const SpecFile file(text);
    const TableFile read = read_table_file(file.path());
    EXPECT_TRUE(read.kind);
    EXPECT_EQ(sweeps_of(read.spec()).size(), 1u);
    Problems problems;
    const WordTableSpec spec =
        read_word_table_spec(read_yaml(file.path(), problems), file.path(), problems);
    return make_word_table(spec, make_grid(spec.models, plans_), records_, files_);
  }

  TempFolder folder_;
  Plans plans_;
  TrialRecords records_;
  ArtifactFiles files_;
};

std::vector<std::string> words_in(const std::vector<AttendedWord>& words) {
  std::vector<std::string> texts;
  for (const AttendedWord& word : words) texts.push_back(name_of(word));
  return texts;
}

TEST_F(WordTables, HaveTheWordsOfTheFirstTrialOfASeedAndSaySo) {
  add("eye", 1);
  std::string& again = plans_["s.yaml"].trials.back().trial.id;
  again = "eye-0-again";
  plans_["s.yaml"].trials.back().trial.seed = 0;
  records_[again] = records_["eye-1"];
  files_[again] = files_["eye-1"];
  const WordTable made = table();
  EXPECT_THAT(words_in(made.cells[0][1].by_seed.at(0)), ElementsAre("cat", "[comma]", "the"));
  EXPECT_THAT(whole(made.notes), Contains("eye: of each seed one trial of several"));
  EXPECT_THAT(whole(made.notes), Not(Contains(HasSubstr("plain: of each seed"))));
}

TEST_F(WordTables, RefuseThePapersWordsOfSeveralRows) {
  EXPECT_THAT([&] { table(with(kWordTableSpec, "label: layer 3", "label: layer 1")); },
              ThrowsCode("ambiguous-name"));
}

TEST_F(WordTables, HaveTheWordsOfEverySeedBehindTheTokenBeforeTheTarget) {
  const WordTable made = table();
  EXPECT_TRUE(made.complete());
  EXPECT_THAT(made.columns, ElementsAre("plain", "eye"));
  ASSERT_EQ(made.rows.size(), 2u);
  EXPECT_TRUE(made.rows[0].is_first);
  EXPECT_FALSE(made.rows[1].is_first);
  const WordCell& cell = made.cells[0][1];
  ASSERT_EQ(cell.by_seed.size(), 2u);
  EXPECT_THAT(words_in(cell.by_seed.at(0)), ElementsAre("cat", "[comma]", "the"));
  EXPECT_THAT(words_in(cell.by_seed.at(1)), ElementsAre("saw", "[comma]"));
  EXPECT_FALSE(cell.by_seed.at(0)[0].known);
  EXPECT_EQ(cell.by_seed.at(0)[0].weight, 0.5);
  EXPECT_THAT(cell.paper, ElementsAre("a", "saw"));
  EXPECT_EQ(made.cells[1][0].lack, "no layer 3: there are 2");
}

TEST_F(WordTables, SayHowMuchSeedsAndThePaperHaveInCommon) {
  const WordTable made = table();
  EXPECT_THAT(
      whole(made.notes),
      ElementsAre("no profile",
                  "words of seed 0, each with its share of the attention; of 2 seeds: 33 % "
                  "of them are among those of another seed, too",
                  "words of the paper that are ours, too: plain 2 of 3, eye 0 of 2",
                  "*: the word is not in the vocabulary; the model reads <unk> in its place",
                  "a note of the spec"));
}

TEST_F(WordTables, ShowUnknownWordsAndTheTarget) {
  const Sheet sheet = in_every_form(table()).sheet;
  EXPECT_EQ(sheet.rows[0][0].text, "the cat* , saw [a]");
  EXPECT_EQ(sheet.rows[0][1].text, "cat*\u00a00.50, [comma]\u00a00.25, the\u00a00.12");
  EXPECT_EQ(sheet.rows[0][2].text, "cat, [comma], saw");
  EXPECT_EQ(sheet.rows[1][0].text, "");
  EXPECT_EQ(sheet.rows[1][1].text, "no layer 3: there are 2");
  EXPECT_TRUE(sheet.rows[1][1].marked);
}

TEST_F(WordTables, HaveARowForEachLayerWhereNoneIsNamed) {
  const std::string all =
      with(with(kWordTableSpec, "{label: layer 1, sentence: 1, layer: 1}", "{sentence: 1}"),
           "paper:\n  layer 1: {plain: [cat, \"[comma]\", saw], eye: [a, saw]}\n", "");
  const WordTable made = table(all);
  ASSERT_EQ(made.rows.size(), 3u);
  EXPECT_EQ(made.rows[0].label, "sentence 1, layer 1");
  EXPECT_EQ(made.rows[1].label, "sentence 1, layer 2");
  EXPECT_THAT(words_in(made.cells[1][0].by_seed.at(0)), ElementsAre("<start>"));
  for (const char* trial : {"plain-0", "plain-1", "eye-0", "eye-1"}) files_.erase(trial);
  EXPECT_EQ(table(all).rows[0].label, "sentence 1");  // the number of layers is unknown
}

TEST_F(WordTables, HaveEverySentenceInEveryLayerWhereNoRowIsNamed) {
  const std::string all =
      kWordTableSpec.substr(0, kWordTableSpec.find("rows:")) + "columns: [{axis: arm}]\n";
  const WordTable made = table(all);
  ASSERT_EQ(made.rows.size(), 2u);
  EXPECT_EQ(made.rows[1].label, "sentence 1, layer 2");
  files_.clear();
  ASSERT_EQ(table(all).rows.size(), 1u);
  EXPECT_EQ(table(all).rows[0].label, "all");
}

TEST_F(WordTables, HaveThePapersWordsBesideItsSentencesAlone) {
  const auto until = [&](const std::string& text) {
    return table(with(kWordTableSpec, "layer: 1}", "layer: 1, until: \"" + text + "\"}"));
  };
  EXPECT_THAT(until("the cat , saw a").cells[0][0].paper, ElementsAre("cat", "[comma]", "saw"));
  const WordTable other = until("the cat , saw");
  EXPECT_THAT(other.cells[0][0].paper, IsEmpty());
  EXPECT_THAT(whole(other.notes),
              Contains("the paper's words are left out where they are of another "
                       "sentence: layer 1"));
  files_.clear();  // nothing is read yet
  EXPECT_THAT(until("the cat , saw").cells[0][0].paper, ElementsAre("cat", "[comma]", "saw"));
}

TEST_F(WordTables, SayWhatHasYetToRun) {
  records_.erase("eye-0");
  records_["eye-1"].state = TrialState::failed;
  files_.erase("eye-0");
  files_.erase("eye-1");
  const WordTable made = table();
  EXPECT_FALSE(made.complete());
  EXPECT_EQ(made.num_to_run(), 2u);
  EXPECT_EQ(made.cells[0][1].lack, "missing");
  EXPECT_THAT(made.cells[0][1].by_seed, IsEmpty());
  EXPECT_THAT(whole(made.notes),
              Contains("NOT COMPLETE: 2 of 4 trials are not done; run them with: rethink "
                       "table example/words --run"));
  EXPECT_THAT(whole(made.notes), Contains(HasSubstr("run again only on request: rethink retry")));
}

TEST_F(WordTables, OfADamagedFileHaveTheOtherSeeds) {
  write(
      "plain-0",
      {{{"tokens", {"a"}}, {"unknown", Json::array()}, {"target", 1}, {"layers", Json::array()}}});
  WordTable made = table();
  EXPECT_FALSE(made.complete());
  EXPECT_THAT(made.not_read, HasSubstr("column 'plain': "));
  EXPECT_THAT(made.not_read, HasSubstr("target 1 of 1 tokens; expected a file of the analysis"));
  EXPECT_EQ(made.cells[0][0].by_seed.begin()->first, 1);
  std::filesystem::remove(files_["plain-0"].path);
  write_text(files_["plain-1"].path, "{");
  made = table();
  EXPECT_EQ(made.cells[0][0].lack, "not read");
  EXPECT_THAT(whole(made.notes), Contains(HasSubstr("NOT COMPLETE: column 'plain': ")));
}

TEST_F(WordTables, OfTooFewSentencesSaySo) {
  EXPECT_EQ(table(with(kWordTableSpec, "sentence: 1, layer: 3", "sentence: 2, layer: 1"))
                .cells[1][0]
                .lack,
            "no sentence 2: there are 1");
}

TEST_F(WordTables, OneLineNeedsNoList) {
  EXPECT_EQ(table(with(kWordTableSpec, "[{axis: arm}]", "{axis: arm}")).columns.size(), 2u);
}

TEST_F(WordTables, SpecsSayWhatIsWrong) {
  const auto reading = [this](const std::string& text) { return [this, text] { table(text); }; };
  EXPECT_THAT(reading(with(kWordTableSpec, "artifact: attended_tokens\n", "")),
              ThrowsMessage<ConfigError>(HasSubstr("artifact")));
  EXPECT_THAT(reading(with(kWordTableSpec, "  layer 1: {plain", "  layer 2: {plain")),
              ThrowsCode("unknown-row"));
  EXPECT_THAT(reading(with(kWordTableSpec, "eye: [a, saw]", "eyes: [a, saw]")),
              ThrowsCode("unknown-column"));
  EXPECT_THAT(reading(with(kWordTableSpec, "eye: [a, saw]", "eye: saw")),
              ThrowsCode("invalid-value"));
  EXPECT_THAT(
      reading(with(kWordTableSpec, "layer 1: {plain: [cat, \"[comma]\", saw], eye: [a, saw]}",
                   "layer 1: [cat]")),
      ThrowsCode("invalid-value"));
  EXPECT_THAT(reading(with(kWordTableSpec, "[{axis: arm}]", "[{where: {arm: eye}}]")),
              ThrowsCode("conflicting-keys"));
  EXPECT_THAT(reading(with(kWordTableSpec, "sentence: 1, layer: 3", "layer: 3")),
              ThrowsCode("missing-key"));
}

TEST_F(WordTables, AreNoTablesOfNumbers) {
  const SpecFile words(kWordTableSpec), numbers(kExampleSpec);
  EXPECT_FALSE(read_table_file(numbers.path()).kind);
  EXPECT_THAT([&] { read_table_spec(words.path()); }, ThrowsMistake("2:7 no-numbers"));
}

TEST_F(WordTables, InEveryFormatAreAsTheyWere) {
  for (const std::string& format : renderers().names()) {
    const auto renderer = renderers().make(format, Json::object());
    const std::string text = renderer->of_kind(in_every_form(table()));
    EXPECT_EQ(text, golden("tables/words." + renderer->extension(), text));
  }
}

TEST_F(WordTables, OnANarrowTerminalPutWordsBelowEachOther) {
  const auto renderer = renderers().make("text", Json::object());
  renderer->fit(60);
  const std::string text = renderer->of_kind(in_every_form(table()));
  EXPECT_THAT(text, HasSubstr("layer 1: the cat* , saw [a]\n"
                              "  plain         cat*\u00a00.50, [comma]\u00a00.25, the\u00a00.12\n"
                              "  plain, paper  cat, [comma], saw\n"));
  EXPECT_THAT(text, HasSubstr("\nlayer 3\n  plain         no layer 3: there are 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nlayer 3: ")));
}

}  // namespace
}  // namespace rethink::test
