#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/train/optimizer.h"
#include "experiments/train/schedules.h"
#include "experiments/train/state.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Runs `options` without interruption, and again with a stop after every checkpointed step. Expects equal bits.
void expect_exact_lm_resume(Json options) {
  AttemptFixture quiet(tiny_lm(options));
  ASSERT_EQ(quiet.run(), JobOutcome::done);

  AttemptFixture cut(tiny_lm(options));
  cut.stop = true;  // every attempt takes one step, checkpoints and returns
  int attempts = 1;
  while (cut.run() == JobOutcome::interrupted) {
    ASSERT_LT(++attempts, 100);
  }
  EXPECT_GT(attempts, 5);
  EXPECT_EQ(cut.metrics(), quiet.metrics());
  EXPECT_EQ(cut.result(), quiet.result());
  EXPECT_TRUE(cut.events("inexact").empty());
}

TEST(Checkpoint, ResumesExactlyWithAdam) {
  expect_exact_lm_resume({{"steps", 12}});
}

TEST(Checkpoint, ResumesExactlyWithAmsgradAndClipping) {
  expect_exact_lm_resume(
      {{"steps", 10}, {"clip", 0.5}, {"optimizer", {{"name", "adam"}, {"amsgrad", true}}}});
}

TEST(Checkpoint, ResumesExactlyWithAdamwAndASchedule) {
  expect_exact_lm_resume({{"steps", 10},
                          {"optimizer", {{"name", "adamw"}}},
                          {"schedule", {{"name", "linear"}, {"warmup", 3}}}});
}

TEST(Checkpoint, ResumesExactlyAcrossEpochsEvaluationsAndTheBest) {
  expect_exact_lm_resume(
      {{"epochs", 2},
       {"batch", 60},
       {"log_every", 3},
       {"evaluate", {{"every", 2}, {"epoch_ends", true}, {"min_test", true}, {"patience", 4}}}});
}

TEST(Checkpoint, ResumesExactlyWithAnotherAttention) {
  expect_exact_lm_resume({{"steps", 8}, {"model", {{"attention", {{"kind", "bird_eye"}}}}}});
}

TEST(Checkpoint, ResumesExactlyWithCentroidsThatMove) {
  const Json routing = {{"kind", "routing"}, {"clusters", 3}, {"local", 3}, {"decay", 0.5}};
  expect_exact_lm_resume({{"steps", 8}, {"model", {{"attention", routing}}}});
}

TEST(Checkpoint, ResumesExactlyWithSyntaxHints) {
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += i % 3 == 0 ? "the cat saw a dog\n" : "a dog ran\n";
  write_text(folder / "lines.txt", lines);
  write_text(folder / "trees.conllu",
             "1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t3\t_\t_\t_\n"
             "3\tran\t_\t_\t_\t_\t0\t_\t_\t_\n\n");
  const Json data = {{"dataset", "text"},
                     {"path", (folder / "lines.txt").string()},
                     {"hints", {(folder / "trees.conllu").string()}},
                     {"sentences", nullptr},
                     {"length", nullptr}};
  expect_exact_lm_resume({{"steps", 8},
                          {"data", data},
                          {"model", {{"attention", {{"kind", "syntax_guided"}, {"lambda", 1}}}}}});
}

TEST(Checkpoint, ResumesExactlyWithEveryOptimizerScheduleAndPrecision) {
  const std::vector<std::string> rules = optimizers().names(), rates = schedules().names(),
                                 precisions = {"bfloat16", "tf32"};
  const size_t runs = std::max({rules.size(), rates.size(), precisions.size()});
  for (size_t i = 0; i < runs; ++i) {
    const Json options{{"steps", 7},
                       {"optimizer", {{"name", rules[i % rules.size()]}}},
                       {"schedule", {{"name", rates[i % rates.size()]}}},
                       {"precision", precisions[i % precisions.size()]}};
    SCOPED_TRACE(options.dump());
    expect_exact_lm_resume(options);
  }
}

TEST(Checkpoint, ResumesExactlyAfterADeathBetweenCheckpoints) {
  const Json options = tiny_lm({{"steps", 14}, {"log_every", 2}, {"evaluate", {{"every", 3}}}});
  AttemptFixture quiet(options), cut(options);
  quiet.run();
  cut.stop = true;
  ASSERT_EQ(cut.run(), JobOutcome::interrupted);
  cut.stop = false;
  ASSERT_EQ(cut.run(), JobOutcome::done);  // writes rows above step 1, which the next attempt drops
  ASSERT_EQ(cut.run(), JobOutcome::done);
  EXPECT_EQ(cut.metrics(), quiet.metrics());
  EXPECT_EQ(cut.result(), quiet.result());
}

