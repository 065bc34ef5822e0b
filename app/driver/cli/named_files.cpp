#include "app/driver/cli/named_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/message.h"
#include "core/text.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/library.h"
#include "plots/claim/claim_spec.h"
#include "plots/figure/figure_spec.h"
#include "plots/spec_reader.h"
#include "plots/spec_sweeps.h"
#include "plots/table/table_kind.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

using Paths = std::vector<std::filesystem::path>;
using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

using Sweeps = std::vector<Word>;  // with the names of a spec

Sweeps sweeps_of_claims(const std::filesystem::path& file, const Paths& paths) {
  Sweeps sweeps;
  std::set<std::string> tables;
  for (const ClaimSpec& claim : read_claims_spec(file).claims) {
    if (!tables.insert(claim.table).second) continue;
    const Sweeps more =
        sweeps_of(read_table_file(Library("tables", paths).file(claim.table)).spec());
    sweeps.insert(sweeps.end(), more.begin(), more.end());
  }
  return sweeps;
}

struct SpecKind {
  std::string kind, one;  // "tables", "a table"
  std::string key;        // "table": names what a file makes, and is the command that makes it
  Sweeps (*sweeps_in)(const std::filesystem::path& file, const Paths& paths);
};

const std::vector<SpecKind>& spec_kinds() {
  static const std::vector<SpecKind> kinds = {
      {"tables", "a table", "table",
       [](const std::filesystem::path& file, const Paths&) {
         return sweeps_of(read_table_file(file).spec());
       }},
      {"figures", "a figure", "figure",
       [](const std::filesystem::path& file, const Paths&) {
         return sweeps_of(read_figure_spec(file));
       }},
      {"claims", "a file of claims", "claims", sweeps_of_claims}};
  return kinds;
}

/// Requires: `kind` is one of spec_kinds().
const SpecKind& spec_kind(const std::string& kind) {
  return *std::ranges::find(spec_kinds(), kind, &SpecKind::kind);
}

/// In the form of the command line: "sparsebert/glue" for experiments/sweeps/sparsebert/glue.yaml.
Names sweeps_named(const SpecKind& kind, const std::string& spec, const Paths& paths) {
  const Library sweeps("sweeps", paths);
  Names names;
  for (const Word& sweep : kind.sweeps_in(Library(kind.kind, paths).file(spec), paths)) {
    const std::string name = sweeps.name_of(find_spec_sweep(sweep, paths)).value_or(sweep.text);
    if (!has(names, name)) names.push_back(name);
  }
  return names;
}

/// The other kind of spec with that name; null if there is none.
const SpecKind* kind_of(const std::string& name, const Paths& paths) {
  const auto found = std::ranges::find_if(
      spec_kinds(), [&](const SpecKind& kind) { return Library(kind.kind, paths).has(name); });
  return found == spec_kinds().end() ? nullptr : &*found;
}

std::string last_word_of(const std::string& name) {
  return name.substr(name.rfind('/') + 1);
}

/// Throws ConfigError if `name` is how `known` names of its own kind ("sweep") do not end, but tables
/// or figures do: "table3" of bet/table3. `words` stand after the name in the commands to type.
void refuse_end_of_other_name(const std::string& name, const std::string& one, const Names& known,
                              const std::string& words, const Paths& paths,
                              const std::filesystem::path& store) {
  const auto is_end_of = [&](const std::string& other) { return last_word_of(other) == name; };
  if (std::ranges::any_of(known, is_end_of)) return;  // Library names them
  Names commands;
  for (const SpecKind& kind : spec_kinds()) {
    for (const std::string& other : Library(kind.kind, paths).names()) {
      if (is_end_of(other))
        commands.push_back(
            "`" + store_command(fmt::format("{} {}", kind.key, for_a_shell(other)) + words, store) +
            "`");
    }
  }
  if (commands.empty()) return;
  throw ConfigError("unknown-name", fmt::format("there is no {} '{}'; did you mean {}?", one, name,
                                                joined(commands, " or ")));
}

/// The key that only sweeps have.
constexpr const char* kStagesKey = "stages";

