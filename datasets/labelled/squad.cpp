#include "datasets/labelled/squad.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "datasets/labelled/labelled.h"
#include "datasets/labelled/squad_json.h"
#include "datasets/text/text_dataset.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr uint64_t kKeptQuestionsStream = 0x6b65657073717561;  // "keepsqua" in ASCII

struct SquadOptions {
  int64_t train_examples = 0, dev_examples = 0;

  void fields(Fields& field) {
    field("train_examples", train_examples,
          "training questions that are kept, drawn the same for every seed and arm; more of them "
          "hold the fewer; 0 = all")
        .min(0);
    field("dev_examples", dev_examples,
          "questions of dev that are kept, drawn likewise, to see in seconds that a sweep works; "
          "scores of a part are not comparable with published ones; 0 = all")
        .min(0)
        .absent_means(0);
  }
};

/// Reads one file.
class SquadReader {
 public:
  SquadReader(std::filesystem::path file, const std::string& split) : file_(std::move(file)) {
    split_.name = split;
  }

  QuestionSplit read() {
    const Json json = read_squad_json(file_);
    const SquadValue root(file_, json), articles = root.member("data");
    for (size_t i = 0; i < articles.size(); ++i) {
      const SquadValue article = articles.entry(i), paragraphs = article.member("paragraphs");
      for (size_t p = 0; p < paragraphs.size(); ++p) read_paragraph(paragraphs.entry(p));
    }
    return std::move(split_);
  }

 private:
  void read_paragraph(const SquadValue& paragraph) {
    split_.contexts.push_back(paragraph.member("context").text());
    const std::vector<size_t> begins = code_point_begins(split_.contexts.back());
    const SquadValue all = paragraph.member("qas");
    for (size_t q = 0; q < all.size(); ++q) {
      const SquadValue asked = all.entry(q);
      Question& question = split_.questions.emplace_back(Question{asked.member("id").text(),
                                                                  asked.member("question").text(),
                                                                  split_.contexts.size() - 1,
                                                                  {}});
      question.impossible = asked.optional_member("is_impossible").truth();
      // What is impossible is learned as such; scores go by the answers alone, as the official script does.
      const SquadValue answers =
          question.impossible ? asked.optional_member("answers") : asked.member("answers");
      if (question.impossible && answers.json().is_null()) continue;
      for (size_t i = 0; i < answers.size(); ++i) {
        question.answers.push_back(question.impossible
                                       ? Answer{answers.entry(i).member("text").text(), 0}
                                       : answer_of(answers.entry(i), question.id, begins));
      }
    }
  }

  Answer answer_of(const SquadValue& given, const std::string& id,
                   const std::vector<size_t>& begins) const {
    const int64_t start = given.member("answer_start").whole_number();
    Answer answer{given.member("text").text(), 0};
    const bool is_inside = start >= 0 && static_cast<size_t>(start) < begins.size();
    if (is_inside) answer.begin = begins[static_cast<size_t>(start)];
    if (!is_inside ||
        split_.contexts.back().compare(answer.begin, answer.text.size(), answer.text) != 0) {
      throw ConfigError(
          fmt::format("{}, question '{}': the answer '{}' does not stand at character {} of its "
                      "context",
                      file_.string(), id, answer.text, start));
    }
    return answer;
  }

  std::filesystem::path file_;
  QuestionSplit split_;
};

void keep_drawn(QuestionSplit& split, int64_t count) {
  split.whole_size = split.questions.size();
  if (count == 0) return;
  std::vector<Question> kept;
  for (const size_t index :
       drawn(split.questions.size(), static_cast<size_t>(count), kKeptQuestionsStream))
    kept.push_back(std::move(split.questions[index]));
  split.questions = std::move(kept);
}

std::string path_of(const SquadVersion& version, const char* split) {
  return fmt::format("squad/{}-{}.json", split, version.files);
}

std::shared_ptr<QuestionDataset> open_squad(const SquadVersion& version,
                                            const SquadOptions& options,
                                            const DataFolders& folders) {
  const auto files =
      require_files(version.name, folders, {path_of(version, "train"), path_of(version, "dev")});
  std::vector<QuestionSplit> splits = {read_squad(files[0], "train"), read_squad(files[1], "dev")};
  keep_drawn(splits[0], options.train_examples);
  keep_drawn(splits[1], options.dev_examples);
  return std::make_shared<QuestionDataset>(version.name, version.no_answer, std::move(splits));
}

}  // namespace

QuestionSplit read_squad(const std::filesystem::path& file, const std::string& split) {
  return SquadReader(file, split).read();
}

bool add_squad(const SquadVersion& version) {
  Json sources = Json::array();
  const auto add_source = [&](const char* split, const std::string& sha256, int64_t bytes) {
    const std::string file = path_of(version, split);
    sources.push_back(
        {{"url", "https://rajpurkar.github.io/SQuAD-explorer/dataset/" + file.substr(6)},
         {"sha256", sha256},
         {"bytes", bytes},
         {"files", Json::array({{{"file", file}, {"member", ""}, {"sha256", sha256}}})}});
  };
  add_source("train", version.train_sha256, version.train_bytes);
  add_source("dev", version.dev_sha256, version.dev_bytes);
  const Json facts = {
      {"kind", "questions"},
      {"no_answer", version.no_answer},
      {"metric", "f1"},
      {"metrics", {"f1", "exact"}},
      {"files", {{"train", {path_of(version, "train")}}, {"dev", {path_of(version, "dev")}}}},
      {"splits", {"train", "dev"}},
      {"examples", {{"train", version.train_examples}, {"dev", version.dev_examples}}},
      {"sources", sources}};
  return datasets().add<SquadOptions>(
      {.name = version.name, .summary = version.summary, .facts = facts},
      [version](const SquadOptions& options, const DataFolders& folders) {
        return open_squad(version, options, folders);
      });
}

}  // namespace rethink
