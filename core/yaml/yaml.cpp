#include "core/yaml/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/files/piped_input.h"
#include "core/format/file_kind.h"
#include "core/text.h"
#include "core/yaml/lookalike_characters.h"
#include "core/yaml/yaml_mistake.h"

namespace rethink {
namespace {

constexpr uintmax_t kMostBytes = 8 << 20;
constexpr size_t kMostNodes = 500'000, kMostKeys = 2'000;
constexpr size_t kMostCopiedNodes = 100'000, kMostCopiedBytes = 4 << 20;

/// A text, and its name in positions.
struct Source {
  std::string text;
  std::string name;
  bool has_lines = true;  // false: the text is part of a flag, whose name is position enough

  Position place(int line, int column) const {
    return has_lines ? Position{name, line, column} : Position{name};
  }
};

/// Derived from the words of yaml-cpp's exception.
YamlTrouble trouble_of(const std::string& message) {
  using namespace YAML::ErrorMsg;
  if (message == MAP_VALUE) return YamlTrouble::colon;
  if (message == END_OF_MAP || message == END_OF_SEQ) return YamlTrouble::end_of_block;
  if (message == END_OF_MAP_FLOW || message == END_OF_SEQ_FLOW) return YamlTrouble::end_of_flow;
  return message == UNKNOWN_TOKEN ? YamlTrouble::letter : YamlTrouble::other;
}

[[noreturn]] void refuse_invalid_yaml(const Source& source, const YAML::Exception& error,
                                      Problems& problems) {
  if (error.mark.is_null())
    problems.refuse({source.name}, "invalid-yaml", "not valid YAML: " + error.msg);
  const int line = error.mark.line + 1, column = error.mark.column + 1;
  const auto likely = likely_mistake(source.text, line, column, trouble_of(error.msg));
  if (likely)
    problems.refuse(source.place(likely->line, likely->column), "invalid-yaml", likely->text);
  problems.refuse(source.place(line, column), "invalid-yaml", "not valid YAML: " + error.msg);
}

/// The size of a node with everything below it.
struct Extent {
  size_t nodes = 0, bytes = 0;  // bytes of scalars and keys

  void add(const Yaml& node) {
    ++nodes;
    bytes += node.scalar.size();
    for (const Yaml& item : node.items) add(item);
    for (const Yaml::Entry& entry : node.entries) {
      bytes += entry.key.size();
      add(entry.value);
    }
  }
};

/// Builds the tree from the parser's events, which still have repeated keys, tags and anchors.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const Source& source, Problems& problems) : source_(source), problems_(problems) {}
  Yaml root;
  int begin = 0;  // in the text
  // about keys; discarded if the text is not YAML, since an open bracket makes such problems too
  Problems colon_problems;

