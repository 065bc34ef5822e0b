#include "app/driver/cli/script_scan.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <set>

#include "core/files/file.h"
#include "core/files/named_file.h"

namespace rethink {
namespace {

constexpr size_t kMostScanned = 1'000'000, kMostCall = 1'000, kMostPrintedText = 200;

/// One part of a printed text: literal text and the value that follows.
struct PrintedPart {
  std::string before;      // the literal text since the previous value
  std::string spec;        // ".3f", "d"; empty: plain
  bool has_value = false;  // false: the text after the last value
};

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the bracketed text that begins at `begin`, after the closing bracket; npos: it does
/// not end. Strings are skipped.
size_t end_of_brackets(std::string_view text, size_t begin) {
  int depth = 0;
  char quote = 0;
  for (size_t i = begin; i < std::min(text.size(), begin + kMostCall); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

std::vector<std::string_view> arguments_in(std::string_view inside) {
  std::vector<std::string_view> arguments;
  size_t begin = 0;
  for (size_t i = 0; i <= inside.size(); ++i) {
    if (i == inside.size() || inside[i] == ',') {
      arguments.push_back(inside.substr(begin, i - begin));
      begin = i + 1;
      continue;
    }
    const char c = inside[i];
    if (c == '"' || c == '\'') {
      for (++i; i < inside.size() && inside[i] != c; ++i)
        if (inside[i] == '\\') ++i;
    } else if (c == '(' || c == '[' || c == '{') {
      const size_t end = end_of_brackets(inside, i);
      if (end == std::string_view::npos) return {};
      i = end - 1;
    }
  }
  return arguments;
}

class PrintedText {
 public:
  std::vector<PrintedPart> parts() const { return parts_; }

  void add_value(std::string spec) {
    parts_.back().spec = std::move(spec);
    parts_.back().has_value = true;
    parts_.emplace_back();
  }
  void add_text(std::string_view text) { parts_.back().before += text; }

  /// Adds the value whose "{" is at `begin`; returns the position after its "}". `names`: the braces
  /// contain an expression (an f-string).
  size_t add_braces(std::string_view text, size_t begin, bool names) {
    const size_t end = end_of_brackets(text, begin);
    if (end == std::string_view::npos) return text.size();
    std::string_view inside = text.substr(begin + 1, end - begin - 2);
    size_t colon = std::string_view::npos;
    for (size_t i = 0; i < inside.size() && colon == std::string_view::npos; ++i) {
      const bool opens = inside[i] == '(' || inside[i] == '[' || inside[i] == '{';
      const size_t after = opens ? end_of_brackets(inside, i) : i;
      if (after == std::string_view::npos) break;
      if (opens) i = after - 1;
      if (inside[i] == ':') colon = i;
    }
    const std::string_view expression = inside.substr(0, colon);
    if (names && expression.ends_with('=')) add_text(expression);  // f"{loss=}" prints the name
    add_value(colon == std::string_view::npos ? "" : std::string(inside.substr(colon + 1)));
    return end;
  }

 private:
  std::vector<PrintedPart> parts_ = {{}};
};

/// Adds the string literals of an argument; false if the argument is not made of literals.
bool add_literals(std::string_view argument, PrintedText& text) {
  static const std::regex conversion(R"(^%[-+ 0#]*(\d*(?:\.\d+)?[diufFeEgGs]))");
  bool any = false;
  size_t at = 0;
  while (at < argument.size()) {
    if (is_blank(argument[at])) {
      ++at;
      continue;
    }
    size_t quote = at;
    while (quote < argument.size() &&
           std::string_view("fFrR").find(argument[quote]) != std::string_view::npos)
      ++quote;
    if (quote >= argument.size() || (argument[quote] != '"' && argument[quote] != '\'')) break;
    const std::string prefix(argument.substr(at, quote - at));
    const bool is_f = prefix.find_first_of("fF") != std::string::npos;
    const char mark = argument[quote];
    size_t end = quote + 1;
    while (end < argument.size() && argument[end] != mark) end += argument[end] == '\\' ? 2 : 1;
    if (end >= argument.size()) return false;
    const std::string_view inside = argument.substr(quote + 1, end - quote - 1);
    const std::string_view rest = argument.substr(end + 1);
    const size_t next = rest.find_first_not_of(" \n\t");
    const bool is_format =
        next != std::string_view::npos && rest.substr(next).starts_with(".format(");
    const bool is_percent = next != std::string_view::npos && rest[next] == '%';
    for (size_t i = 0; i < inside.size();) {
      std::smatch found;
      const std::string tail(inside.substr(i, 20));
      if (is_percent && std::regex_search(tail, found, conversion)) {
        text.add_value(found[1]);
        i += static_cast<size_t>(found.length());
      } else if (inside[i] == '\\' && i + 1 < inside.size()) {
        if (std::string_view("nrt").find(inside[i + 1]) == std::string_view::npos)
          text.add_text(inside.substr(i + 1, 1));
        if (inside[i + 1] == 't') text.add_text("\t");
        i += 2;
      } else if ((is_f || is_format || is_percent) &&
                 inside.substr(i, 2) == (is_percent ? "%%" : "{{")) {
        text.add_text(inside.substr(i, 1));
        i += 2;
      } else if ((is_f || is_format) && inside[i] == '{') {
        i = text.add_braces(inside, i, is_f);
      } else if ((is_f || is_format) && inside.substr(i, 2) == "}}") {
        text.add_text("}");
        i += 2;
      } else {
        text.add_text(inside.substr(i++, 1));
      }
    }
    any = true;
    at = end + 1;
    if (is_format || is_percent) break;  // values follow
  }
  return any;
}

std::string escaped_for_re2(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\t') {
      escaped += "\\t";
      continue;
    }
    if (std::string_view(R"(\.[](){}*+?|^$)").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// The name before a value, in lower case: "val loss" of ", val loss=".
std::string name_before(const std::string& text) {
  static const std::regex named(
      R"((?:^|[^A-Za-z0-9_./-])((?:(?:train|training|val|valid|validation|dev|eval|test)[ _/.-])?[A-Za-z][A-Za-z0-9_/-]*)(?: ?[=:] ?| )$)",
      std::regex::icase);
  std::smatch parts;
  if (!std::regex_search(text, parts, named)) return "";
  std::string name = parts[1];
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

bool is_step_name(const std::string& name) {
  static const std::regex step(R"((?:global_?)?(?:epoch|step|iter|iteration|update|it)s?)");
  return std::regex_match(name, step);
}

/// "dev/loss" of "val loss", "val_loss" and "valid/loss"; "run/loss" of "loss".
std::string metric_of(const std::string& name) {
  static const std::regex split(
      R"((train|training|val|valid|validation|dev|eval|test)[ _/.-](.+))");
  std::smatch parts;
  if (!std::regex_match(name, parts, split)) {
    std::string plain = name;
    std::ranges::replace(plain, '/', '_');
    return "run/" + plain;
  }
  const std::string given = parts[1];
  const bool is_train = given.starts_with("train");
  std::string own = parts[2];
  std::ranges::replace(own, '/', '_');
  return (is_train ? "train/" : given == "test" ? "test/" : "dev/") + own;
}

bool is_usual_metric(const std::string& metric) {
  static const std::regex usual(
      R"((^|[/_-])(loss|acc|accuracy|f1|ppl|perplexity|bleu|auc|err|error|mse|mae|rmse|score|bpc|bpb|nll|precision|recall|reward|mcc|wer|cer|top1|top5)$)");
  return std::regex_search(metric, usual);
}

/// Returns whether a number in a line of progress is a setting, a size or a time.
bool is_setting_or_time(const std::string& metric) {
  static const std::regex other(
      R"(/(of|lr|learning_rate|seed|time|elapsed|eta|took|sec|secs|seconds|s|ms|device|size|samples|batch|batches|total|n|in|to|at|from)$)");
  return std::regex_search(metric, other);
}

/// A literal text and the placeholder of its value. A width in the format pads the value by spaces.
std::string pattern_of(const PrintedPart& part, const char* placeholder) {
  static const std::regex width(R"([<>^=+ -]*\d.*)");
  const bool has_width = std::regex_match(part.spec, width);
  return escaped_for_re2(part.before) + (has_width ? " *" : "") + placeholder;
}

/// The letters that follow a value directly, such as the "s" of a time.
std::string unit_after(const PrintedPart& next) {
  const auto end = std::ranges::find_if_not(next.before, is_name_char);
  return {next.before.begin(), end};
}

std::vector<PrintedMetric> metrics_in_parts(const std::vector<PrintedPart>& parts) {
  std::vector<PrintedMetric> found;
  size_t step = parts.size();
  std::vector<std::string> names;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_short = parts[i].has_value && parts[i].before.size() <= kMostPrintedText;
    names.push_back(is_short ? name_before(parts[i].before) : "");
    if (step == parts.size() && is_step_name(names.back())) step = i;
  }
  const bool has_step = step < parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string& spec = parts[i].spec;
    if (names[i].empty() || is_step_name(names[i]) ||
        spec.find_first_of(",_sdixX") != std::string::npos)
      continue;
    const std::string metric = metric_of(names[i]);
    if (has_step ? is_setting_or_time(metric) : !is_usual_metric(metric)) continue;
    if (!has_step) {
      found.push_back({metric, pattern_of(parts[i], "{value}") + unit_after(parts[i + 1]), false});
      continue;
    }
    const bool comes_first = i < step;
    const size_t first = std::min(i, step), second = std::max(i, step);
    std::string pattern = pattern_of(parts[first], comes_first ? "{value}" : "{step}");
    if (second > first + 1) pattern += unit_after(parts[first + 1]) + ".*";
    pattern += pattern_of(parts[second], comes_first ? "{step}" : "{value}") +
               unit_after(parts[second + 1]);
    found.push_back({metric, pattern, true});
  }
  return found;
}

bool has_python_file(const std::filesystem::path& folder) {
  std::error_code ignored;  // most imported names are installed modules, not folders here
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".py") return true;
  return false;
}

/// The printed text of a call with these arguments; none if the call writes to another stream.
std::optional<PrintedText> text_of_call(std::string_view inside) {
  static const std::regex keyword(R"(\s*\w+\s*=[^=][\s\S]*)");
  PrintedText text;
  bool is_first = true;
  for (const std::string_view argument : arguments_in(inside)) {
    const std::string words(argument);
    if (words.size() > kMostCall || words.find_first_not_of(" \n\t") == std::string::npos) continue;
    const bool is_keyword =
        std::regex_match(words, keyword) && words.find_first_of("\"'") > words.find('=');
    if (is_keyword && words.find("file") != std::string::npos) return std::nullopt;
    if (is_keyword) continue;
    if (!is_first) text.add_text(" ");
    is_first = false;
    if (!add_literals(argument, text)) text.add_value("");
  }
  return text;
}

}  // namespace

std::string script_text(const std::filesystem::path& script) {
  return read_file(script).substr(0, kMostScanned);
}

std::vector<PrintedMetric> printed_metrics_in(const std::string& text) {
  const std::string_view whole = text;
  std::vector<PrintedMetric> metrics;
  for (size_t at = 0; (at = whole.find('(', at)) != std::string_view::npos; ++at) {
    const std::string_view before = whole.substr(0, at);
    const bool prints = before.ends_with("print") || before.ends_with(".write");
    const bool is_comment =
        before.substr(before.rfind('\n') + 1).find('#') != std::string_view::npos;
    if (!prints || is_comment) continue;
    const size_t end = end_of_brackets(whole, at);
    if (end == std::string_view::npos) continue;
    const auto printed = text_of_call(whole.substr(at + 1, end - at - 2));
    if (!printed || before.ends_with("stderr.write")) continue;
    for (PrintedMetric& one : metrics_in_parts(printed->parts())) {
      if (std::ranges::find(metrics, one.name, &PrintedMetric::name) == metrics.end())
        metrics.push_back(std::move(one));
    }
  }
  if (std::ranges::any_of(metrics, &PrintedMetric::has_step))
    std::erase_if(metrics, [](const PrintedMetric& one) { return !one.has_step; });
  return metrics;
}

std::map<std::string, std::string> argparse_defaults_in(const std::string& text) {
  static const std::regex flag(R"(^\s*["']--([A-Za-z][\w-]*)["']\s*$)");
  static const std::regex given(
      R"(^\s*default\s*=\s*(?:(["'])([^"'\\]*)\1|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))\s*$)");
  const std::string_view whole = text;
  constexpr std::string_view kCall = "add_argument(";
  std::map<std::string, std::string> defaults;
  for (size_t at = 0; (at = whole.find(kCall, at)) != std::string_view::npos; at += kCall.size()) {
    const size_t open = at + kCall.size() - 1, end = end_of_brackets(whole, open);
    if (end == std::string_view::npos) continue;
    std::string key;
    std::optional<std::string> value;
    for (const std::string_view argument : arguments_in(whole.substr(open + 1, end - open - 2))) {
      const std::string words(argument.substr(0, kMostPrintedText));
      std::smatch parts;
      if (key.empty() && std::regex_match(words, parts, flag)) key = parts[1];
      if (std::regex_match(words, parts, given))
        value = parts[2].matched && parts[1].matched ? parts[2] : parts[3];
    }
    std::ranges::replace(key, '-', '_');
    if (!key.empty() && value && !value->empty()) defaults.emplace(key, *value);
  }
  return defaults;
}

