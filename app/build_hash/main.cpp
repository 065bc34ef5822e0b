// build_hash LIST HEADER FUNCTION OUT: writes a source with the function, declared in HEADER, that
// returns the hash of LIST (build_hash.h). Runs in the root of the checkout, for
// cmake/numeric_build.cmake. A file that would stay the same is not touched: nothing is compiled
// anew.
#include <cstdio>
#include <exception>

#include "app/build_hash/build_hash.h"
#include "core/system/file.h"

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: build_hash LIST HEADER FUNCTION OUT\n");
    return 2;
  }
  try {
    const std::string hash =
        rethink::build_hash(rethink::read_file(words[1]), std::filesystem::current_path());
    const std::string text = std::string("#include \"") + words[2] +
                             "\"\n\nnamespace rethink {\n\n" + "const char* " + words[3] +
                             "() {\n  return \"" + hash + "\";\n}\n\n}  // namespace rethink\n";
    const std::filesystem::path out = words[4];
    if (!std::filesystem::exists(out) || rethink::read_file(out) != text)
      rethink::write_file_atomically(out, text);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "build_hash: %s\n", error.what());
    return 3;
  }
}
