// Notes on settings of a sweep that are valid but probably unintended.
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PlanNotesTest : public PlanFixture {
 protected:
  /// Returns the notes on a stage with this attention, or these arms of it, and on a stage that
  /// begins with its weights.
  std::vector<Note> notes(const std::string& parent, const std::string& child) {
    return plan("sweep: s\nstages:\n  a: {job: pretrain, " + parent +
                "}\n  b: {job: finetune, needs: {init: a}, " + child + "}\n")
        .notes;
  }
};

TEST_F(PlanNotesTest, AnArmThatIsFineTunedUnderOtherAttentionIsNoted) {
  const std::vector<Note> found =
      notes("model: {attention: {kind: local}}", "model: {attention: {kind: dense}}");
  EXPECT_THAT(placed_codes_of(found), ElementsAre("sweep.yaml:4:66 changed-model"));
  EXPECT_THAT(found.at(0).text, AllOf(HasSubstr("dense"), HasSubstr("local")));
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "steps: 3"), IsEmpty());
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "model: {attention: {kind: local}}"),
              IsEmpty());
}

TEST_F(PlanNotesTest, ReplacedSeedsOfAUsedSweepAreNoted) {
  write_text(folder_ / "other.yaml",
             "sweep: other\nseeds: [0, 1, 2]\nstages: {a: {job: pretrain}}\n");
  const std::string use = "stages:\n  mine: {use: other.yaml#a}\n";
  const std::vector<Note> found = plan("sweep: s\n" + use).notes;
  EXPECT_THAT(placed_codes_of(found), ElementsAre("sweep.yaml:3:3 unused-seeds"));
  EXPECT_THAT(found.at(0).text, AllOf(HasSubstr("[0]"), HasSubstr("other.yaml, [0, 1, 2]")));
  EXPECT_THAT(plan("sweep: s\nseeds: [7]\n" + use).notes,
              IsEmpty());  // the stage reports this itself
  EXPECT_THAT(plan("sweep: s\nstages:\n  mine: {use: other.yaml#a, seeds: [0, 1]}\n").notes,
              IsEmpty());
  choices_.seeds = {{3}};
  EXPECT_THAT(plan("sweep: s\n" + use).notes, IsEmpty());
}

TEST_F(PlanNotesTest, FewerLayersThanTheWeightsAreNoted) {
  const std::vector<Note> found = notes("model: {layers: 6}", "grid: {model.layers: [6, 4, 2]}");
  EXPECT_THAT(codes_of(found), ElementsAre("fewer-layers"));
  EXPECT_THAT(found.at(0).text, HasSubstr("2, 4 of the 6 layers"));
  EXPECT_THAT(notes("model: {layers: 6}", "model: {layers: 6}"), IsEmpty());
}

TEST_F(PlanNotesTest, AnotherMaskIsOtherAttention) {
  const std::string star = "model: {attention: {kind: masked, mask: {kind: star}}}";
  const std::vector<Note> found =
      notes(star, "model: {attention: {mask: {kind: strided, diagonal: false}}}");
  EXPECT_THAT(codes_of(found), ElementsAre("changed-model"));
  EXPECT_THAT(found.at(0).text, AllOf(HasSubstr("masked (mask strided, diagonal false)"),
                                      HasSubstr("masked (mask star)")));
  EXPECT_THAT(notes(star, "model: {attention: {rate: 0.5}}"), IsEmpty());
}

TEST_F(PlanNotesTest, OnlyThePointsWhoseAttentionIsReplacedCount) {
  const std::string arms =
      "cases: {arm: {dense: {model.attention.kind: dense}, local: {model.attention.kind: local}}}";
  const std::vector<Note> found = notes(arms, "model: {attention: {kind: dense}}");
  EXPECT_THAT(codes_of(found), ElementsAre("changed-model"));
  EXPECT_THAT(found.at(0).text, HasSubstr("1 of its 2 points"));
}

TEST_F(PlanNotesTest, ImportedWeightsHadTheirAttentionToo) {
  const auto of = [&](const std::string& kind) {
    write_text(folder_ / "w/config.json",
               R"({"rethink": {"model": {"attention": {"kind": ")" + kind + R"("}}}})");
    write_text(folder_ / "w/model.safetensors", "abc");
    return plan(
               "sweep: s\nstages:\n  b: {job: finetune, needs: {init: {file: w}}, "
               "model.attention.kind: given}\n  c: {job: finetune, needs: {init: {file: w}}, "
               "model.attention.kind: dense}\n")
        .notes;
  };
  EXPECT_THAT(codes_of(of("local")), ElementsAre("changed-model"));
  EXPECT_THAT(of("local").at(0).text, HasSubstr("stage 'c'"));
  EXPECT_THAT(of("dense"), IsEmpty());
}

