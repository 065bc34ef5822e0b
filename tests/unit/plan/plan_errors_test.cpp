// A broken sweep file gets every problem, with its place.
#include "experiments/plan/read/library.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class PlanErrorsTest : public PlanFixture {};

TEST_F(PlanErrorsTest, ShowsTheLineAndACaret) {
  const std::string text = one_stage("    model: {layrs: 3}\n");
  const std::string file = (folder_ / "sweep.yaml").string();
  EXPECT_EQ(error(text).substr(0, error(text).find("; known")),
            file + ":6:13: error: unknown key 'model.layrs'; did you mean 'model.layers'?");
  EXPECT_THAT(error(text), HasSubstr("\n      model: {layrs: 3}\n              ^"));
}

TEST_F(PlanErrorsTest, ChecksTheTopOfTheFile) {
  const std::string misspelt = "swep: s\nstages: {a: {job: pretrain}}\n";
  EXPECT_THAT(error(misspelt), HasSubstr("did you mean 'sweep'?"));
  EXPECT_THAT(codes(misspelt), UnorderedElementsAre("unknown-key", "invalid-name"));
  EXPECT_THAT(codes("sweep: s\n"), Contains("missing-key"));
  EXPECT_THAT(codes("sweep: s p\nstages: {a: {job: pretrain}}\n"), Contains("invalid-name"));
  EXPECT_THAT(codes("[1]\n"), Contains("invalid-sweep"));
  EXPECT_THAT(codes("sweep: s\nstages: {a.b: {job: pretrain}}\n"), Contains("invalid-name"));
  EXPECT_THAT(codes("sweep: s\nstages: {a: 3}\n"), Contains("invalid-sweep"));
  EXPECT_THAT(codes("sweep: s\nstages: {a: {batch: 3}}\n"), Contains("missing-key"));
  EXPECT_THROW(make_plan(folder_ / "none.yaml", choices_, sample::schema()), ConfigError);
}

