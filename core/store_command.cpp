#include "core/store_command.h"

#include <fmt/format.h>

#include "core/shell_word.h"

namespace rethink {
namespace {

constexpr const char* kDefaultStore = "store";

std::filesystem::path normal_path(const std::filesystem::path& path) {
  std::error_code failed;  // in a folder that was deleted
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

}  // namespace rethink
