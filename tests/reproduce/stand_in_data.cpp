// Makes a folder of data sets, to try sweeps without data. Each file is a link to the real one, or made up in its form.
//   stand_in_data FOLDER [REAL_FOLDER]
#include <filesystem>
#include <iostream>
#include <string>

#include "datasets/dataset.h"
#include "tests/support/data_stand_ins.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

/// Writes the files that options name, as for pretrain_text, and those that `make trees` makes.
void write_others(const fs::path& folder) {
  const auto sentences = made_up_sentences(300, 1);
  // The text has the words of A3's case study, whose maps have room for 48 pieces.
  constexpr const char* kCaseStudy =
      "The old writer is the father of the doctor.\n"
      "The doctor is the mother of the policeman on duty at the door.\n";
  std::string novel;
  for (const std::string& sentence : made_up_sentences(600, 3)) novel += sentence + "\n";
  for (int i = 0; i < 100; ++i) novel += kCaseStudy;
  write_text(folder / "pretrain_text/gutenberg/Frankenstein_84.txt", novel);
  for (const char* trees : {"wikitext_2.conllu", "multi30k.en.conllu"})
    write_text(folder / "trees" / trees, made_up_trees(sentences));
}

/// Replaces made-up files by the files in `real`. A folder with files of both kinds replaces no data set.
void link_real(const fs::path& folder, const fs::path& real) {
  for (const auto& entry : fs::recursive_directory_iterator(real)) {
    if (!entry.is_regular_file()) continue;
    const fs::path place = folder / entry.path().lexically_relative(real);
    fs::create_directories(place.parent_path());
    fs::remove(place);
    fs::create_symlink(fs::absolute(entry.path()), place);
  }
}

void make(const fs::path& folder, const fs::path& real) {
  for (const std::string& name : datasets().names())
    write_stand_ins(datasets().facts(name), folder);
  write_others(folder);
  if (!real.empty()) link_real(folder, real);
}

}  // namespace
}  // namespace rethink

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "stand_in_data FOLDER [REAL_FOLDER]\n";
    return 2;
  }
  try {
    rethink::make(argv[1], argc > 2 ? argv[2] : "");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