TEST_F(PlanErrorsTest, ChecksAxes) {
  EXPECT_THAT(codes(one_stage("    cases: {arm: {}}\n")), Contains("invalid-axis"));
  EXPECT_THAT(codes(one_stage("    cases: {arm: {a: 3}}\n")), Contains("invalid-axis"));
  EXPECT_THAT(codes(one_stage("    grid: [1]\n")), Contains("invalid-axis"));
  EXPECT_THAT(error(one_stage("    grid: {bach: [1, 2]}\n")),
              HasSubstr("unknown key 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(codes(one_stage("    grid: {batch: [1, 010]}\n")), Contains("invalid-value"));
  EXPECT_THAT(codes(one_stage("    when: 3\n")), Contains("invalid-value"));
}

TEST_F(PlanErrorsTest, ChecksOptions) {
  EXPECT_THAT(codes(one_stage("    steps: 3\n    epochs: 2\n")), Contains("conflicting-values"));
  EXPECT_THAT(codes(one_stage("    model: {heads: 3}\n")), Contains("conflicting-values"));
  EXPECT_THAT(codes(one_stage("    model.layers: 3\n    model: {layers: 2}\n")),
              Contains("duplicate-key"));
  EXPECT_THAT(error(one_stage("    lr: 3\n")),
              HasSubstr("unknown key 'lr'; did you mean 'optimizer.lr'?"));
  EXPECT_THAT(error(one_stage("    data: {dataset: tyo}\n")),
              HasSubstr("unknown dataset 'tyo'; did you mean 'toy'?"));
  EXPECT_THAT(codes(one_stage("    batch: 1\n    batch: 2\n")), Contains("duplicate-key"));
}

TEST_F(PlanErrorsTest, ChecksPresets) {
  write_text(folder_ / "presets/model/a.yaml", "preset: b\n");
  write_text(folder_ / "presets/model/b.yaml", "preset: a\n");
  write_text(folder_ / "presets/model/list.yaml", "[1]\n");
  write_text(folder_ / "presets/model/typo.yaml", "layrs: 1\n");
  const auto message = [&](const std::string& name) {
    return error(one_stage("    model: {preset: " + name + "}\n"));
  };
  EXPECT_THAT(
      message("lst"),
      HasSubstr("unknown preset 'lst' of 'model'; did you mean 'list'?; known: a, b, list, typo"));
  const auto codes_with = [&](const std::string& name) {
    return codes(one_stage("    model: {preset: " + name + "}\n"));
  };
  EXPECT_THAT(codes_with("a"), Contains("circle"));
  EXPECT_THAT(codes_with("list"), Contains("invalid-value"));
  EXPECT_THAT(message("typo"), HasSubstr("typo.yaml:1:1: error: unknown key 'model.layrs'"));
  EXPECT_THAT(codes_with("[a]"), Contains("invalid-value"));
  EXPECT_THAT(error(one_stage("    optimizer: {preset: x}\n")),
              HasSubstr("there is none: looked for experiments/presets/optimizer/"));
}

TEST_F(PlanErrorsTest, ChecksProfilesEvenTheOnesNotChosen) {
  const auto message = [&](const std::string& profile) {
    return error(one_stage("    grid: {batch: [1, 2]}\nprofiles:\n  p: " + profile + "\n"));
  };
  const auto codes_with = [&](const std::string& profile) {
    return codes(one_stage("    grid: {batch: [1, 2]}\nprofiles:\n  p: " + profile + "\n"));
  };
  EXPECT_THAT(codes_with("{steps: 3}"), Contains("unknown-key"));
  EXPECT_THAT(message("{stages.pretran: {steps: 3}}"),
              HasSubstr("unknown stage 'pretran'; did you mean 'pretrain'?"));
  EXPECT_THAT(message("{stages.pretrain: {only: {bach: [1]}}}"),
              HasSubstr("stage 'pretrain' has no axis 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(codes_with("{stages.pretrain: {only: {batch: [3]}}}"), Contains("unknown-value"));
  EXPECT_THAT(codes_with("{stages.pretrain: {job: finetune}}"), Contains("fixed-key"));
  EXPECT_THAT(codes_with("3"), Contains("invalid-sweep"));
  EXPECT_THAT(
      message("{stages.pretrain: {stepz: 3}}"),
      HasSubstr("sweep.yaml:8:25: error: profile 'p': unknown key 'stepz'; did you mean 'steps'?"));
  EXPECT_THAT(message("{stages.pretrain: {steps: 0}}"),
              HasSubstr("8:32: error: profile 'p': 'steps': got '0', expected at least 1"));
  EXPECT_THAT(codes_with("{stages.pretrain: {steps: 3, epochs: 2}}"),
              Contains("conflicting-values"));
  EXPECT_THAT(message("{stages.pretrain.grid: {optimizer.lr: [0.1, 0.2, x]}}"),
              HasSubstr("profile 'p': 'optimizer.lr': got 'x'"));
  EXPECT_THAT(
      message("{resources: {devise: cpu}}"),
      HasSubstr("profile 'p': unknown key 'resources.devise'; did you mean 'resources.device'?"));
  EXPECT_THAT(message("{stages.pretrain: {grid: {batch: [7]}}}"), "");
  PlanChoices choices = choices_;
  choices.profile = "smok";
  EXPECT_THAT(error(one_stage("profiles: {smoke: {}}\n"), choices),
              HasSubstr("no profile 'smok'; did you mean 'smoke'?"));
  EXPECT_THAT(error(one_stage("    stepz: 3\nprofiles: {smoke: {}}\n"), choices),
              Not(HasSubstr("stepz")));
}

TEST_F(PlanErrorsTest, LooksAtOtherProfilesAsTheyWouldBeChosen) {
  // Each profile by itself is valid, so other profiles do not matter.
  const std::string text = one_stage(
      R"(    cases: {arm: {a: {batch: 1}, b: {batch: 2, model.attention: {kind: masked, mask: {kind: star}}}}}
    grid: {model.attention.mask.width: [1, 2], sizes: [[1], [2]]}
    when: {model.attention.mask.width: [{arm: b}]}
    exclude: [{arm: b, model.attention.mask.width: 2, sizes: "[2]"}]
profiles:
  both: {stages.pretrain: {cases.arm: {a: {batch: 3}, b: {batch: 4, model.attention: {kind: masked, mask: {kind: star}}}}}}
  steps: {stages.pretrain: {steps: 3}}
  epochs: {stages.pretrain: {epochs: 3, only: {arm: [a]}}}
)");
  PlanChoices choices = choices_;
  for (const char* profile : {"both", "steps", "epochs"}) {
    choices.profile = profile;
    choices.settings = {};
    EXPECT_THAT(error(text, choices), "") << profile;
  }
  choices.profile = "steps";
  choices.settings = {"arm=b"};  // the profile `epochs` has no such arm
  EXPECT_EQ(error(text, choices), "");
}

TEST_F(PlanErrorsTest, ChecksTheMetricOfASelect) {
  const auto message = [&](const std::string& by, const std::string& options = "") {
    return error("sweep: s\nstages:\n  a: {job: pretrain, grid: {batch: [1, 2]}" + options +
                 "}\n  b: {job: select, needs: {from: a}, over: [batch], by: " + by + "}\n");
  };
  for (const char* good :
       {"dev/score", "dev/score@last", "dev/accuracy", "train/loss", "dev/accuracy@shuffled"})
    EXPECT_EQ(message(good), "") << good;
  EXPECT_THAT(message("dev/acuracy"), HasSubstr("sweep.yaml:4:57: error: 'by': got 'dev/acuracy', "
                                                "which stage 'a' (job pretrain) will not "
                                                "have; did you mean 'dev/accuracy'?; it will have: "
                                                "train/loss, dev/score, dev/accuracy\n"));
  EXPECT_THAT(message("test/score"), HasSubstr("will not have"));
  EXPECT_EQ(message("test/score", ", splits: [dev, test]"), "");
  EXPECT_THAT(message("dev/bits"), HasSubstr("will not have"));
  EXPECT_EQ(message("dev/bits", ", note: char"), "");
  EXPECT_THAT(message("dev/score@best"), HasSubstr("will not have"));
  EXPECT_THAT(message("dev/score@shuffled", ", shuffle: false"), HasSubstr("will not have"));
}

TEST_F(PlanErrorsTest, ChecksAMetricThroughASelect) {
  EXPECT_THAT(error(R"(sweep: s
stages:
  a: {job: pretrain, grid: {batch: [1, 2], steps: [3, 4]}}
  b: {job: select, needs: {from: a}, over: [batch], by: dev/score}
  c: {job: select, needs: {from: b}, over: [steps], by: dev/nope}
)"),
              HasSubstr("'by': got 'dev/nope', which stage 'a' (job pretrain) will not have"));
}

TEST_F(PlanErrorsTest, ChecksWhatTheMachineHas) {
  PlanChoices choices = choices_;
  bool has_gpu = false;
  choices.machine = Machine{.cores = 4, .device = "auto", .has_gpu = [&] { return has_gpu; }};
  const auto message = [&](const std::string& lines) { return error(one_stage(lines), choices); };
  EXPECT_EQ(message("    resources: {threads: 4, device: auto}\n"), "");
  EXPECT_THAT(
      message("    resources: {threads: 5}\n"),
      HasSubstr(
          "sweep.yaml:6:26: error: 'resources.threads': got 5, expected at most 4, the cores"));
  EXPECT_EQ(message("    resources: {threads: 2}\nresources: {threads: 99}\n"), "");
  const std::string on_gpu = "    resources: {device: cuda}\n";
  EXPECT_THAT(message(on_gpu),
              HasSubstr("6:25: error: 'resources.device': got cuda, but rethink can use no GPU"));
  choices.machine->device = "cpu";
  EXPECT_EQ(message(on_gpu), "");
  choices.machine->device = "cuda";
  EXPECT_THAT(message(""), HasSubstr("--device: error: got cuda"));
  has_gpu = true;
  EXPECT_EQ(message(""), "");
  EXPECT_THAT(
      message("    resources: {gpus: 1}\n"),
      HasSubstr("6:23: error: 'resources.gpus': a trial of the job 'pretrain' uses one GPU; "
                "write device"));
  EXPECT_EQ(message("resources: {gpus: 1}\n"), "");
  choices.machine->most_gpu_bytes = [] { return uint64_t{80} << 30; };
  EXPECT_EQ(message("    resources: {gpu_memory: 80GiB}\n"), "");
  EXPECT_THAT(
      message("    resources: {gpu_memory: 90GiB}\n"),
      HasSubstr("6:29: error: 'resources.gpu_memory': got 90GiB, expected at most 80.0 GiB"));
  choices.machine.reset();
  EXPECT_EQ(message("    resources: {threads: 5}\n"), "");  // results may come from another machine
}

TEST_F(PlanErrorsTest, SaysWhatIsWrongWithStagesBehindAStageWithAMistake) {
  EXPECT_THAT(
      mistakes(
          "sweep: s\nstages:\n  a: {job: pretrain, model.layers: 3, bach: 1}\n"
          "  b:\n    job: finetune\n    needs: {init: a}\n    model: {attention: {rate: 0.5}}\n"
          "    cases:\n      task:\n        x: {data.dataset: toy}\n"
          "        y: {data.dataset: tyo}\n    grid: {optimizer.lr: [1e-4, 0]}\n"
          "  c: {job: select, needs: {from: b}, over: [optimizer.lr], by: dev/score, direction: "
          "up}\n"
          "profiles: {small: {stages.b: {batch: none}}}\n"),
      ElementsAre("3:39 unknown-key", "11:27 unknown-name", "12:33 invalid-value",
                  "13:86 invalid-value", "14:38 invalid-value"));
}

TEST_F(PlanErrorsTest, SaysNothingOfOptionsThatOnlyTheirStagesCanTell) {
  const std::string base = "sweep: s\nstages:\n  a: {job: pretrain, bach: 1}\n";
  PlanChoices choices = choices_;
  choices.may_lack_files = true;
  for (const std::string stage :
       {"cases: {arm: {x: {data: {dataset: swag, test: true}}, y: {data: {dataset: toy}}}}",
        "cases: {arm: {x: {data.dataset: swag}, y: {data.dataset: toy}}}, grid: {data.test: "
        "[true]}, when: {data.test: [{arm: x}]}",
        "cases: {arm: {x: {data.dataset: swag}, y: {data.dataset: toy}}}, grid: {data.test: [true, "
        "false]}, exclude: [{arm: y, data.test: true}]",
        "model: {attention: {mask: {kind: star}}}, grid: {model.attention.mask.width: [1, 2]}"}) {
    EXPECT_THAT(error(base + "  b: {job: finetune, needs: {init: a}, " + stage + "}\n", choices),
                Not(HasSubstr("sweep.yaml:4")))
        << stage;
  }
}

TEST_F(PlanErrorsTest, ChecksAStagesKind) {
  EXPECT_EQ(error("sweep: s\nstages:\n  a:\n    jbo: pretrain\n    steps: 3\n")
                .substr(folder_.path().string().size()),
            "/sweep.yaml:4:5: error: unknown key 'jbo'; did you mean 'job'?; stage 'a' needs 'job: "
            "NAME'; known: "
            "finetune, learn_mask, pretrain, select, translate\n      jbo: pretrain\n      ^");
  write_text(folder_ / "other.yaml", "sweep: o\nstages: {a: {job: pretrain}}\n");
  EXPECT_THAT(
      error("sweep: s\nstages:\n  a: {use: other.yaml#a, job: pretrain}\n"),
      HasSubstr("'job' beside 'use': the used stage has its own; remove 'job', or write the "
                "whole stage"));
}

TEST_F(PlanErrorsTest, SaysWhatToDoAboutAMissingFile) {
  choices_.data = folder_ / "data";
  std::filesystem::create_directory(choices_.data);
  EXPECT_THAT(error(one_stage("    data: {dataset: text, path: none.txt}\n")),
              HasSubstr("data/none.txt, which does not exist, and neither does " +
                        (folder_ / "none.txt").string() +
                        ": give 'path' a path relative to the file that contains it, or to the "
                        "folder of data sets (--data or RETHINK_DATA), or an absolute one"));
  EXPECT_THAT(error(one_stage("    data: {dataset: glue/cola}\n")),
              HasSubstr("run `rethink data get glue/cola`"));
}

TEST_F(PlanErrorsTest, RefusesDataThatAreEmptyOrNoText) {
  const std::string path = (folder_ / "mine.txt").string(),
                    stage = one_stage("    data: {dataset: text, path: mine.txt}\n");
  write_text(path, "");
  EXPECT_THAT(error(stage), HasSubstr("data set 'text': " + path +
                                      " is empty; expected text: write the file again, or name "
                                      "another in 'path'"));
  write_text(path, " \r\n");
  EXPECT_THAT(error(stage), HasSubstr(path + " has nothing but white space; expected text"));
  write_text(path, std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16));
  EXPECT_THAT(error(stage), HasSubstr(path + ": is binary, not text; expected text: name a file"));
  write_text(path, std::string("\xFF\xFEo\0n\0e\0", 8));
  EXPECT_THAT(error(stage),
              HasSubstr(": is UTF-16; expected text: iconv -f UTF-16 -t UTF-8 " + path + " > NEW"));
  // The first bytes may end within a character.
  write_text(path, "BZh" + std::string((1 << 16) - 4, 'x') + "\u00E9 and more");
  EXPECT_EQ(error(stage), "");
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/cola/train.tsv", "");
  write_text(folder_ / "data/cola/dev.tsv", "\x1F\x8B");  // a data set's own file may be packed
  const std::string of_set = error(one_stage("    data: {dataset: glue/cola}\n"));
  EXPECT_THAT(of_set, HasSubstr("data set 'glue/cola': "));
  EXPECT_THAT(of_set, HasSubstr("train.tsv is empty; expected data: run `rethink data get"));
  EXPECT_THAT(of_set, Not(HasSubstr("dev.tsv")));
}

TEST_F(PlanErrorsTest, ChecksSettings) {
  const auto message = [&](const std::string& setting) {
    PlanChoices choices = choices_;
    choices.settings = {setting};
    return error(one_stage(""), choices);
  };
  EXPECT_THAT(
      message("bach=3"),
      HasSubstr(
          "--set bach=3: error: no stage has an option or axis 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(message("lr=1"), HasSubstr("'lr'; did you mean 'optimizer.lr'?; known: "));
  EXPECT_THAT(message("pretrain.batch=1"),
              HasSubstr("'pretrain.batch'; did you mean 'stages.pretrain.batch'?; known: "));
  EXPECT_THAT(message("star.width=1"), HasSubstr("did you mean 'model.attention.mask.width'?"));
  EXPECT_THAT(message("batch"), HasSubstr("expected --set KEY=VALUE"));
  EXPECT_THAT(
      message("batch="),
      HasSubstr("has no value; write --set \"batch=''\" for the empty text, or batch=null"));
  EXPECT_THAT(message("batch=x"),
              HasSubstr("--set batch=x: error: 'batch': got 'x', expected an integer"));
  EXPECT_THAT(message("batch=8,16"), HasSubstr("got '8,16', expected an integer; several values of "
                                               "an axis are a list, [0.3, 0.5]"));
  EXPECT_THAT(message("stages.x.batch=1"), HasSubstr("unknown stage 'x'"));
  EXPECT_THAT(message("batch=[1"), HasSubstr("is not closed"));
}

TEST_F(PlanErrorsTest, RefusesASettingThatNoStageHas) {
  PlanChoices choices = choices_;
  choices.settings = {"data.train_examples=5"};
  const std::string sweep =
      "sweep: s\nstages:\n"
      "  one: {job: pretrain, data: {dataset: toy}}\n"
      "  two: {job: pretrain, data: {dataset: toy}}\n";
  for (const char* stage : {"one", "two"}) {
    EXPECT_THAT(
        error(sweep, choices),
        HasSubstr(fmt::format("--set data.train_examples=5 (stages.{}.data.train_examples): "
                              "error: unknown key 'data.train_examples'",
                              stage)));
  }
  choices.of_several = true;
  EXPECT_THAT(plan(sweep, choices).of_others, ElementsAre("data.train_examples=5"));
}

TEST_F(PlanErrorsTest, SaysWhereANameBelongs) {
  EXPECT_THAT(error(one_stage("    model: {attention: {kind: star}}\n")),
              HasSubstr("unknown attention 'star'; 'star' is a mask: write kind: masked, mask: "
                        "{kind: star}; known: dense, "));
  EXPECT_THAT(error(one_stage("    data: {dataset: cola}\n")),
              HasSubstr("unknown dataset 'cola'; did you mean 'glue/cola'?"));
  EXPECT_THAT(error(one_stage("    lr: 0.1\n")),
              HasSubstr("unknown key 'lr'; did you mean 'optimizer.lr'?"));
}

TEST_F(PlanErrorsTest, FindsASweepByNameOrSaysWhatThereIs) {
  write_text(folder_ / "experiments/sweeps/bet/diag.yaml", one_stage(""));
  EXPECT_EQ(Library("sweeps", choices_.paths).file("bet/diag"),
            folder_ / "experiments/sweeps/bet/diag.yaml");
  try {
    Library("sweeps", choices_.paths).file("bet/dig");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no sweep 'bet/dig'; did you mean 'bet/diag'?"));
  }
}

}  // namespace
}  // namespace rethink
