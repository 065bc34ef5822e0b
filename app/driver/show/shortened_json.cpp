#include "app/driver/show/shortened_json.h"

#include <algorithm>
#include <map>

#include "app/driver/cli/terminal.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr int kMostJson = 48;  // characters

using Texts = std::map<size_t, std::string>;  // lists and maps of a column, by row

Texts json_texts(const QueryResult& rows, size_t column) {
  Texts texts;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    const Json& value = rows.rows[row][column];
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (text.starts_with('[') || text.starts_with('{')) texts[row] = text;
  }
  return texts;
}

bool is_difference_cut_off(const Texts& texts) {
  std::map<std::string, std::string> whole_of;
  return std::ranges::any_of(texts, [&](const auto& one) {
    const auto [same, is_new] = whole_of.try_emplace(cut_middle(one.second, kMostJson), one.second);
    return !is_new && same->second != one.second;
  });
}

/// The value itself, or the elements of a list.
std::vector<Json*> maps_in(Json& value) {
  std::vector<Json*> maps;
  if (value.is_object()) maps.push_back(&value);
  if (!value.is_array()) return maps;
  for (Json& element : value) {
    if (element.is_object()) maps.push_back(&element);
  }
  return maps;
}

/// Returns whether something was left out.
bool drop_equal_members(Texts& texts) {
  std::map<size_t, Json> values;
  std::vector<Json*> maps;
  for (const auto& [row, text] : texts) {
    Json& value = values[row] = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) return false;
    for (Json* map : maps_in(value)) maps.push_back(map);
  }
  if (maps.empty()) return false;
  std::vector<std::string> alike;
  for (const auto& [key, value] : maps.front()->items()) {
    const bool all_have = std::ranges::all_of(maps, [&](const Json* map) {
      const auto found = map->find(key);
      return found != map->end() && *found == value;
    });
    if (all_have) alike.push_back(key);
  }
  for (Json* map : maps) {
    for (const std::string& key : alike) map->erase(key);
  }
  for (const auto& [row, value] : values) texts[row] = value.dump();
  return !alike.empty();
}

}  // namespace

std::vector<std::string> shorten_json(QueryResult& rows) {
  std::vector<std::string> thinned;
  for (size_t column = 0; column < rows.columns.size(); ++column) {
    Texts texts = json_texts(rows, column);
    if (is_difference_cut_off(texts) && drop_equal_members(texts))
      thinned.push_back(rows.columns[column]);
    const bool cuts = !is_difference_cut_off(texts);
    for (const auto& [row, text] : texts)
      rows.rows[row][column] = cuts ? cut_middle(text, kMostJson) : text;
  }
  return thinned;
}

}  // namespace rethink
