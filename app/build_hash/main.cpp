// build_hash LIST HEADER FUNCTION OUT [SOURCES]: writes a source with functions that HEADER
// declares. FUNCTION returns the hash of LIST (build_hash.h), SOURCES the hash of the code of each
// source in LIST. Runs in the root of the checkout, for cmake/numeric_build.cmake. An unchanged
// file is not written, so that nothing is compiled again.
#include <cstdio>
#include <exception>

#include "app/build_hash/build_hash.h"
#include "core/files/file.h"

namespace {

std::string text_of(const std::string& list, const std::string& header, const std::string& function,
                    const std::string& sources) {
  const std::filesystem::path root = std::filesystem::current_path();
  std::string text = "#include \"" + header + "\"\n\nnamespace rethink {\n\n" + "const char* " +
                     function + "() {\n  return \"" + rethink::build_hash(list, root) + "\";\n}\n";
  if (!sources.empty()) {
    text += "\nstd::map<std::string, std::string> " + sources + "() {\n  return {\n";
    for (const auto& [path, hash] : rethink::source_hashes(list, root))
      text += "      {\"" + path + "\", \"" + hash + "\"},\n";
    text += "  };\n}\n";
  }
  return text + "\n}  // namespace rethink\n";
}

}  // namespace

int main(int count, char** words) {
  if (count != 5 && count != 6) {
    std::fprintf(stderr, "usage: build_hash LIST HEADER FUNCTION OUT [SOURCES]\n");
    return 2;
  }
  try {
    const std::string text =
        text_of(rethink::read_file(words[1]), words[2], words[3], count == 6 ? words[5] : "");
    const std::filesystem::path out = words[4];
    if (!std::filesystem::exists(out) || rethink::read_file(out) != text)
      rethink::write_file_atomically(out, text);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "build_hash: %s\n", error.what());
    return 3;
  }
}
