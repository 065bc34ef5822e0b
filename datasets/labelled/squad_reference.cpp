#include "datasets/labelled/squad_reference.h"

#include <algorithm>
#include <set>

#include "core/json.h"
#include "datasets/labelled/squad_json.h"

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

Question question_of(const SquadValue& asked) {
  Question question{asked.member("id").text(), "", 0, {}};
  const SquadValue answers = asked.member("answers");
  for (size_t i = 0; i < answers.size(); ++i)
    question.answers.push_back({answers.entry(i).member("text").text(), 0});
  return question;
}

/// Calls use(question) for each question of the file.
template <typename Use>
void for_each_question(const SquadValue& root, const Use& use) {
  const SquadValue articles = root.member("data");
  for (size_t a = 0; a < articles.size(); ++a) {
    const SquadValue article = articles.entry(a), paragraphs = article.member("paragraphs");
    for (size_t p = 0; p < paragraphs.size(); ++p) {
      const SquadValue paragraph = paragraphs.entry(p), asked = paragraph.member("qas");
      for (size_t q = 0; q < asked.size(); ++q) use(asked.entry(q));
    }
  }
}

}  // namespace

SquadReference read_squad_reference(const std::filesystem::path& file) {
  SquadReference reference;
  std::set<std::string> ids, repeated;
  const Json json = read_squad_json(file);
  const SquadValue root(file, json);
  root.member("data");
  reference.is_version_2 = says_version_2(json);
  for_each_question(root, [&](const SquadValue& asked) {
    const Question& question = reference.questions.emplace_back(question_of(asked));
    reference.is_version_2 = reference.is_version_2 || question.answers.empty();
    if (!ids.insert(question.id).second && repeated.insert(question.id).second)
      reference.repeated_ids.push_back(question.id);
  });
  return reference;
}

}  // namespace rethink
