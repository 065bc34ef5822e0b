// What SQuAD's official scorers (evaluate-v1.1.py, evaluate-v2.0.py) read of a file: the questions'
// ids and the texts of their answers. Contexts and where answers stand in them, which training needs
// (squad.h), do not matter to a score.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/labelled/questions.h"

namespace rethink {

struct SquadReference {
  std::vector<Question> questions;  // in the order of the file, with ids and texts of answers alone
  /// Scored as evaluate-v2.0.py does: the file says version 2.x, or a question has no answer.
  bool is_version_2 = false;
  std::vector<std::string> repeated_ids;  // each once, in the order in which they stand again
};

/// Throws ConfigError with the place in the file when it is not of SQuAD's form.
SquadReference read_squad_reference(const std::filesystem::path& file);

}  // namespace rethink
