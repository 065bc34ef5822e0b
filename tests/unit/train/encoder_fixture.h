// Options of encoder jobs that run in moments.
#pragma once

#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {

inline Json tiny_encoder(const Json& attention) {
  return {{"layers", 2}, {"d_model", 16},       {"heads", 2},
          {"ffn", 32},   {"max_positions", 32}, {"attention", attention}};
}

inline Json tiny_pretraining(const Json& attention, const Json& changes = Json::object()) {
  Json options = {{"data", {{"dataset", "synthetic_documents"}, {"documents", 20}}},
                  {"model", tiny_encoder(attention)},
                  {"vocabulary", {{"size", 300}}},
                  {"max_length", 32},
                  {"duplicates", 2},
                  {"optimizer", {{"name", "adamw"}, {"lr", 0.01}}},
                  {"batch", 16},
                  {"log_every", 5},
                  {"steps", 10}};
  options.merge_patch(changes);
  return options;
}

inline Json tiny_finetuning(const std::string& dataset, const Json& changes = Json::object()) {
  Json options = {{"data", {{"dataset", dataset}}},
                  {"model", tiny_encoder({{"kind", "dense"}})},
                  {"max_length", 32},
                  {"optimizer", {{"name", "adamw"}, {"lr", 0.003}}},
                  {"batch", 16},
                  {"log_every", 5},
                  {"epochs", 1}};
  options.merge_patch(changes);
  return options;
}

inline std::unique_ptr<AttemptFixture> pretrained(const Json& options) {
  auto attempt = std::make_unique<AttemptFixture>(options, 0, "pretrain");
  attempt->runtime.keep_weights = true;
  EXPECT_EQ(attempt->run(), JobOutcome::done);
  return attempt;
}

/// Runs a trial without interruption, and again with a stop after every step. Expects equal bits.
inline void expect_exact_resume(const Json& options, const std::string& job = "pretrain",
                                const std::vector<Artifact>& init = {}) {
  AttemptFixture quiet(options, 3, job), cut(options, 3, job);
  if (!init.empty()) quiet.inputs["init"] = cut.inputs["init"] = init;
  ASSERT_EQ(quiet.run(), JobOutcome::done);
  cut.stop = true;
  int attempts = 1;
  while (cut.run() == JobOutcome::interrupted) ASSERT_LT(++attempts, 100);
  EXPECT_GT(attempts, 3);
  EXPECT_EQ(cut.metrics(), quiet.metrics());
  EXPECT_EQ(cut.result(), quiet.result());
}

}  // namespace rethink
