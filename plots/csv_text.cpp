#include "plots/csv_text.h"

namespace rethink {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  const bool is_blank =
      fields.size() == 1 && fields[0].find_first_not_of(" \t") == std::string::npos;
  if (is_blank) return "\"" + fields[0] + "\"\n";
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) line += (i ? "," : "") + csv_field(fields[i]);
  return line + "\n";
}

}  // namespace rethink
