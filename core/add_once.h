// Lists without repetition, in the order of the first mention.
#pragma once

#include <algorithm>
#include <vector>

namespace rethink {

/// Cost: linear in the list.
template <typename T>
void add_once(std::vector<T>& all, const T& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

}  // namespace rethink
