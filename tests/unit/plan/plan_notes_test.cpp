// What is no mistake in a sweep and is told all the same.
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PlanNotesTest : public PlanFixture {
 protected:
  /// Of a stage with this attention, or with these arms of it, and one that begins with its weights.
  std::vector<std::string> notes(const std::string& parent, const std::string& child) {
    std::vector<std::string> said =
        plan("sweep: s\nstages:\n  a: {job: pretrain, " + parent +
             "}\n  b: {job: finetune, needs: {init: a}, " + child + "}\n")
            .notes;
    const std::string file = (folder_ / "sweep.yaml:").string();
    for (std::string& note : said) {
      if (note.starts_with(file)) note.erase(0, file.size());
    }
    return said;
  }
};

TEST_F(PlanNotesTest, AnArmThatIsFineTunedUnderOtherAttentionIsTold) {
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "model: {attention: {kind: dense}}"),
              ElementsAre("4:66: note: stage 'b' goes on with 'model.attention' dense, but the "
                          "weights in 'init' were trained with local; leave 'model.attention' out "
                          "of it to keep theirs"));
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "steps: 3"), IsEmpty());
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "model: {attention: {kind: local}}"),
              IsEmpty());
}

TEST_F(PlanNotesTest, SeedsOfAUsedSweepThatDoNotHoldAreTold) {
  write_text(folder_ / "other.yaml",
             "sweep: other\nseeds: [0, 1, 2]\nstages: {a: {job: pretrain}}\n");
  const std::string use = "stages:\n  mine: {use: other.yaml#a}\n";
  EXPECT_THAT(
      plan("sweep: s\n" + use).notes,
      ElementsAre(HasSubstr("3:3: note: stage 'mine' has the seeds of this sweep, [0]; those of "
                            "other.yaml, [0, 1, 2], do not hold: write 'seeds' beside 'use'")));
  EXPECT_THAT(plan("sweep: s\nseeds: [7]\n" + use).notes, IsEmpty());  // it says so itself
  EXPECT_THAT(plan("sweep: s\nstages:\n  mine: {use: other.yaml#a, seeds: [0, 1]}\n").notes,
              IsEmpty());
  choices_.seeds = {{3}};
  EXPECT_THAT(plan("sweep: s\n" + use).notes, IsEmpty());
}

TEST_F(PlanNotesTest, FewerLayersThanTheWeightsHaveAreTold) {
  EXPECT_THAT(notes("model: {layers: 6}", "grid: {model.layers: [6, 4, 2]}"),
              ElementsAre(HasSubstr("note: stage 'b' takes the first 2, 4 of the 6 layers of its "
                                    "weights")));
  EXPECT_THAT(notes("model: {layers: 6}", "model: {layers: 6}"), IsEmpty());
}

TEST_F(PlanNotesTest, AnotherMaskIsOtherAttention) {
  const std::string star = "model: {attention: {kind: masked, mask: {kind: star}}}";
  EXPECT_THAT(notes(star, "model: {attention: {mask: {kind: strided, diagonal: false}}}"),
              ElementsAre(HasSubstr("goes on with 'model.attention' masked (mask strided, diagonal "
                                    "false), but the weights in 'init' were trained with masked "
                                    "(mask star);")));
  EXPECT_THAT(notes(star, "model: {attention: {rate: 0.5}}"), IsEmpty());
}

TEST_F(PlanNotesTest, OnlyThePointsWhoseAttentionIsReplacedCount) {
  const std::string arms =
      "cases: {arm: {dense: {model.attention.kind: dense}, local: {model.attention.kind: local}}}";
  EXPECT_THAT(notes(arms, "model: {attention: {kind: dense}}"),
              ElementsAre(HasSubstr("in 'init' of 1 of its 2 points were trained with local;")));
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
  EXPECT_THAT(of("local"), ElementsAre(HasSubstr("stage 'c' goes on with 'model.attention' dense, "
                                                 "but the weights in 'init' were trained with "
                                                 "local;")));
  EXPECT_THAT(of("dense"), IsEmpty());
}

