#include "datasets/squad_json.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/file_kind.h"

namespace rethink {

Json read_squad_json(const std::filesystem::path& file) {
  const std::string text = read_expected(file, ExpectedFile::json), name = file.string();
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw ConfigError(
        fmt::format("{}: not valid JSON at byte {}; expected a file of SQuAD", name, error.byte));
  }
}

void refuse_squad_form(const std::filesystem::path& file, const std::string& place,
                       const Json::exception& error) {
  std::string reason = "a part has another type";
  if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) {
    const std::string text =
        error.what();  // "[json.exception.out_of_range.403] key 'qas' not found"
    reason = text.substr(text.find("] ") + 2);
  }
  throw ConfigError(fmt::format(
      "{}{}: {}; expected a file of SQuAD: \"data\", a list of articles with \"paragraphs\", each "
      "with \"qas\", each with \"id\" and \"answers\"",
      file.string(), place, reason));
}

}  // namespace rethink
