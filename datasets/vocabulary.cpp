#include "datasets/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace rethink {
namespace {

std::string escaped(std::string_view token) {
  std::string line;
  for (const char c : token) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else {
      if (c == '\\') line += '\\';
      line += c;
    }
  }
  return line;
}

std::string unescaped(std::string_view line, const std::string& where) {
  std::string token;
  for (size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '\\') {
      token += line[at];
      continue;
    }
    const char next = ++at < line.size() ? line[at] : '\0';
    if (next != 'n' && next != 'r' && next != '\\') {
      throw ConfigError(
          "invalid-vocabulary",
          where + ": got a backslash before something else, expected \\n, \\r or \\\\");
    }
    token += next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
  }
  return token;
}

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& tokens) {
  texts_.reserve(tokens.size() + kSpecials);
  texts_.assign(std::begin(kSpecialTexts), std::end(kSpecialTexts));
  texts_.insert(texts_.end(), tokens.begin(), tokens.end());
  ids_.reserve(texts_.size());
  for (size_t index = 0; index < texts_.size(); ++index) {
    if (!ids_.emplace(texts_[index], static_cast<int32_t>(index)).second) {
      throw ConfigError("invalid-vocabulary",
                        fmt::format("vocabulary: token '{}' occurs twice", texts_[index]));
    }
  }
}

int32_t Vocabulary::id(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? kUnknown : found->second;
}

const std::string& Vocabulary::text(int32_t id) const {
  RETHINK_ASSERT(id >= 0 && static_cast<size_t>(id) < texts_.size(),
                 fmt::format("id {} of {}", id, texts_.size()));
  return texts_[static_cast<size_t>(id)];
}

std::string Vocabulary::to_text() const {
  std::string text;
  for (size_t index = kSpecials; index < texts_.size(); ++index)
    text += escaped(texts_[index]) + '\n';
  return text;
}

Vocabulary Vocabulary::from_text(std::string_view text, const std::string& what) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    const std::string where = fmt::format("{}:{}", what, tokens.size() + 1);
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      throw ConfigError("invalid-vocabulary", where + ": the line is cut off");
    tokens.push_back(unescaped(text.substr(0, end), where));
    text.remove_prefix(end + 1);
  }
  return Vocabulary(tokens);
}

int32_t VocabularyBuilder::add(std::string_view token) {
  if (const auto found = counts_.find(token); found != counts_.end()) {
    ++found->second.count;
    return static_cast<int32_t>(found->second.first) + Vocabulary::kSpecials;
  }
  const auto special =
      std::find(std::begin(Vocabulary::kSpecialTexts), std::end(Vocabulary::kSpecialTexts), token);
  if (special != std::end(Vocabulary::kSpecialTexts)) {
    return static_cast<int32_t>(special - std::begin(Vocabulary::kSpecialTexts));
  }
  const auto [added, is_new] = counts_.emplace(std::string(token), Count{1, order_.size()});
  order_.push_back(&added->first);
  return static_cast<int32_t>(added->second.first) + Vocabulary::kSpecials;
}

std::vector<int32_t> VocabularyBuilder::final_ids(const Vocabulary& vocabulary) const {
  std::vector<int32_t> ids(Vocabulary::kSpecials);
  std::iota(ids.begin(), ids.end(), 0);
  for (const std::string* text : order_) ids.push_back(vocabulary.id(*text));
  return ids;
}

Vocabulary VocabularyBuilder::build(int64_t max_tokens) const {
  std::vector<std::pair<int64_t, size_t>> ranked;  // (-count, first), in ascending order
  ranked.reserve(order_.size());
  for (const auto& [text, count] : counts_) ranked.emplace_back(-count.count, count.first);
  std::sort(ranked.begin(), ranked.end());
  if (max_tokens > 0 && ranked.size() > static_cast<size_t>(max_tokens)) {
    ranked.resize(static_cast<size_t>(max_tokens));
  }
  std::vector<std::string> tokens;
  tokens.reserve(ranked.size());
  for (const auto& [count, first] : ranked) tokens.push_back(*order_[first]);
  return Vocabulary(tokens);
}

}  // namespace rethink