TEST_F(PlanNotesTest, AMaskForWeightsThatHadNoneIsAnArmAsUsual) {
  EXPECT_THAT(notes("steps: 3", "model: {attention: {kind: local}}"), IsEmpty());
}

TEST_F(PlanNotesTest, AttentionThatReadsAnInputIsMeant) {
  EXPECT_THAT(notes("model: {attention: {kind: local}}", "model: {attention: {kind: given}}"),
              IsEmpty());
}

TEST_F(PlanNotesTest, WhatAProfileReplacesIsToldToo) {
  const std::string text =
      "sweep: s\nstages:\n  a: {job: pretrain, model.attention.kind: local}\n"
      "  b: {job: finetune, needs: {init: a}}\nprofiles:\n"
      "  flat: {stages.b: {model.attention.kind: dense}}\n";
  EXPECT_THAT(plan(text).notes, IsEmpty());
  EXPECT_THAT(plan_profile(text, "flat").notes, ElementsAre(HasSubstr("sweep.yaml:6:")));
}

TEST_F(PlanNotesTest, MoreExamplesThanThereAreAreTold) {
  const auto of = [&](int examples) {
    return plan(one_stage("    data: {dataset: few, train_examples: " + std::to_string(examples) +
                          "}\n    grid: {batch: [1, 2]}\n"))
        .notes;
  };
  EXPECT_THAT(of(11), ElementsAre(HasSubstr("sweep.yaml:6:42: note: 'data.train_examples' is 11, "
                                            "but few has 10: all of them are used")));
  EXPECT_THAT(of(10), IsEmpty());
}

TEST_F(PlanNotesTest, AMemoryOfLinesIsTold) {
  const auto of = [&](const std::string& protocol, const std::string& memory) {
    return plan(one_stage("    data: {dataset: running, protocol: " + protocol +
                          "}\n    model: {attention: {kind: remembering, memory: " + memory +
                          "}}\n    grid: {batch: [1, 2]}\n"))
        .notes;
  };
  EXPECT_THAT(of("lines", "50"),
              ElementsAre(HasSubstr("sweep.yaml:7:52: note: 'model.attention.memory' is 50, but "
                                    "nothing is kept: only the segments of a stream "
                                    "(data.protocol: stream) go on where the one before ended")));
  EXPECT_THAT(of("stream", "50"), IsEmpty());
  EXPECT_THAT(of("lines", "0"), IsEmpty());
  EXPECT_THAT(of("lines", "100"), IsEmpty());  // nobody chose it
  EXPECT_THAT(
      plan("sweep: s\nstages:\n  a:\n    job: translate\n    data: {dataset: running, protocol: "
           "lines}\n    decoder: {attention: {at: [{kind: remembering, memory: 50}]}}\n")
          .notes,
      ElementsAre(HasSubstr("'decoder.attention.at.memory' is 50, but nothing is kept")));
}

TEST_F(PlanNotesTest, ADecoderThatSeesWhatItIsToPredictIsTold) {
  const auto of = [&](const std::string& model) {
    return plan("sweep: s\nstages:\n  a:\n    job: translate\n    " + model + "\n").notes;
  };
  const std::string leaks = "attention: {kind: routed, assignment: balanced}";
  EXPECT_THAT(of("decoder: {" + leaks + "}"),
              ElementsAre(HasSubstr("sweep.yaml:5:53: note: 'decoder.attention.assignment' is "
                                    "balanced, which in a decoder leaks what is to be predicted: a "
                                    "cluster takes later ones; losses and perplexities mean "
                                    "nothing")));
  EXPECT_THAT(of("decoder: {attention: {at: [{kind: routed, assignment: balanced}]}}"),
              ElementsAre(HasSubstr("'decoder.attention.at.assignment' is balanced")));
  EXPECT_THAT(of("decoder: {attention: {kind: routed}}"), IsEmpty());
  EXPECT_THAT(of("encoder: {" + leaks + "}"), IsEmpty());
}

}  // namespace
}  // namespace rethink
