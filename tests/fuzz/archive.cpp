// Archives of data sets. Of any archive only wanted members are written, below the folder.
#include "datasets/files/data_files.h"
#include "tests/fuzz/fuzz_reader.h"
#include "tests/support/temp_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const rethink::TempFolder into{rethink::memory_folder()};
  rethink::DataSource source;
  source.files = {{.file = "train.txt", .member = "data/train.txt", .bytes = 1000}};
  return rethink::fuzz_reader(data, size, rethink::ErrorPlace::file,
                              [&](const std::filesystem::path& file) {
                                rethink::unpack_source(file, source, into.path());
                              });
}
