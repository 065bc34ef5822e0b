#include "experiments/plan/read/descriptions.h"

#include <cctype>
#include <sstream>

#include "core/error.h"
#include "core/files/file.h"
#include "core/text.h"
#include "core/yaml/yaml.h"

namespace rethink {
namespace {

std::string scalar_at(const Yaml& document, const std::string& key) {
  const Yaml* value = document.find(key);
  return value && value->is_scalar() ? one_line(value->scalar) : "";
}

/// The comment at the beginning of the text, as one line.
std::string head_comment(const std::string& text) {
  std::istringstream lines(text);
  std::string comment;
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    const size_t begin = line.find_first_not_of("# ");
    if (begin == std::string::npos) break;  // a paragraph ends
    comment += (comment.empty() ? "" : " ") + line.substr(begin);
  }
  return one_line(comment);
}

/// Up to a full stop before a capital or a name; an abbreviation ("et al. 2022") does not end a
/// sentence.
std::string first_sentence(const std::string& text) {
  for (size_t stop = text.find(". "); stop != std::string::npos; stop = text.find(". ", stop + 1)) {
    const char next = text[stop + 2];
    if (std::isupper(static_cast<unsigned char>(next)) || next == '`') return text.substr(0, stop);
  }
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace

std::string given_description(const std::filesystem::path& file) {
  try {
    return scalar_at(read_yaml(file), "description");
  } catch (const ConfigError&) {
    return "";
  } catch (const MachineError&) {
    return "";
  }
}

std::string description_of(const std::filesystem::path& file) {
  try {
    const Yaml document = read_yaml(file);
    for (const char* key : {"description", "title"}) {
      const std::string said = scalar_at(document, key);
      if (!said.empty()) return said;
    }
    return first_sentence(head_comment(read_file(file)));
  } catch (const ConfigError& error) {
    return std::string("cannot be read: ") + one_line(error.what());
  }
}

}  // namespace rethink
