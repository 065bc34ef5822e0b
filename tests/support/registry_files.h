// Registries that the sources declare, and files that should be their plug-ins. Contract tests
// compare them with the registries of a program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "core/config/registry.h"
#include "core/config/schema.h"
#include "tests/support/temp_folder.h"

namespace rethink {

inline const std::filesystem::path kSource = RETHINK_SOURCE_DIR;
/// Folder with the files of CONTRIBUTING.md in the layout of the repository. Contract tests link
/// them.
inline const std::filesystem::path kRecipes = RETHINK_BINARY_DIR "/recipes";

/// Returns kind and folder of every registry that the rooms declare.
inline std::map<std::string, std::string> declared_registries() {
  static const std::regex declaration(R"re(Registry registry\("([a-z_]+)", "([a-z_/]+)"\))re");
  std::map<std::string, std::string> declared;
  for (const char* room :
       {"core", "datasets", "kernels", "models", "results", "experiments", "plots", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / room)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = read_text(entry.path());
      std::smatch found;
      if (std::regex_search(text, found, declaration)) declared[found[1]] = found[2];
    }
  }
  return declared;
}

/// Returns the sources below `folder`, recipes included. All paths are relative to the repository's
/// root.
inline std::set<std::filesystem::path> sources_below(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> sources;
  for (const std::filesystem::path& root : {kSource, kRecipes}) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".cpp") sources.insert(entry.path().lexically_relative(root));
    }
  }
  return sources;
}

inline std::string text_of_source(const std::filesystem::path& source) {
  return read_text(std::filesystem::exists(kSource / source) ? kSource / source
                                                             : kRecipes / source);
}

inline bool has_header(const std::filesystem::path& source) {
  return std::filesystem::exists((kSource / source).replace_extension(".h"));
}

inline bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::string relative = file.lexically_relative(folder).string();
  return !relative.empty() && relative.rfind("..", 0) != 0;
}

/// Returns files of the registry's folder that register something or have no header of the same
/// name, without the folders of nested registries.
inline std::set<std::string> plugin_files(const RegistryBase& registry) {
  const std::filesystem::path folder = registry.folder();
  std::set<std::string> names;
  for (const std::filesystem::path& file : sources_below(folder)) {
    if (has_header(file) && text_of_source(file).find("RETHINK_REGISTERED") == std::string::npos)
      continue;
    bool nested = false;
    for (const auto& [kind, inner] : declared_registries()) {
      const std::filesystem::path other = inner;
      nested = nested || (other != folder && lies_below(other, folder) && lies_below(file, other));
    }
    if (!nested) names.insert(file.lexically_relative(folder).replace_extension().generic_string());
  }
  return names;
}

/// Returns a plug-in's name as the last part of a test's name, for --gtest_filter='*/NAME'.
inline std::string plugin_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](unsigned char letter) { return !std::isalnum(letter); }, '_');
  return name;
}

/// Returns whether `file`, a path below the registry's folder, may define the plug-in `name`. It
/// may be the file of that name, in the folder or in a sub-folder, or a table of plug-ins, named
/// like the first part of their names or like the folder ("labelled/glue" for "glue/cola").
inline bool is_made_by(const std::string& name, const std::string& file) {
  const std::string table = name.substr(0, name.find('/'));
  const bool in_table = table != name && (file == table || file.ends_with("/" + table));
  return file == name || file.ends_with("/" + name) || in_table;
}

/// Expects that each plug-in has one file, and that each such file has a plug-in.
inline void expect_named_as_files(const RegistryBase& registry,
                                  const std::set<std::string>& other_files = {}) {
  if (!std::filesystem::exists(kSource / registry.folder())) {
    EXPECT_TRUE(std::filesystem::exists(kSource / (registry.folder() + ".cpp"))) << "its table";
    return;
  }
  std::set<std::string> files = plugin_files(registry);
  files.insert(other_files.begin(), other_files.end());
  std::set<std::string> used;
  for (const std::string& name : registry.names()) {
    size_t found = 0;
    for (const std::string& file : files) {
      if (!is_made_by(name, file)) continue;
      used.insert(file);
      ++found;
    }
    EXPECT_EQ(found, 1u) << registry.kind() << " " << name << " in " << registry.folder();
  }
  EXPECT_EQ(used, files) << registry.kind() << " in " << registry.folder();
}

/// Expects that every plug-in and every option of it has a summary.
inline void expect_summaries(const RegistryBase& registry) {
  for (const std::string& name : registry.names()) {
    const PluginSchema schema = registry.schema(name);
    EXPECT_FALSE(schema.summary.empty()) << registry.kind() << " " << name;
    EXPECT_GE(schema.revision, 1) << registry.kind() << " " << name;
    for (const Field& field : schema.options.fields)
      EXPECT_FALSE(field.summary.empty()) << registry.kind() << " " << name << ": " << field.name;
  }
}

}  // namespace rethink
