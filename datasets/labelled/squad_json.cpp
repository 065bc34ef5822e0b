#include "datasets/labelled/squad_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/format/json_shape.h"
#include "core/json_place.h"
#include "core/system/file.h"

namespace rethink {
namespace {

constexpr const char* kSquadForm =
    "expected a file of SQuAD: \"data\", a list of articles with \"paragraphs\", each with "
    "\"qas\", each with \"id\" and \"answers\"";

/// Hugging Face's data set has one dictionary of lists in the place of a list of answers.
bool has_lists(const Json& json) {
  return json.is_object() && json.contains("text") && json.at("text").is_array();
}

}  // namespace

Json read_squad_json(const std::filesystem::path& file) {
  const std::string text = read_expected(file, ExpectedFile::json), name = file.string();
  // nlohmann takes a byte 0 for the end, and what follows it for nothing.
  if (const size_t zero = text.find('\0'); zero != std::string::npos)
    throw ConfigError(
        fmt::format("{}: not valid JSON at byte {}: a byte that is 0; expected a file of SQuAD",
                    name, zero + 1));
  if (is_nested_too_deep(text))
    throw ConfigError(fmt::format("{}: nested too deep; expected a file of SQuAD", name));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw ConfigError(
        fmt::format("{}: {}; expected a file of SQuAD", name, trouble_with_json(text, error)));
  }
}

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
  throw ConfigError(fmt::format("{}:{}:{}: {}{}{}; {}", file_.string(), place.line, place.column,
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

}  // namespace rethink
