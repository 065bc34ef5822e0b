// SQuAD's JSON, as published, read for training (read_squad) and for scores (read_squad_reference):
// data[].paragraphs[].{context, qas[].{id, question, answers[].{text, answer_start},
// is_impossible}} (Rajpurkar et al. 2016 and 2018).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/labelled/questions.h"

namespace rethink {

/// Returns the questions of a file, in order. Throws ConfigError with the position if the file does
/// not have this form, and with the question's id if an answer is not at its position in the
/// context.
QuestionSplit read_squad(const std::filesystem::path& file, const std::string& split);

/// Contents of a file that SQuAD's official scorers (evaluate-v1.1.py, evaluate-v2.0.py) read: the
/// questions' ids and the texts of their answers. Scores do not depend on contexts and positions of
/// answers, which training needs.
struct SquadReference {
  std::vector<Question> questions;  // in the order of the file, with ids and texts of answers alone
  /// Whether evaluate-v2.0.py applies: the file has version 2.x, or a question has no answer.
  bool is_version_2 = false;
  std::vector<std::string> repeated_ids;  // each once, in the order in which they repeat
};

/// Throws ConfigError with the position in the file if it does not have SQuAD's form.
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
