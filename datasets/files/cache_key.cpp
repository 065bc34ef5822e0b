#include "datasets/files/cache_key.h"

#include "core/config/schema.h"
#include "core/json.h"
#include "core/system/hash.h"
#include "core/system/remembered_hash.h"
#include "datasets/files/dataset_build.h"

namespace rethink {
namespace {

/// Of how text files are read (text_lines.h). 3: no byte order marks, and \n for every line end.
constexpr int kTextFormat = 3;

}  // namespace

std::string token_cache_key(Json identity, const std::string& dataset,
                            const std::vector<std::filesystem::path>& files,
                            const DataFolders& folders) {
  identity["dataset"] = dataset;
  identity["text_format"] = kTextFormat;
  identity["build"] = dataset_build();
  identity["revision"] = datasets().schema(dataset).revision;
  identity["files"] = Json::array();
  for (const auto& file : files)
    identity["files"].push_back(remembered_sha256(file, folders.cache));
  return sha256_hex(canonical_json(identity));
}

}  // namespace rethink
