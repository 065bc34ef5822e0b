#include "datasets/wordpiece/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "core/error.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr int64_t kFewest = 2;  // occurrences of neighbours that are joined, the default of HF

struct CountedWord {
  std::vector<int32_t> pieces;
  int64_t count = 0;
};

/// Two neighbours, as one number.
using Pair = uint64_t;

Pair neighbour_pair(int32_t left, int32_t right) {
  return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
}

std::pair<int32_t, int32_t> parts_of(Pair pair) {
  return {static_cast<int32_t>(pair >> 32), static_cast<int32_t>(pair & 0xFFFFFFFFu)};
}

/// The characters with the highest counts; for equal counts, in the order of their texts.
std::set<std::string_view> frequent_characters(
    const std::vector<std::pair<std::string, int64_t>>& words, size_t most) {
  std::map<std::string_view, int64_t> counts;
  for (const auto& [word, count] : words) {
    for (const std::string_view character : characters_of(word)) counts[character] += count;
  }
  std::vector<std::pair<std::string_view, int64_t>> ranked(counts.begin(), counts.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (ranked.size() > most) ranked.resize(most);
  std::set<std::string_view> kept;
  for (const auto& [character, count] : ranked) kept.insert(character);
  return kept;
}

/// Joins neighbours until the vocabulary is full.
class Joining {
 public:
  Joining(const std::vector<std::pair<std::string, int64_t>>& words,
          const WordPieceTraining& options);
  std::vector<std::string> join(size_t size);

 private:
  struct Neighbours {
    int64_t count = 0;
    std::vector<uint32_t> words;  // words in which they are or were; perhaps twice
  };
  struct Candidate {
    int64_t count;
    Pair pair;
  };

  int32_t id_of(const std::string& text);
  std::string joined_text(Pair pair) const;
  bool is_worse(const Candidate& a, const Candidate& b) const;
  void count_neighbours(uint32_t word, int64_t sign);
  void join_in(uint32_t word, Pair pair, int32_t joined);
  void offer(Pair pair);

  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int32_t> ids_;
  std::vector<CountedWord> words_;
  std::unordered_map<Pair, Neighbours> neighbours_;
  std::vector<Candidate> heap_;  // some with a count that has since fallen
  std::vector<Pair> risen_;
};

Joining::Joining(const std::vector<std::pair<std::string, int64_t>>& words,
                 const WordPieceTraining& options) {
  const std::set<std::string_view> known = frequent_characters(words, options.max_characters);
  std::set<std::string> beginning, continuing;
  std::vector<std::vector<std::string>> parted;
  for (const auto& [word, count] : words) {
    const std::vector<std::string_view> characters = characters_of(word);
    if (!std::all_of(characters.begin(), characters.end(), [&](auto c) { return known.count(c); }))
      continue;
    std::vector<std::string> pieces;
    for (const std::string_view character : characters)
      pieces.push_back((pieces.empty() ? "" : "##") + std::string(character));
    beginning.insert(pieces.front());
    continuing.insert(pieces.begin() + 1, pieces.end());
    parted.push_back(std::move(pieces));
    words_.push_back({{}, count});
  }
  for (const std::string_view special : kBertSpecials) id_of(std::string(special));
  for (const auto* characters : {&beginning, &continuing}) {
    for (const std::string& character : *characters) id_of(character);
  }
  if (pieces_.size() > options.size) {
    throw ConfigError(
        "invalid-value",
        fmt::format("a vocabulary of {} pieces has no room for {} special tokens and {} "
                    "characters: give a larger size",
                    options.size, kBertSpecials.size(), pieces_.size() - kBertSpecials.size()));
  }
  for (size_t word = 0; word < words_.size(); ++word) {
    for (const std::string& piece : parted[word]) words_[word].pieces.push_back(ids_.at(piece));
    count_neighbours(static_cast<uint32_t>(word), 1);
  }
  risen_.clear();
  for (const auto& [pair, neighbours] : neighbours_) offer(pair);
}

int32_t Joining::id_of(const std::string& text) {
  const auto [found, is_new] = ids_.emplace(text, static_cast<int32_t>(pieces_.size()));
  if (is_new) pieces_.push_back(text);
  return found->second;
}

std::string Joining::joined_text(Pair pair) const {
  const auto [left, right] = parts_of(pair);
  return pieces_[static_cast<size_t>(left)] + pieces_[static_cast<size_t>(right)].substr(2);
}

bool Joining::is_worse(const Candidate& a, const Candidate& b) const {
  if (a.count != b.count) return a.count < b.count;
  const std::string text_a = joined_text(a.pair), text_b = joined_text(b.pair);
  if (text_a != text_b) return text_a > text_b;
  return pieces_[static_cast<size_t>(parts_of(a.pair).first)] >
         pieces_[static_cast<size_t>(parts_of(b.pair).first)];
}

void Joining::offer(Pair pair) {
  const int64_t count = neighbours_[pair].count;
  if (count < kFewest) return;
  heap_.push_back({count, pair});
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](const auto& a, const auto& b) { return is_worse(a, b); });
}

