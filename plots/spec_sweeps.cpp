#include "plots/spec_sweeps.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "experiments/plan/read/library.h"
#include "experiments/plan/read/stage_spec.h"
#include "plots/table/table_kind.h"

namespace rethink {
namespace {

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// "; write sweep: experiments/sweeps/bet/overall_lm.yaml" for the files of that name, or of a
/// similar name.
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

/// Whether the file is a table, a figure or a file of claims. So the table `rates.yaml` does not
/// find itself if it says `sweep: rates.yaml` for a file of the current folder. The reader of the
/// sweep reports an unreadable file.
bool is_spec_file(const std::filesystem::path& file) {
  try {
    Problems ignored;
    const Yaml text = read_yaml(file, ignored);
    return text.find("table") || text.find("figure") || text.find("claims");
  } catch (const ConfigError&) {
    return false;
  }
}

/// The file beside the spec that names it; empty if there is none.
std::filesystem::path sweep_beside(const Word& sweep) {
  if (!is_regular_file_there(sweep.at.file)) return {};
  const std::filesystem::path file =
      std::filesystem::absolute(folder_of_names_in(sweep.at.file) / sweep.text).lexically_normal();
  return is_file_there(file) && !is_spec_file(file) ? file : std::filesystem::path();
}

/// The file below the search path; empty if there is none.
std::filesystem::path sweep_on_path(const Word& sweep,
                                    const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    if (is_file_there(path / sweep.text)) return path / sweep.text;
  }
  return {};
}

std::vector<std::string> paths_text(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) add_new(texts, path.string());
  return texts;
}

/// Empty if there is no file.
std::filesystem::path spec_sweep_file(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths) {
  if (const auto file = sweep_beside(sweep); !file.empty()) return file;
  if (const auto file = sweep_on_path(sweep, paths); !file.empty()) return file;
  return Library("sweeps", paths).find(sweep.text);
}

std::string missing_sweep_text(const Word& sweep, const std::vector<std::filesystem::path>& paths) {
  return fmt::format(
      "sweep: got '{}', expected a sweep's name, or the path of its file beside this file or below "
      "the search path ({}; --path DIR adds a folder){}",
      sweep.text, joined(paths_text(paths)), sweeps_meant(sweep.text, paths));
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

void check_sweeps_named(const Yaml& spec, const std::vector<std::filesystem::path>& paths,
                        Problems& problems) {
  for (const Yaml& item : spec.items) check_sweeps_named(item, paths, problems);
  for (const Yaml::Entry& entry : spec.entries) {
    const Yaml& value = entry.value;
    if (entry.key != "sweep" || !value.is_scalar() || value.is_null()) {
      check_sweeps_named(value, paths, problems);
    } else if (const Word sweep{value.scalar, value.where, value.quoted};
               spec_sweep_file(sweep, paths).empty()) {
      problems.add(sweep.at, "unknown-sweep", missing_sweep_text(sweep, paths));
    }
  }
}

std::filesystem::path find_spec_sweep(const Word& sweep,
                                      const std::vector<std::filesystem::path>& paths) {
  const std::filesystem::path file = spec_sweep_file(sweep, paths);
  if (file.empty()) Problems().refuse(sweep.at, "unknown-sweep", missing_sweep_text(sweep, paths));
  return file;
}

std::optional<Note> note_on_second_sweep(const Word& sweep,
                                         const std::vector<std::filesystem::path>& paths) {
  const std::filesystem::path near = sweep_beside(sweep), far = sweep_on_path(sweep, paths);
  std::error_code unknown;
  if (near.empty() || far.empty() || std::filesystem::equivalent(near, far, unknown))
    return std::nullopt;
  return Note("ambiguous-path",
              fmt::format("the sweep is {}, and {} is not read: a path is looked up beside the "
                          "file that contains it, then in the search path",
                          near.string(), far.string()),
              sweep.at);
}

}  // namespace rethink
