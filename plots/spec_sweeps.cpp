#include "plots/spec_sweeps.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/system/named_file.h"
#include "experiments/plan/read/library.h"
#include "plots/table/table_kind.h"

namespace rethink {
namespace {

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// "; write sweep: experiments/sweeps/bet/overall_lm.yaml" for the files of that name, or those of
/// a name that is near.
std::string sweeps_meant(const std::string& given,
                         const std::vector<std::filesystem::path>& paths) {
  const std::string name = std::filesystem::path(given).stem();
  std::vector<std::string> same, near;
  for (const std::filesystem::path& path : paths) {
    if (const auto file = yaml_file(path, given); !file.empty())
      add_new(same, file.lexically_relative(path).string());
    const Library sweeps("sweeps", {path});
    for (const std::string& sweep : sweeps.names()) {
      const std::string stem = std::filesystem::path(sweep).filename();
      const std::string file = sweeps.find(sweep).lexically_relative(path).string();
      if (stem == name) add_new(same, file);
      if (!did_you_mean(name, {stem}).empty()) add_new(near, file);
    }
  }
  const std::string files = joined(same.empty() ? near : same, " or ");
  return files.empty() ? "" : "; write sweep: " + files;
}

std::vector<std::string> paths_text(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) add_new(texts, path.string());
  return texts;
}

}  // namespace

bool means_spec(const std::string& word, const std::string& name) {
  return name == word || name.starts_with(word + "/");
}

std::vector<std::string> tables_of(const std::vector<std::filesystem::path>& sweeps,
                                   const std::vector<std::filesystem::path>& paths) {
  const auto is_named = [&](const Word& name) {
    const std::filesystem::path file = find_spec_sweep(name, paths);
    return std::any_of(sweeps.begin(), sweeps.end(), [&](const std::filesystem::path& sweep) {
      return std::filesystem::equivalent(file, sweep);
    });
  };
  std::vector<std::string> tables;
  const Library library("tables", paths);
  for (const std::string& table : library.names()) {
    try {
      const std::vector<Word> named = sweeps_of(read_table_file(library.find(table)).spec());
      if (std::all_of(named.begin(), named.end(), is_named)) tables.push_back(table);
    } catch (const ConfigError&) {
      continue;
    }
  }
  return tables;
}

std::filesystem::path find_spec_sweep(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    if (is_file_there(path / sweep.text)) return path / sweep.text;
  }
  if (const auto file = Library("sweeps", paths).find(sweep.text); !file.empty()) return file;
  Problems().refuse(
      sweep.at,
      fmt::format("sweep: got '{}', expected a sweep's name, or the path of its file below "
                  "the search path ({}; --path DIR adds a folder){}",
                  sweep.text, joined(paths_text(paths)), sweeps_meant(sweep.text, paths)));
}

}  // namespace rethink
