#include "app/driver/pooling.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

constexpr size_t kMostKeysNamed = 6;

}  // namespace

std::string pooling_note(Store& store, const ShortQuery& query) {
  const std::vector<PooledKey> keys = pooled_keys(store, query);
  if (keys.empty()) return "";
  std::vector<std::string> named;
  for (const PooledKey& key : keys) {
    if (named.size() < kMostKeysNamed)
      named.push_back(fmt::format("{} ({} values)", key.key, key.values));
  }
  if (keys.size() > named.size())
    named.push_back(fmt::format("{} more", keys.size() - named.size()));
  return fmt::format(
      "note: trials that differ in {} are averaged together; part them with --by, or choose with "
      "--where\n",
      joined(named));
}

std::string divergence_note(Store& store, const ShortQuery& query) {
  const QueryResult groups =
      run_query(store, short_query_sql(store, {query.where, query.by, {"n", "diverged"}}));
  std::vector<std::string> named;
  for (const std::vector<Json>& row : groups.rows) {
    const Json &trials = row.at(row.size() - 2), &diverged = row.back();
    if (!diverged.is_number() || diverged == 0) continue;
    std::string text = fmt::format("{} of {} trials", diverged.dump(), trials.dump());
    for (size_t i = 0; i + 2 < row.size(); ++i) {
      const std::string value = row[i].is_string() ? row[i].get<std::string>() : row[i].dump();
      text += fmt::format("{} {} {}", i == 0 ? " with" : ",", query.by[i], value);
    }
    named.push_back(std::move(text));
  }
  if (named.empty()) return "";
  return fmt::format("note: diverged: {}; a curve goes on as the mean of the others\n",
                     joined(named, "; "));
}

}  // namespace rethink
