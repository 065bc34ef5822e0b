#include "datasets/scores/entities.h"

#include <set>

namespace rethink {
namespace {

double percent(size_t part, size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

char tag_prefix(const std::string& tag) {
  return tag.empty() ? 'O' : tag[0];
}

std::string type_of(const std::string& tag) {
  return tag.size() > 2 ? tag.substr(2) : "";
}

/// Whether a word with `tag` continues the entity of the previous word.
bool goes_on(const std::string& before, const std::string& tag) {
  const char last = tag_prefix(before), kind = tag_prefix(tag);
  if (last == 'O' || last == 'E' || last == 'S') return false;
  return (kind == 'I' || kind == 'E') && type_of(before) == type_of(tag);
}

}  // namespace

std::vector<Entity> entities_of(const std::vector<std::string>& tags) {
  std::vector<Entity> entities;
  std::string before = "O";
  for (size_t i = 0; i < tags.size(); ++i) {
    if (goes_on(before, tags[i])) {
      entities.back().end = i + 1;
    } else if (tag_prefix(tags[i]) != 'O') {
      entities.push_back({i, i + 1, type_of(tags[i])});
    }
    before = tags[i];
  }
  return entities;
}

std::string entity_tag(char prefix, const std::string& type) {
  return type.empty() ? std::string(1, prefix) : std::string{prefix, '-'} + type;
}

double EntityCounts::precision() const {
  return percent(right, predicted);
}

double EntityCounts::recall() const {
  return percent(right, there);
}

double EntityCounts::f1() const {
  const double sum = precision() + recall();
  return sum == 0 ? 0.0 : 2 * precision() * recall() / sum;
}

void EntityScore::add(const std::vector<std::string>& predicted,
                      const std::vector<std::string>& truth) {
  const std::vector<Entity> ours = entities_of(predicted), theirs = entities_of(truth);
  const std::set<Entity> known(theirs.begin(), theirs.end());
  for (const Entity& entity : theirs) {
    ++counts_[""].there;
    if (!entity.type.empty()) ++counts_[entity.type].there;
  }
  for (const Entity& entity : ours) {
    const size_t right = known.contains(entity) ? 1 : 0;
    const std::set<std::string> types = {"", entity.type};
    for (const std::string& type : types) {
      ++counts_[type].predicted;
      counts_[type].right += right;
    }
  }
  words_ += truth.size();
  for (size_t i = 0; i < truth.size(); ++i) equal_ += predicted[i] == truth[i] ? 1 : 0;
}

double EntityScore::accuracy() const {
  return percent(equal_, words_);
}

}  // namespace rethink