/// Throws ConfigError if `file` is a program or a file for another command, and not `expected` ("a
/// sweep", with the key "sweep"). Other files are left to their reader.
void refuse_for_other_command(const std::string& file, const std::string& expected,
                              const std::string& key, const std::filesystem::path& store,
                              const std::string& options) {
  if (!is_regular_file_there(file)) return;
  const std::string word = for_a_shell(file);
  if (!has_yaml_ending(file) && is_program_file(file))
    throw ConfigError(
        "wrong-file-kind",
        fmt::format("{} is a program, expected {}: `rethink init {}` writes a sweep that runs it",
                    file, expected, word));
  Problems ignored;  // the file's reader reports them
  std::optional<Yaml> given;
  try {
    given = read_yaml(file, ignored);
  } catch (const ConfigError&) {
    return;
  }
  if (!given->is_map() || given->find(key)) return;
  for (const SpecKind& kind : spec_kinds()) {
    if (given->find(kind.key))
      throw ConfigError(
          "wrong-file-kind",
          fmt::format("{} is {}, expected {}: type `{}`", file, kind.one, expected,
                      store_command(fmt::format("{} {}", kind.key, word) + options, store)));
  }
  if (given->find(kStagesKey))
    throw ConfigError("wrong-file-kind",
                      fmt::format("{} is a sweep, expected {}: type `{}`", file, expected,
                                  store_command("run " + word + options, store)));
}

/// ".yam", ".txt", ".json"; not ".5" as in rate_0.5.
bool has_file_ending(const std::filesystem::path& name) {
  constexpr size_t kLongest = 5;
  const std::string ending = name.extension();
  return ending.size() > 1 && ending.size() <= 1 + kLongest &&
         std::isalpha(static_cast<unsigned char>(ending[1])) != 0;
}

/// "./mine.yaml", "/tmp/mine", "mine.yml", "mine.yam": a path, and not a name on the search path.
bool is_meant_as_file(const std::filesystem::path& name) {
  const std::filesystem::path first = name.begin() == name.end() ? "" : *name.begin();
  return name.is_absolute() || first == "." || first == ".." || has_file_ending(name);
}

/// A file beside it whose name differs in the ending or by a typing mistake; empty if there is
/// none.
std::filesystem::path file_meant(const std::filesystem::path& missing) {
  const std::filesystem::path folder = missing.parent_path();
  std::error_code none;
  std::map<std::string, std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
    if (has_yaml_ending(entry.path()))
      files[entry.path().stem()] = folder / entry.path().filename();
  }
  const std::string stem = missing.stem();
  if (files.count(stem)) return files.at(stem);
  for (const auto& [other, file] : files) {
    if (!did_you_mean(stem, {other}).empty()) return file;
  }
  return {};
}

/// Throws ConfigError if a sweep of the store has the name: commands that read a file need the path of
/// its file, whose own name may be another one.
void refuse_sweep_of_store(const std::string& name, const std::filesystem::path& store) {
  if (!std::filesystem::is_directory(store / "sweeps")) return;
  std::vector<std::filesystem::path> damaged;  // `db check` reports them
  for (const SweepFile& file : read_sweep_files(store, &damaged)) {
    if (file.sweep != name || !is_file_there(file.source)) continue;
    throw ConfigError("unknown-name",
                      fmt::format("no file has the name '{}'; the store's sweep of that name is in "
                                  "{}: type this path",
                                  name, for_a_shell(seen_from_here(file.source))));
  }
}

}  // namespace

std::string seen_from_here(const std::filesystem::path& place) {
  const auto here = place.lexically_relative(std::filesystem::current_path());
  return (here.empty() || *here.begin() == ".." ? place : here).string();
}

std::vector<Word> sweeps_of_spec(const std::string& kind, const std::filesystem::path& file,
                                 const Paths& paths) {
  return spec_kind(kind).sweeps_in(file, paths);
}

void require_file(const std::string& name, const std::string& kind, const Names& known) {
  if (!is_meant_as_file(name) || std::filesystem::exists(name)) return;
  refuse_dangling_link(name);
  const std::string plain = std::filesystem::path(name).replace_extension().string();
  const std::string meant = has(known, plain) ? plain : file_meant(name).string();
  throw ConfigError("unknown-name",
                    fmt::format("{}: there is no such file{}; expected {} or the name of one", name,
                                meant.empty() ? "" : "; did you mean '" + meant + "'?", kind));
}