  void OnDocumentStart(const YAML::Mark& mark) override { begin = mark.pos; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool lacks_colon = !open_.empty() && open_.back().has_key && !has_colon();
    leaf(lacks_colon ? without_colon(mark) : node(mark, Yaml::Kind::null), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    last_word_ = mark.pos;
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      problems_.refuse(place(mark), "invalid-yaml",
                       "an alias inside its own anchor refers to itself");
    last_scalar_ = found->second.scalar;
    count_copy(found->second, place(mark));
    accept(found->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    report_tag(mark, tag);
    last_word_ = mark.pos;
    Yaml scalar = node(mark, Yaml::Kind::scalar);
    last_scalar_ = value;
    scalar.quoted = tag == "!";
    scalar.scalar = scalar.quoted ? value : without_blanks(value, scalar.where);
    require_closed(mark);
    leaf(std::move(scalar), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Yaml::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Yaml::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  // Merge keys and repeated keys are already reported as problems.
  enum class Fate { keep, merge, drop };

  struct Open {
    Yaml node;
    YAML::anchor_t anchor;
    bool has_key;
    Yaml::Entry pending;
    Fate fate;                         // of `pending`
    std::map<std::string, int> lines;  // lines of the keys so far
    std::vector<Yaml> merged;
  };

  Position place(const YAML::Mark& mark) const {
    return source_.place(mark.line + 1, mark.column + 1);
  }

  Yaml node(const YAML::Mark& mark, Yaml::Kind kind) {
    if (++nodes_ > kMostNodes)
      problems_.refuse(place(mark), "too-many",
                       fmt::format("more than {} keys and values", kMostNodes));
    Yaml made;
    made.kind = kind;
    made.where = place(mark);
    return made;
  }

  void report_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_.add(
        place(mark), "unsupported-yaml",
        fmt::format("tag '{}' is not supported; values get their type from the option", tag));
  }

  /// Outside quotes, a trailing blank that looks like a space is a typing mistake.
  std::string without_blanks(const std::string& value, const Position& where) {
    const std::optional<FoundBlank> blank = find_outer_blank(value);
    if (!blank) {
      require_plain_signs(value, where);
      return value;
    }
    problems_.add(where, "misleading-characters", text_of_outer_blank(value, *blank));
    return std::string(without_outer_blanks(value));
  }

  /// Refuses quotes that YAML reads as letters, and a comment that begins after an unusual blank:
  /// YAML makes both part of the value.
  void require_plain_signs(const std::string& value, const Position& where) {
    if (const std::string quotes = typographic_quotes_around(value); !quotes.empty()) {
      problems_.add(where, "misleading-characters",
                    fmt::format("got '{}', {}; write plain quotes, \" or ', instead; to keep these "
                                "quotes, put plain ones around the value",
                                value, quotes));
    }
    for (size_t at = value.find('#'); at != std::string::npos; at = value.find('#', at + 1)) {
      const std::optional<FoundBlank> blank = find_outer_blank(value.substr(0, at));
      if (!blank || blank->at == 0) continue;
      problems_.add(where, "misleading-characters",
                    fmt::format("got '{}', where {} is before the #, so that no comment begins "
                                "there; write a space instead, or put quotes around "
                                "the value",
                                value, blank->blank->name));
      return;
    }
  }

  /// yaml-cpp accepts the end of the file as the end of a quote.
  void require_closed(const YAML::Mark& mark) {
    const auto at = static_cast<size_t>(mark.pos);
    const bool is_quote =
        at < source_.text.size() && (source_.text[at] == '"' || source_.text[at] == '\'');
    if (is_quote && !is_closed_quote(source_.text, at))
      problems_.refuse(place(mark), "invalid-yaml", "this quote is not closed");
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.is_map() && !open_.back().has_key;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Yaml::Kind kind) {
    report_tag(mark, tag);
    if (expects_key()) {
      if (const auto bracket = bracket_mistake(source_.text, mark.line + 1))
        problems_.refuse(source_.place(bracket->line, bracket->column), "invalid-yaml",
                         bracket->text);
      problems_.refuse(place(mark), "invalid-yaml",
                       "a key must be a plain word, got a list or map");
    }
    if (open_.size() >= kDeepestYaml)
      problems_.refuse(place(mark), "too-deep",
                       fmt::format("nested deeper than {} levels", kDeepestYaml));
    open_.push_back({node(mark, kind), anchor, false, {}, Fate::keep, {}, {}});
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    for (const Yaml& merged : closed.merged) take_missing(closed, merged);
    leaf(std::move(closed.node), closed.anchor);
  }

  void leaf(Yaml value, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      count_copy(value, value.where);
      anchors_[anchor] = value;
    }
    accept(std::move(value));
  }

  /// An anchor keeps a copy of its value, and each alias makes another copy.
  void count_copy(const Yaml& copied, const Position& where) {
    copied_.add(copied);
    if (copied_.nodes <= kMostCopiedNodes && copied_.bytes <= kMostCopiedBytes) return;
    problems_.refuse(where, "too-large",
                     fmt::format("anchors and aliases expand to more than {} nodes or {} "
                                 "MiB of text",
                                 kMostCopiedNodes, kMostCopiedBytes >> 20));
  }

  void accept(Yaml value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (open_.back().node.is_list()) {
      open_.back().node.items.push_back(std::move(value));
    } else if (expects_key()) {
      take_key(value);
    } else {
      Open& map = open_.back();
      // A missing value gets the position of the next token in the file.
      if (value.is_null() && value.where.line != map.pending.where.line)
        value.where = map.pending.where;
      map.pending.value = std::move(value);
      add_entry(map);
    }
  }

  static void add_entry(Open& map) {
    if (map.fate == Fate::keep) map.node.entries.push_back(std::move(map.pending));
    if (map.fate == Fate::merge) map.merged.push_back(std::move(map.pending.value));
    map.pending = {};
    map.has_key = false;
  }

  /// Takes the keys that a merge key would have added, so that no key is reported as missing.
  static void take_missing(Open& map, const Yaml& merged) {
    for (const Yaml& item : merged.items) take_missing(map, item);
    for (const Yaml::Entry& entry : merged.entries) {
      if (map.lines.emplace(entry.key, entry.where.line).second) map.node.entries.push_back(entry);
    }
  }

  void take_key(const Yaml& key) {
    Open& map = open_.back();
    if (!key.is_scalar()) {
      const auto too_long = long_key_in_flow(source_.text, std::max(key.where.line, 1));
      if (too_long)
        problems_.refuse(source_.place(too_long->line, too_long->column), "invalid-yaml",
                         too_long->text);
      problems_.refuse(key.where, "invalid-yaml",
                       "a key must be a plain word, got nothing or null");
    }
    if (map.lines.size() + map.merged.size() >= kMostKeys)
      problems_.refuse(key.where, "too-many", fmt::format("a map of more than {} keys", kMostKeys));
    if (std::ranges::count(key.scalar, '.') >= kMostKeyParts)
      problems_.refuse(key.where, "too-many",
                       fmt::format("a key of more than {} parts", kMostKeyParts));
    map.fate = Fate::keep;
    if (key.scalar == "<<" && !key.quoted) {
      map.fate = Fate::merge;
      problems_.add(
          key.where, "unsupported-yaml",
          "merge keys ('<<') are not supported; use a preset or an alias of the whole value");
    } else if (const auto [first, is_new] = map.lines.emplace(key.scalar, key.where.line);
               !is_new) {
      map.fate = Fate::drop;
      const std::string where =
          first->second > 0 ? fmt::format(", first in line {}", first->second) : "";
      problems_.add(key.where, "duplicate-key",
                    fmt::format("key '{}' is given twice in one map{}", key.scalar, where));
    }
    map.pending.key = key.scalar;
    map.pending.where = key.where;
    map.pending.key_quoted = key.quoted;
    map.has_key = true;
  }

  /// Whether a ':' follows the pending key, which is a word without quotes.
  bool has_colon() const {
    const auto at = static_cast<size_t>(last_word_);
    if (source_.text.compare(at, last_scalar_.size(), last_scalar_) != 0) return true;
    const size_t next = source_.text.find_first_not_of(" \t", at + last_scalar_.size());
    return next != std::string::npos && source_.text[next] == ':';
  }

  /// Whether the last word is "{word}", as a placeholder without quotes.
  bool is_alone_in_braces() const {
    const auto first = static_cast<size_t>(last_word_), after = first + last_scalar_.size();
    return first > 0 && source_.text[first - 1] == '{' && after < source_.text.size() &&
           source_.text[after] == '}';
  }

  /// The value of a pending key that is a word without a colon: "batch:5", "batch 5", "batch".
  Yaml without_colon(const YAML::Mark& mark) {
    std::string& key = open_.back().pending.key;
    colon_problems.add(
        open_.back().pending.where, "invalid-yaml",
        is_alone_in_braces() ? text_of_unquoted_placeholder(key) : text_of_missing_colon(key));
    const size_t end = std::min(key.find(':'), key.find(' '));
    Yaml meant = node(mark, end == std::string::npos ? Yaml::Kind::null : Yaml::Kind::scalar);
    if (meant.is_null()) return meant;
    meant.scalar = without_outer_blanks(
        std::string_view(key).substr(std::min(key.find_first_not_of(": ", end), key.size())));
    key.resize(end);
    return meant;
  }

  const Source& source_;
  Problems& problems_;
  int last_word_ = -1;       // where the last scalar or alias begins in the text
  std::string last_scalar_;  // its value
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Yaml> anchors_;
  size_t nodes_ = 0;
  Extent copied_;
};

}  // namespace

const Yaml* Yaml::find(const std::string& key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Yaml* Yaml::find(const std::string& key) {
  return const_cast<Yaml*>(std::as_const(*this).find(key));
}

std::vector<std::string> Yaml::keys() const {
  std::vector<std::string> all;
  for (const Entry& entry : entries) all.push_back(entry.key);
  return all;
}

namespace {

Yaml parse(const Source& source, Problems& problems) {
  const std::string& text = source.text;
  const auto refuse_byte = [&](size_t at, const std::string& what) {
    const auto begin = static_cast<ptrdiff_t>(at == 0 ? 0 : text.rfind('\n', at - 1) + 1);
    const auto line = 1 + std::count(text.begin(), text.begin() + begin, '\n');
    problems.refuse(source.place(static_cast<int>(line),
                                 static_cast<int>(static_cast<ptrdiff_t>(at) - begin) + 1),
                    "not-utf8", what);
  };
  if (const size_t at = find_invalid_utf8(text); at != std::string::npos)
    refuse_byte(at, "not UTF-8 from here; convert the text first " + how_to_convert_to_utf8(text));
  // yaml-cpp would read the text as UTF-16 or UTF-32, and its positions would be wrong.
  if (const size_t at = text.find('\0'); at != std::string::npos) {
    refuse_byte(at, "a byte that is 0, which text does not have; remove them (tr -d '\\000')");
  }
  if (const size_t at = find_doubled_line_end(text); at != std::string::npos) {
    refuse_byte(at,
                "lines end with \\r\\r\\n, line ends that were converted twice; take \\r away "
                "(tr -d '\\r')");
  }
  // yaml-cpp ends a line at a lone \r in some places and not in others, such as comments.
  for (size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (text.compare(at + 1, 1, "\n") == 0) continue;
    refuse_byte(
        at,
        "a carriage return without a line feed (\\r), as only old files end lines with; end "
        "every line alike, as sed 's/\\r$//; s/\\r/\\n/g' does");
  }
  std::istringstream stream(text);
  TreeBuilder builder(source, problems);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    Problems of_second;
    TreeBuilder second(source, of_second);
    if (parser.HandleNextDocument(second)) {
      const size_t dashes = text.rfind("\n---", static_cast<size_t>(second.begin));
      if (dashes == std::string::npos)
        problems.refuse(second.root.where, "invalid-yaml",
                        "indented less than the first line: begin both in the same column");
      problems.add(second.root.where, "unsupported-yaml",
                   "a second document begins here; a file may hold only one");
    }
  } catch (const YAML::Exception& error) {
    refuse_invalid_yaml(source, error, problems);
  }
  problems.take(builder.colon_problems);
  if (builder.root.where.file.empty()) builder.root.where = source.place(1, 1);
  return std::move(builder.root);
}

}  // namespace

Yaml parse_yaml(const std::string& text, const std::string& name, Problems& problems) {
  // yaml-cpp skips a byte order mark, so positions must be counted without the mark.
  return parse({without_text_marks(text), name}, problems);
}

Yaml parse_yaml_of_flag(const std::string& text, const std::string& flag, Problems& problems) {
  return parse({text, flag, /*has_lines=*/false}, problems);
}

Yaml parse_yaml(const std::string& text, const std::string& name) {
  Problems problems;
  Yaml root = parse_yaml(text, name, problems);
  problems.throw_if_any();
  return root;
}

Yaml read_yaml(const std::filesystem::path& path, Problems& problems) {
  std::string text;
  try {
    if (std::filesystem::is_directory(path))
      throw ConfigError("not-a-file", shown_name(path) + ": is a folder, expected a YAML file");
    std::error_code unknown;  // for a pipe; the code below reports an unreadable file
    const uintmax_t bytes = std::filesystem::file_size(path, unknown);
    if (!unknown && bytes > kMostBytes) {
      throw ConfigError("too-large", fmt::format("{}: got {} MiB, expected at most {} MiB of YAML",
                                                 shown_name(path), bytes >> 20, kMostBytes >> 20));
    }
    text = read_expected(path, ExpectedFile::yaml);
  } catch (const MachineError& error) {
    throw ConfigError(error.code(), error.what());
  }
  return parse_yaml(text, path.string(), problems);
}

Yaml read_yaml(const std::filesystem::path& path) {
  Problems problems;
  Yaml root = read_yaml(path, problems);
  problems.throw_if_any();
  return root;
}

}  // namespace rethink
