// SQuAD's JSON, as published, read for training (read_squad) and for scores (read_squad_reference):
// data[].paragraphs[].{context, qas[].{id, question, answers[].{text, answer_start},
// is_impossible}} (Rajpurkar et al. 2016 and 2018).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/labelled/questions.h"

namespace rethink {

/// Questions of a file, in its order. Throws ConfigError where the file is not of this form, with
/// its place, and where an answer does not stand in its context where it says, with the question's
/// id.
QuestionSplit read_squad(const std::filesystem::path& file, const std::string& split);

/// What SQuAD's official scorers (evaluate-v1.1.py, evaluate-v2.0.py) read of a file: the questions'
/// ids and the texts of their answers. Contexts and where answers stand in them, which training
/// needs, do not matter to a score.
struct SquadReference {
  std::vector<Question> questions;  // in the order of the file, with ids and texts of answers alone
  /// Scored as evaluate-v2.0.py does: the file says version 2.x, or a question has no answer.
  bool is_version_2 = false;
  std::vector<std::string> repeated_ids;  // each once, in the order in which they stand again
};

/// Throws ConfigError with the place in the file when it is not of SQuAD's form.
SquadReference read_squad_reference(const std::filesystem::path& file);

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
