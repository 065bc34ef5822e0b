// Precision, recall and F1 of entities, as conlleval counts them (the scorer of CoNLL-2000, 2002
// and 2003): an entity is right when its words and its type are.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace rethink {

/// Words [first, end) of a sentence.
struct Entity {
  size_t first = 0, end = 0;
  std::string type;  // "": the tags have none ("B", "I", "O")
  auto operator<=>(const Entity&) const = default;
};

/// Returns the entities of a sentence's tags, in order, as conlleval reads them. B- and S- begin an
/// entity. I- and E- begin an entity behind O, behind another type, and behind the end of an entity
/// (E-, S-).
std::vector<Entity> entities_of(const std::vector<std::string>& tags);

/// Returns "B-PER", or "B" for a type without a name.
std::string entity_tag(char prefix, const std::string& type);

struct EntityCounts {
  size_t predicted = 0, there = 0, right = 0;
  /// All in percent; 0 where the divisor would be 0.
  double precision() const;
  double recall() const;
  double f1() const;
};

/// Counts over sentences of two taggings of the same words; by type, and of all under "".
class EntityScore {
 public:
  /// Requires: equal numbers of tags.
  void add(const std::vector<std::string>& predicted, const std::vector<std::string>& truth);
  const std::map<std::string, EntityCounts>& counts() const { return counts_; }
  /// Returns the share of words with equal tags [%]; 0 without words.
  double accuracy() const;

 private:
  std::map<std::string, EntityCounts> counts_ = {{"", {}}};
  size_t words_ = 0, equal_ = 0;
};

}  // namespace rethink
