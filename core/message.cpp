#include "core/message.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/facts/dataset_facts.h"

namespace rethink {

std::string counted(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string first_names(const std::vector<std::string>& names, size_t most) {
  if (names.size() <= most) return joined(names);
  const auto end = names.begin() + static_cast<ptrdiff_t>(most);
  return fmt::format("{} and {} more", joined({names.begin(), end}), names.size() - most);
}

std::string for_a_shell(const std::string& word) {
  const bool is_plain = word.find_first_not_of(
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789_-+=./,:@%") == std::string::npos;
  if (is_plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

namespace {

constexpr const char* kDefaultStore = "store";

std::filesystem::path normal_path(const std::filesystem::path& path) {
  std::error_code failed;  // the current folder was deleted
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return (failed ? path : whole).lexically_normal();
}

bool may_read_snapshot(std::string_view words) {
  const std::string_view command = words.substr(0, words.find(' '));
  const bool runs = fmt::format("{} ", words).find(" --run ") != std::string::npos;
  return commands_that_read_snapshots().contains(command) && !runs;
}

}  // namespace

std::string store_option(const std::filesystem::path& store) {
  if (normal_path(store) == normal_path(kDefaultStore)) return "";
  return " --store " + for_a_shell(store.string());
}

std::string store_command(std::string_view words, const std::filesystem::path& store) {
  std::error_code none;
  const bool is_snapshot = std::filesystem::is_regular_file(store, none);
  return fmt::format("rethink {}{}", words,
                     is_snapshot && !may_read_snapshot(words) ? " --store FOLDER_OF_THE_STORE"
                                                              : store_option(store));
}

const std::set<std::string, std::less<>>& commands_that_read_snapshots() {
  static const std::set<std::string, std::less<>> commands = {"query",  "curve",  "show",  "table",
                                                              "figure", "claims", "report"};
  return commands;
}

std::string how_to_get_data(const std::string& dataset, const DatasetFacts& facts) {
  if (!facts.by_hand.empty()) return facts.by_hand;
  if (!facts.package.empty())
    return fmt::format("install Debian's package {0} (apt-get install {0})", facts.package);
  return fmt::format("run `rethink data get {}`", dataset);
}

std::string trouble_of_data_folder(const std::filesystem::path& data) {
  std::error_code unknown;
  if (data.empty() || std::filesystem::is_directory(data, unknown)) return "";
  if (std::filesystem::exists(data, unknown)) return data.string() + " is not a folder";
  return "there is no folder " + data.string();
}

}  // namespace rethink
