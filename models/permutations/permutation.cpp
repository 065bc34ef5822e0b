#include "models/permutations/permutation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/philox.h"

namespace rethink {
namespace {

using Places = std::vector<int64_t>;

Places shifted(int64_t n, int64_t by, const PermutationRule& rule) {
  Places from(static_cast<size_t>(n));
  for (int64_t t = 0; t < n; ++t)
    from[static_cast<size_t>(t)] = ((t + (rule.backward ? -by : by)) % n + n) % n;
  return from;
}

Places next(int64_t n, const PermutationRule& rule) {
  return shifted(n, 1, rule);
}

Places next_two(int64_t n, const PermutationRule& rule) {
  return shifted(n, 2, rule);
}

Places shuffled(int64_t n, const PermutationRule& rule) {
  const std::vector<int64_t> keys = random_keys(n, rule);
  Places from(static_cast<size_t>(n));
  std::iota(from.begin(), from.end(), 0);
  std::ranges::stable_sort(from, {}, [&](int64_t t) { return keys[static_cast<size_t>(t)]; });
  return from;
}

Places reversed(int64_t n, const PermutationRule&) {
  Places from(static_cast<size_t>(n));
  std::iota(from.rbegin(), from.rend(), 0);
  return from;
}

Places swapped(int64_t n, const PermutationRule&) {
  Places from(static_cast<size_t>(n));
  std::iota(from.begin(), from.end(), 0);
  for (size_t t = 0; t + 1 < from.size(); t += 2) std::swap(from[t], from[t + 1]);
  return from;
}

using Maker = Places (*)(int64_t n, const PermutationRule& rule);

const std::vector<std::pair<std::string, Maker>>& makers() {
  static const std::vector<std::pair<std::string, Maker>> all = {{"next", next},
                                                                 {"next_two", next_two},
                                                                 {"random", shuffled},
                                                                 {"reverse", reversed},
                                                                 {"swap", swapped}};
  return all;
}

}  // namespace

const std::vector<std::string>& permutation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, maker] : makers()) all.push_back(name);
    return all;
  }();
  return names;
}

std::vector<int64_t> permutation(const std::string& name, int64_t n, const PermutationRule& rule) {
  static const std::map<std::string, Maker> by_name(makers().begin(), makers().end());
  return by_name.at(name)(n, rule);
}

std::vector<int64_t> random_keys(int64_t n, const PermutationRule& rule) {
  const PhiloxKey key{static_cast<uint64_t>(rule.seed), static_cast<uint64_t>(rule.layer) << 32};
  std::vector<int64_t> keys;
  for (int64_t t = 0; t < n; ++t) {
    const PhiloxBlock block = philox(key, static_cast<uint64_t>(t));
    // 62 bits, so that no key is the greatest integer.
    keys.push_back(
        static_cast<int64_t>((static_cast<uint64_t>(block.word[0]) << 32 | block.word[1]) >> 2));
  }
  return keys;
}

}  // namespace rethink
