#include "datasets/squad_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/json.h"
#include "datasets/squad_json.h"

namespace rethink {
namespace {

/// "v2.0", "2.0" or 2.0.
bool says_version_2(const Json& file) {
  const auto version = file.find("version");
  if (version == file.end()) return false;
  if (version->is_number()) return version->get<double>() >= 2;
  if (!version->is_string()) return false;
  const auto text = version->get<std::string>();
  return text.starts_with("2") || text.starts_with("v2");
}

Question question_of(const Json& json) {
  Question question{json.at("id"), "", 0, {}};
  for (const Json& answer : json.at("answers")) question.answers.push_back({answer.at("text"), 0});
  return question;
}

}  // namespace

SquadReference read_squad_reference(const std::filesystem::path& file) {
  SquadReference reference;
  std::set<std::string> ids, repeated;
  std::string place;
  try {
    const Json json = read_squad_json(file);
    reference.is_version_2 = says_version_2(json);
    for (const Json& article : json.at("data")) {
      for (const Json& paragraph : article.at("paragraphs")) {
        for (const Json& asked : paragraph.at("qas")) {
          const Question& question = reference.questions.emplace_back(question_of(asked));
          place = fmt::format(", behind question '{}'", question.id);
          reference.is_version_2 = reference.is_version_2 || question.answers.empty();
          if (!ids.insert(question.id).second && repeated.insert(question.id).second)
            reference.repeated_ids.push_back(question.id);
        }
      }
    }
  } catch (const Json::exception& error) {
    refuse_squad_form(file, place, error);
  }
  return reference;
}

}  // namespace rethink
