#include "datasets/dataset.h"

#include "core/files/named_file.h"
#include "core/message.h"

namespace rethink {

DatasetRegistry& datasets() {
  static DatasetRegistry registry("dataset", "datasets");
  return registry;
}

std::vector<std::filesystem::path> require_files(const std::string& dataset,
                                                 const DataFolders& folders,
                                                 const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) {
    files.push_back(folders.data / name);
    if (files.back().is_relative() && folders.data.empty()) {
      throw TrialError(
          "no-data-folder",
          fmt::format("data set '{}' needs {}, but no folder of data sets is named: give --data "
                      "DIR or set RETHINK_DATA",
                      dataset, name));
    }
    refuse_dangling_link(files.back());
    if (!std::filesystem::exists(files.back())) {
      throw TrialError("missing-data",
                       fmt::format("data set '{}' needs {}, which does not exist: {}, or name "
                                   "another folder with --data",
                                   dataset, files.back().string(),
                                   how_to_get_data(dataset, datasets().facts(dataset))));
    }
  }
  return files;
}

DataSource plain_source(const std::string& url, const std::string& file, const std::string& sha256,
                        int64_t bytes) {
  return {.url = url,
          .sha256 = sha256,
          .files = {{.file = file, .member = "", .sha256 = sha256}},
          .bytes = bytes};
}

void refuse_kind(const std::string& name) {
  throw TrialError("wrong-data", "data set '" + name + "' is of kind " +
                                     datasets().facts(name).kind +
                                     ", which this job does not read");
}

}  // namespace rethink