TEST(Checkpoint, FallsBackToTheOlderFileWhenTheNewerIsDamaged) {
  const Json options = tiny_lm({{"steps", 9}});
  AttemptFixture quiet(options), cut(options);
  quiet.run();
  cut.stop = true;
  for (int attempt = 0; attempt < 3; ++attempt) cut.run();
  std::fstream file(cut.path("checkpoints") / "checkpoint-3",
                    std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(file);
  file.seekp(-100, std::ios::end);
  file.put('\x55');
  file.close();
  cut.stop = false;
  EXPECT_EQ(cut.run(), JobOutcome::done);
  EXPECT_THAT(cut.messages(),
              HasSubstr("the checkpoint of step 3 is damaged; going back to step 2"));
  EXPECT_EQ(cut.metrics(), quiet.metrics());
  EXPECT_EQ(cut.result(), quiet.result());
}

TEST(Checkpoint, MarksAResumeWithOtherThreadsAsInexact) {
  AttemptFixture attempt(tiny_lm({{"steps", 4}}));
  attempt.stop = true;
  attempt.run();
  attempt.stop = false;
  attempt.runtime.threads = 2;
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  ASSERT_EQ(attempt.events("inexact").size(), 1u);
  EXPECT_EQ(attempt.events("inexact")[0].at("differs"), Json({"number of threads"}));
}

/// Edits the environment that a checkpoint records, and updates the checksum.
void edit_environment(const std::filesystem::path& path, const std::function<void(Json&)>& edit) {
  const std::filesystem::path edited = path.string() + ".edited";
  {
    const SafetensorsFile file(path);
    TensorMetadata metadata = file.metadata();
    Json values = parse_json(metadata.at("values"), "values");
    Json environment = parse_json(values.at("environment").get<std::string>(), "environment");
    edit(environment);
    values["environment"] = environment.dump();
    metadata["values"] = values.dump();
    std::string parts = metadata["values"];
    for (const auto& [name, view] : file.tensors()) {
      const auto* bytes = reinterpret_cast<const char*>(view.bytes.data());
      parts += fmt::format("\n{} {:08x}", name, crc32c({bytes, view.bytes.size()}));
    }
    metadata["crc32c"] = fmt::format("{:08x}", crc32c(parts));
    write_safetensors(edited, file.tensors(), with_description_checksum(metadata, file.tensors()));
  }
  std::filesystem::rename(edited, path);
  ASSERT_TRUE(is_sound_checkpoint(path));
}

/// Takes one step, edits the checkpoint's environment, and continues.
void resume_from(AttemptFixture& attempt, const std::function<void(Json&)>& edit) {
  attempt.stop = true;
  ASSERT_EQ(attempt.run(), JobOutcome::interrupted);
  edit_environment(attempt.path("checkpoints") / "checkpoint-1", edit);
  attempt.stop = false;
  ASSERT_EQ(attempt.run(), JobOutcome::done);
}

TEST(Checkpoint, MarksAResumeWithAnotherBuildAsInexactAndSaysSo) {
  AttemptFixture attempt(tiny_lm({{"steps", 3}}));
  resume_from(attempt, [](Json& environment) { environment["numeric_build"] = "other"; });
  ASSERT_EQ(attempt.events("inexact").size(), 1u);
  EXPECT_EQ(attempt.events("inexact")[0].at("differs"), Json({"build"}));
  EXPECT_THAT(attempt.messages(),
              HasSubstr("resumed inexactly at step 1: the checkpoint was made with another build"));
}

TEST(Checkpoint, MarksAResumeOnAnotherProcessorOrWithOtherLibrariesAsInexact) {
  AttemptFixture attempt(tiny_lm({{"steps", 3}}));
  resume_from(attempt, [](Json& environment) {
    environment["processor"] = "other";
    environment["libraries"]["libm.so.6"] = "other";
    environment["plugins"]["librethink_other.so"] = "0123";
  });
  ASSERT_EQ(attempt.events("inexact").size(), 1u);
  EXPECT_EQ(attempt.events("inexact")[0].at("differs"),
            Json({"processor", "library libm.so.6", "plug-in librethink_other.so"}));
}

TEST(Checkpoint, MarksAResumeFromAVersionThatRecordedNoBuild) {
  AttemptFixture attempt(tiny_lm({{"steps", 3}}));
  resume_from(attempt, [](Json& environment) {
    environment = {{"threads", environment.at("threads")},
                   {"device", environment.at("device")},
                   {"cpu_capability", environment.at("cpu_capability")},
                   {"libtorch", environment.at("libtorch")},
                   {"deterministic", environment.at("deterministic")}};
  });
  ASSERT_EQ(attempt.events("inexact").size(), 1u);
  EXPECT_THAT(attempt.messages(), HasSubstr("resumed inexactly at step 1: the checkpoint was made "
                                            "with a build that was not recorded"));
}

TEST(Checkpoint, WithTheSameEnvironmentIsResumedExactly) {
  AttemptFixture attempt(tiny_lm({{"steps", 3}}));
  resume_from(attempt, [](Json&) {});
  EXPECT_TRUE(attempt.events("inexact").empty());
  EXPECT_EQ(attempt.messages(), "");
}

TEST(Checkpoint, IsInvalidWhereverItIsCut) {
  const TempFolder folder;
  State state;
  at::Tensor tensor = at::arange(5, at::kFloat);
  state.tensor("tensor", tensor);
  double number = 0.1;
  state.value("number", number);
  state.write(folder / "whole");
  ASSERT_TRUE(is_sound_checkpoint(folder / "whole"));
  const std::string bytes = read_text(folder / "whole");
  for (size_t length = 0; length < bytes.size(); ++length) {
    write_text(folder / "cut", bytes.substr(0, length));
    EXPECT_FALSE(is_sound_checkpoint(folder / "cut")) << length;
  }
}

TEST(Checkpoint, KeepsEveryBitOfEveryNumber) {
  const TempFolder folder;
  std::map<std::string, double> numbers = {
      {"third", 1.0 / 3}, {"infinity", INFINITY}, {"tiny", 5e-324}, {"zero", -0.0}};
  std::optional<double> none, some = 2.0 / 7;
  int64_t integer = INT64_MAX;
  State saving;
  saving.value("numbers", numbers);
  saving.value("none", none);
  saving.value("some", some);
  saving.value("integer", integer);
  saving.write(folder / "state");

  std::map<std::string, double> loaded_numbers;
  std::optional<double> loaded_none = 1.0, loaded_some;
  int64_t loaded_integer = 0;
  const SafetensorsFile file(folder / "state");
  State loading(file);
  loading.value("numbers", loaded_numbers);
  loading.value("none", loaded_none);
  loading.value("some", loaded_some);
  loading.value("integer", loaded_integer);
  EXPECT_EQ(loaded_numbers, numbers);
  EXPECT_EQ(loaded_none, none);
  EXPECT_EQ(loaded_some, some);
  EXPECT_EQ(loaded_integer, integer);
}

TEST(Checkpoint, RefusesATensorOfAnotherShape) {
  const TempFolder folder;
  at::Tensor two = at::zeros({2}), three = at::zeros({3});
  State saving;
  saving.tensor("weight", two);
  saving.write(folder / "state");
  const SafetensorsFile file(folder / "state");
  State loading(file);
  EXPECT_THAT([&] { loading.tensor("weight", three); },
              ThrowsMessage<TrialError>(
                  HasSubstr("tensor 'weight' of the checkpoint is Float [2], expected Float [3]")));
}

TEST(Checkpoint, LoadsIntoTheExistingTensor) {
  const TempFolder folder;
  at::Tensor saved =
      at::arange(6, at::kFloat).view({2, 3}).t();  // other strides than the row-major file
  State saving;
  saving.tensor("weight", saved);
  saving.write(folder / "state");
  at::Tensor target = at::zeros({2, 3}).t();
  const void* memory = target.const_data_ptr();
  const SafetensorsFile file(folder / "state");
  State loading(file);
  loading.tensor("weight", target);
  EXPECT_EQ(target.const_data_ptr(), memory);
  EXPECT_EQ(target.strides(), saved.strides());
  EXPECT_TRUE(at::equal(target, saved));
}

}  // namespace
}  // namespace rethink