void Joining::count_neighbours(uint32_t word, int64_t sign) {
  const CountedWord& counted = words_[word];
  for (size_t at = 1; at < counted.pieces.size(); ++at) {
    const Pair pair = neighbour_pair(counted.pieces[at - 1], counted.pieces[at]);
    Neighbours& neighbours = neighbours_[pair];
    neighbours.count += sign * counted.count;
    if (sign < 0) continue;
    if (neighbours.words.empty() || neighbours.words.back() != word)
      neighbours.words.push_back(word);
    risen_.push_back(pair);
  }
}

void Joining::join_in(uint32_t word, Pair pair, int32_t joined) {
  const auto [left, right] = parts_of(pair);
  std::vector<int32_t>& pieces = words_[word].pieces;
  const auto stands_at = [&](size_t at) {
    return at + 1 < pieces.size() && pieces[at] == left && pieces[at + 1] == right;
  };
  size_t first = 0;
  while (first < pieces.size() && !stands_at(first)) ++first;
  if (first == pieces.size()) return;
  count_neighbours(word, -1);
  size_t kept = first;
  for (size_t at = first; at < pieces.size(); ++kept) {
    const bool is_here = stands_at(at);
    pieces[kept] = is_here ? joined : pieces[at];
    at += is_here ? 2 : 1;
  }
  pieces.resize(kept);
  count_neighbours(word, 1);
}

std::vector<std::string> Joining::join(size_t size) {
  const auto worse = [this](const auto& a, const auto& b) { return is_worse(a, b); };
  while (pieces_.size() < size && !heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    const Candidate best = heap_.back();
    heap_.pop_back();
    Neighbours& neighbours = neighbours_[best.pair];
    if (neighbours.count != best.count) {
      // Otherwise it was offered when its count rose.
      if (neighbours.count < best.count) offer(best.pair);
      continue;
    }
    const std::vector<uint32_t> words = std::move(neighbours.words);
    const int32_t joined = id_of(joined_text(best.pair));
    risen_.clear();
    for (const uint32_t word : words) join_in(word, best.pair, joined);
    std::sort(risen_.begin(), risen_.end());
    risen_.erase(std::unique(risen_.begin(), risen_.end()), risen_.end());
    for (const Pair pair : risen_) offer(pair);
  }
  return std::move(pieces_);
}

}  // namespace

void WordPieceTrainer::add(std::string_view text) {
  BertWords words(text, options_.cased);
  while (words.next()) {
    if (words.special() >= 0 || words.is_too_long()) continue;
    const auto found = counts_.find(words.word());
    if (found == counts_.end()) {
      counts_.emplace(words.word(), 1);
    } else {
      ++found->second;
    }
  }
}

WordPiece WordPieceTrainer::train() const {
  if (counts_.empty())
    throw ConfigError("too-little-text", "the texts for a vocabulary contain no words");
  // Sorted, since the order of a hash table must not matter.
  std::vector<std::pair<std::string, int64_t>> words(counts_.begin(), counts_.end());
  std::sort(words.begin(), words.end());
  return WordPiece(Joining(words, options_).join(options_.size), options_.cased);
}

}  // namespace rethink
