// SQuAD's JSON, as published: data[].paragraphs[].{context, qas[].{id, question, answers[].{text,
// answer_start}, is_impossible}} (Rajpurkar et al. 2016 and 2018).
#pragma once

#include <filesystem>
#include <string>

#include "datasets/labelled/questions.h"

namespace rethink {

/// Questions of a file, in its order. Throws ConfigError where the file is not of this form, with
/// its place, and where an answer does not stand in its context where it says, with the question's
/// id.
QuestionSplit read_squad(const std::filesystem::path& file, const std::string& split);

struct SquadVersion {
  std::string name, summary;  // "squad_v1"
  bool no_answer;
  std::string files;  // "v1.1" in train-v1.1.json
  int64_t train_examples, dev_examples;
  std::string train_sha256, dev_sha256;
  int64_t train_bytes = 0, dev_bytes = 0;
};

/// Registers a version.
bool add_squad(const SquadVersion& version);

}  // namespace rethink