TEST_F(PlanNotesTest, AMaskForWeightsWithoutMaskIsNotNoted) {
  EXPECT_THAT(notes("steps: 3", "model: {attention: {kind: local}}"), IsEmpty());
}

TEST_F(PlanNotesTest, AttentionThatReadsAnInputIsMeant) {
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "model: {attention: {kind: given}}"),
              IsEmpty());
}

TEST_F(PlanNotesTest, SettingsThatAProfileReplacesAreNotedToo) {
  const std::string text =
      "sweep: s\nstages:\n  a: {job: pretrain, model.attention.kind: local}\n"
      "  b: {job: finetune, needs: {init: a}}\nprofiles:\n"
      "  flat: {stages.b: {model.attention.kind: dense}}\n";
  EXPECT_THAT(plan(text).notes, IsEmpty());
  EXPECT_THAT(placed_codes_of(plan_profile(text, "flat").notes),
              ElementsAre("sweep.yaml:6:43 changed-model"));
}

TEST_F(PlanNotesTest, MoreExamplesThanAvailableAreNoted) {
  const auto of = [&](int examples) {
    return plan(one_stage("    data: {dataset: few, train_examples: " + std::to_string(examples) +
                          "}\n    grid: {batch: [1, 2]}\n"))
        .notes;
  };
  EXPECT_THAT(placed_codes_of(of(11)), ElementsAre("sweep.yaml:6:42 too-many-examples"));
  EXPECT_THAT(of(11).at(0).text, HasSubstr("few has 10"));
  EXPECT_THAT(of(10), IsEmpty());
}

TEST_F(PlanNotesTest, AMemoryWithoutAStreamIsNoted) {
  const auto of = [&](const std::string& protocol, const std::string& memory) {
    return plan(one_stage("    data: {dataset: running, protocol: " + protocol +
                          "}\n    model: {attention: {kind: remembering, memory: " + memory +
                          "}}\n    grid: {batch: [1, 2]}\n"))
        .notes;
  };
  EXPECT_THAT(placed_codes_of(of("lines", "50")), ElementsAre("sweep.yaml:7:52 unused-memory"));
  EXPECT_THAT(of("stream", "50"), IsEmpty());
  EXPECT_THAT(of("lines", "0"), IsEmpty());
  EXPECT_THAT(of("lines", "100"), IsEmpty());  // the user did not choose it
  const std::vector<Note> of_layer =
      plan(
          "sweep: s\nstages:\n  a:\n    job: translate\n    data: {dataset: running, protocol: "
          "lines}\n    decoder: {attention: {at: [{kind: remembering, memory: 50}]}}\n")
          .notes;
  EXPECT_THAT(codes_of(of_layer), ElementsAre("unused-memory"));
  EXPECT_THAT(of_layer.at(0).text, HasSubstr("'decoder.attention.at.memory'"));
}

TEST_F(PlanNotesTest, ADecoderThatSeesItsTargetsIsNoted) {
  const auto of = [&](const std::string& model) {
    return plan("sweep: s\nstages:\n  a:\n    job: translate\n    " + model + "\n").notes;
  };
  const std::string leaks = "attention: {kind: routed, assignment: balanced}";
  EXPECT_THAT(placed_codes_of(of("decoder: {" + leaks + "}")),
              ElementsAre("sweep.yaml:5:53 decoder-leak"));
  EXPECT_THAT(of("decoder: {" + leaks + "}").at(0).text, HasSubstr("a cluster takes later ones"));
  const std::vector<Note> of_layer =
      of("decoder: {attention: {at: [{kind: routed, assignment: balanced}]}}");
  EXPECT_THAT(codes_of(of_layer), ElementsAre("decoder-leak"));
  EXPECT_THAT(of_layer.at(0).text, HasSubstr("'decoder.attention.at.assignment'"));
  EXPECT_THAT(of("decoder: {attention: {kind: routed}}"), IsEmpty());
  EXPECT_THAT(of("encoder: {" + leaks + "}"), IsEmpty());
}

}  // namespace
}  // namespace rethink