std::filesystem::path sweep_file_named(const std::string& name, const Paths& paths,
                                       const std::filesystem::path& store,
                                       const std::string& options) {
  const Library sweeps("sweeps", paths);
  const bool is_sweep = std::filesystem::exists(name) || sweeps.has(name);
  if (is_sweep) refuse_for_other_command(name, "a sweep", kStagesKey, store, options);
  const SpecKind* const kind = is_sweep ? nullptr : kind_of(name, paths);
  if (!is_sweep && !kind) {
    require_file(name, "a sweep file", sweeps.names());
    refuse_sweep_of_store(name, store);
    refuse_end_of_other_name(name, "sweep", sweeps.names(), " --run" + options, paths, store);
  }
  if (!kind) return sweeps.file(name);
  throw ConfigError(
      "wrong-name-kind",
      fmt::format(
          "{} is {}, expected a sweep: type `{}` to run its missing trials; they belong to: {}",
          name, kind->one,
          store_command(fmt::format("{} {} --run", kind->key, for_a_shell(name)) + options, store),
          joined(sweeps_named(*kind, name, paths))));
}

std::filesystem::path spec_file_named(const std::string& kind, const std::string& name,
                                      const Paths& paths, const std::filesystem::path& store,
                                      const std::string& options) {
  const Library specs(kind, paths);
  const bool is_spec = std::filesystem::exists(name) || specs.has(name);
  if (is_spec)
    refuse_for_other_command(name, spec_kind(kind).one, spec_kind(kind).key, store, options);
  const bool is_sweep = !is_spec && Library("sweeps", paths).has(name);
  const SpecKind* const other = is_spec || is_sweep ? nullptr : kind_of(name, paths);
  if (other) {
    throw ConfigError(
        "wrong-name-kind",
        fmt::format(
            "{} is {}: type `{}`", name, other->one,
            store_command(fmt::format("{} {}", other->key, for_a_shell(name)) + options, store)));
  }
  if (!is_spec && !is_sweep) {
    require_file(name, "a file of " + kind, specs.names());
    refuse_sweep_of_store(name, store);
    const std::string one = spec_kind(kind).one.substr(std::string("a ").size());
    refuse_end_of_other_name(name, one, specs.names(), options, paths, store);
  }
  if (!is_sweep) return specs.file(name);
  Names of;
  for (const std::string& spec : specs.names()) {
    try {
      if (has(sweeps_named(spec_kind(kind), spec, paths), name)) of.push_back(spec);
    } catch (const ConfigError&) {  // the mistake is reported when the file is used
    }
  }
  throw ConfigError("wrong-name-kind", fmt::format("{} is a sweep; {} of its trials: {}", name,
                                                   kind, of.empty() ? "none" : joined(of)));
}

namespace {

/// The name of the table or figure in the file; empty if it cannot be read.
std::string name_in_spec(const std::filesystem::path& file, const std::string& key) {
  try {
    Problems problems;
    const Yaml spec = read_yaml(file, problems);
    const Yaml* const name = spec.find(key);
    return name && name->is_scalar() ? name->scalar : "";
  } catch (const ConfigError&) {
    return "";
  }
}

}  // namespace

SpecNames::SpecNames(const std::string& kind, const Paths& paths) : key_(spec_kind(kind).key) {
  const Library specs(kind, paths);
  for (const std::string& spec : specs.names()) {
    const std::filesystem::path file = specs.find(spec);
    const auto name = std::filesystem::path(name_in_spec(file, key_)).lexically_normal();
    if (name.empty()) continue;
    const auto [owner, is_new] = owners_.emplace(name, file);
    if (!is_new && name == spec) owner->second = file;
  }
}

void SpecNames::require_unused(const std::string& name, const std::filesystem::path& by) const {
  const std::filesystem::path owner = file_of(name);
  if (owner.empty()) return;
  throw UnusableName("duplicate-name",
                     fmt::format("{0}: its {1} would be named '{2}' like the {1} in {3}, and would "
                                 "replace its output; rename that {1}",
                                 by.string(), key_, one_line(name), owner.string()));
}

std::filesystem::path SpecNames::file_of(const std::string& name) const {
  const auto owner = owners_.find(std::filesystem::path(name).lexically_normal());
  return owner == owners_.end() ? std::filesystem::path() : owner->second;
}

void SpecNames::take(const std::filesystem::path& file) {
  const std::string name = name_in_spec(file, key_);
  if (name.empty()) return;
  const auto [owner, is_new] =
      owners_.emplace(std::filesystem::path(name).lexically_normal(), file);
  if (is_new || std::filesystem::equivalent(owner->second, file)) return;
  throw UnusableName("duplicate-name",
                     fmt::format("{0}: {1} '{2}' has the name of the {1} in {3}, and would replace "
                                 "its output; rename one of them",
                                 file.string(), key_, one_line(name), owner->second.string()));
}

}  // namespace rethink