std::vector<std::string> modules_beside(const std::filesystem::path& script,
                                        const std::string& text) {
  static const std::regex imports(
      R"(^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import|import[ \t]+([A-Za-z_][\w., \t]*)).*$)");
  const std::filesystem::path folder = script.parent_path();
  std::vector<std::string> code;
  std::vector<std::string> unread = {text};  // the script and modules, whose imports follow
  std::set<std::string> seen = {script.stem().string()};
  while (!unread.empty()) {
    const std::string module_text = std::move(unread.back());
    unread.pop_back();
    for (size_t begin = 0; begin < module_text.size();) {
      const size_t end = std::min(module_text.find('\n', begin), module_text.size());
      const std::string line = module_text.substr(begin, std::min(end - begin, kMostPrintedText));
      begin = end + 1;
      std::smatch parts;
      if (!std::regex_match(line, parts, imports)) continue;
      static const std::regex module(R"((?:^|,)\s*([A-Za-z_]\w*))");
      const std::string names = parts[1].matched ? parts[1] : parts[2];
      for (std::sregex_iterator found(names.begin(), names.end(), module), none; found != none;
           ++found) {
        const std::string name = (*found)[1];
        if (!seen.insert(name).second) continue;
        const std::filesystem::path file = folder / (name + ".py");
        if (is_file_there(file)) {
          code.push_back(name + ".py");
          unread.push_back(script_text(file));
        } else if (has_python_file(folder / name)) {
          code.push_back(name + "/**/*.py");
        }
      }
    }
  }
  return code;
}

bool is_output_key(const std::string& key) {
  static const std::regex output(
      R"((out|output|save|saves|checkpoint|checkpoints|ckpt|results?)(_?(dir|path|file|folder|to))?|(log|model|work|exp)_?(dir|path)|save_(model|checkpoint)s?(_(dir|path))?)");
  return std::regex_match(key, output);
}

}  // namespace rethink
