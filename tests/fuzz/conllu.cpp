// Dependency trees, and the tags of entities in files of a similar form.
#include "datasets/labelled/conll_file.h"
#include "datasets/text/dependency_trees.h"
#include "tests/fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using rethink::ErrorPlace;
  rethink::fuzz_reader(data, size, ErrorPlace::file, [](const std::filesystem::path& file) {
    for (const rethink::DependencyTree& tree : rethink::read_dependency_trees(file))
      rethink::left_ancestors(tree);
  });
  return rethink::fuzz_reader(data, size, ErrorPlace::file,
                              [](const std::filesystem::path& file) { rethink::read_conll(file); });
}
