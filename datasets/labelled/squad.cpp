#include "datasets/labelled/squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files/file.h"
#include "core/format/file_kind.h"
#include "core/format/json_shape.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/labelled/labelled.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr const char* kSquadForm =
    "expected a file of SQuAD: \"data\", a list of articles with \"paragraphs\", each with "
    "\"qas\", each with \"id\" and \"answers\"";

/// Hugging Face's data set has a dictionary of lists instead of a list of answers.
bool has_lists(const Json& json) {
  return json.is_object() && json.contains("text") && json.at("text").is_array();
}

/// A value of a SQuAD file with the path to it, so that messages can name its line and column and
/// the question's id. Must not outlive the values above it.
class SquadValue {
 public:
  SquadValue(const std::filesystem::path& file, const Json& root) : file_(file), json_(root) {}

  /// Each function throws ConfigError if the value has another type, or the member is missing.
  SquadValue member(const char* name) const;
  SquadValue optional_member(const char* name) const;  // null if it is missing
  size_t size() const;                                 // of a list
  SquadValue entry(size_t index) const;
  const std::string& text() const;
  int64_t whole_number() const;
  bool truth() const;  // false if it is null

  const Json& json() const { return json_; }
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  SquadValue(const SquadValue& above, const Json& json, const char* name, size_t index)
      : file_(above.file_), json_(json), above_(&above), name_(name), index_(index) {}
  [[noreturn]] void refuse_type(const std::string& expected) const;
  std::string path() const;         // "data[0].paragraphs[2]"
  std::string question_id() const;  // "" where there is none
  std::vector<Json> steps() const;  // keys and indices from the root

  const std::filesystem::path& file_;
  const Json& json_;
  const SquadValue* above_ = nullptr;
  const char* name_ = nullptr;  // null: an entry of a list
  size_t index_ = 0;
};

SquadValue SquadValue::member(const char* name) const {
  if (!json_.is_object()) refuse_type("an object");
  const auto found = json_.find(name);
  if (found == json_.end()) refuse(fmt::format("key '{}' not found", name));
  return {*this, *found, name, 0};
}

SquadValue SquadValue::optional_member(const char* name) const {
  static const Json kNull;
  if (!json_.is_object()) refuse_type("an object");
  const auto found = json_.find(name);
  return {*this, found == json_.end() ? kNull : *found, name, 0};
}

size_t SquadValue::size() const {
  if (!json_.is_array()) {
    refuse_type(has_lists(json_)
                    ? "a list of answers, [{\"text\": ..., \"answer_start\": ...}], not "
                      "the lists that Hugging Face's data set has"
                    : "a list");
  }
  return json_.size();
}

SquadValue SquadValue::entry(size_t index) const {
  return {*this, json_.at(index), nullptr, index};
}

const std::string& SquadValue::text() const {
  if (!json_.is_string()) refuse_type(json_.is_number() ? "a text, in quotes" : "a text");
  return json_.get_ref<const std::string&>();
}

int64_t SquadValue::whole_number() const {
  if (!json_.is_number_integer()) refuse_type("a whole number");
  return json_.get<int64_t>();
}

bool SquadValue::truth() const {
  if (!json_.is_boolean() && !json_.is_null()) refuse_type("true or false");
  return json_.is_boolean() && json_.get<bool>();
}

void SquadValue::refuse_type(const std::string& expected) const {
  refuse(not_expected(json_, expected));
}

void SquadValue::refuse(const std::string& what) const {
  const JsonPlace place = place_in_json(read_file(file_), steps());
  const std::string way = path(), id = question_id();
  throw ConfigError("invalid-squad",
                    fmt::format("{}:{}:{}: {}{}{}; {}", file_.string(), place.line, place.column,
                                way.empty() ? "" : way + ": ",
                                id.empty() ? "" : "question " + id + ": ", what, kSquadForm));
}

std::string SquadValue::path() const {
  if (!above_) return "";
  const std::string before = above_->path();
  if (!name_) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? name_ : before + "." + name_;
}

std::string SquadValue::question_id() const {
  if (json_.is_object() && json_.contains("id"))
    return json_.at("id").is_string()
               ? "'" + json_.at("id").get<std::string>() + "'"
               : json_.at("id").dump(-1, ' ', false, Json::error_handler_t::replace);
  return above_ ? above_->question_id() : "";
}

std::vector<Json> SquadValue::steps() const {
  if (!above_) return {};
  std::vector<Json> steps = above_->steps();
  steps.push_back(name_ ? Json(name_) : Json(index_));
  return steps;
}

/// The file's value. Throws MachineError if the file cannot be read. Throws ConfigError if it is
/// empty, is not text (compressed, UTF-16) or is not JSON, with the position of the byte, or is
/// JSON Lines.
Json read_squad_json(const std::filesystem::path& file) {
  const std::string text = read_expected(file, ExpectedFile::json), name = file.string();
  // nlohmann reads a byte 0 as the end and ignores what follows.
  if (const size_t zero = text.find('\0'); zero != std::string::npos)
    throw ConfigError(
        "invalid-json",
        fmt::format("{}: not valid JSON at byte {}: a byte that is 0; expected a file of SQuAD",
                    name, zero + 1));
  if (is_nested_too_deep(text))
    throw ConfigError("too-deep",
                      fmt::format("{}: nested too deep; expected a file of SQuAD", name));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw ConfigError("invalid-json", fmt::format("{}: {}; expected a file of SQuAD", name,
                                                  trouble_with_json(text, error)));
  }
}

/// Calls use(paragraph) for each paragraph of the file.
template <typename Use>
void for_each_paragraph(const SquadValue& root, const Use& use) {
  const SquadValue articles = root.member("data");
  for (size_t a = 0; a < articles.size(); ++a) {
    const SquadValue article = articles.entry(a), paragraphs = article.member("paragraphs");
    for (size_t p = 0; p < paragraphs.size(); ++p) use(paragraphs.entry(p));
  }
}

constexpr uint64_t kKeptQuestionsStream = 0x6b65657073717561;  // "keepsqua" in ASCII

struct SquadOptions {
  int64_t train_examples = 0, dev_examples = 0;

  void fields(Fields& field) {
    field("train_examples", train_examples,
          "number of training questions, the same for every seed and arm; a larger sample contains "
          "the smaller ones; 0 = all")
        .min(0);
    field("dev_examples", dev_examples,
          "number of dev questions, drawn like train_examples, to try a sweep in seconds; such "
          "scores cannot be compared with published ones; 0 = all")
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
    for_each_paragraph(SquadValue(file_, json),
                       [&](const SquadValue& paragraph) { read_paragraph(paragraph); });
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
      // Training uses the mark "impossible"; scores use only the answers, as the official script
      // does.
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
          "invalid-squad",
          fmt::format("{}, question '{}': the answer '{}' is not at character {} of its context",
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

}  // namespace

QuestionSplit read_squad(const std::filesystem::path& file, const std::string& split) {
  return SquadReader(file, split).read();
}

SquadReference read_squad_reference(const std::filesystem::path& file) {
  SquadReference reference;
  std::set<std::string> ids, repeated;
  const Json json = read_squad_json(file);
  const SquadValue root(file, json);
  root.member("data");
  reference.is_version_2 = says_version_2(json);
  for_each_paragraph(root, [&](const SquadValue& paragraph) {
    const SquadValue asked = paragraph.member("qas");
    for (size_t q = 0; q < asked.size(); ++q) {
      const Question& question = reference.questions.emplace_back(question_of(asked.entry(q)));
      reference.is_version_2 = reference.is_version_2 || question.answers.empty();
      if (!ids.insert(question.id).second && repeated.insert(question.id).second)
        reference.repeated_ids.push_back(question.id);
    }
  });
  return reference;
}

bool add_squad(const SquadVersion& version) {
  DatasetFacts facts = {
      .kind = "questions",
      .splits = {"train", "dev"},
      .metric = "f1",
      .metrics = {"f1", "exact"},
      .files = {{"train", {path_of(version, "train")}}, {"dev", {path_of(version, "dev")}}},
      .examples = {{"train", version.train_examples}, {"dev", version.dev_examples}},
      .no_answer = version.no_answer};
  const auto add_source = [&](const char* split, const std::string& sha256, int64_t bytes) {
    const std::string file = path_of(version, split);
    facts.sources.push_back(
        plain_source("https://rajpurkar.github.io/SQuAD-explorer/dataset/" + file.substr(6), file,
                     sha256, bytes));
  };
  add_source("train", version.train_sha256, version.train_bytes);
  add_source("dev", version.dev_sha256, version.dev_bytes);
  return datasets().add<SquadOptions>(
      {.name = version.name, .summary = version.summary, .facts = facts},
      [version](const SquadOptions& options, const DataFolders& folders) {
        return open_squad(version, options, folders);
      });
}

}  // namespace rethink
