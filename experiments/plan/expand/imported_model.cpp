#include "experiments/plan/expand/imported_model.h"

#include <fmt/format.h>

#include "core/format/adapter_weights.h"
#include "core/format/tokenizer_class.h"
#include "core/json.h"
#include "core/shell_word.h"
#include "core/system/dangling_link.h"
#include "core/system/named_path.h"

namespace rethink {

void look_among_data(Need& need, const std::filesystem::path& data) {
  if (need.imported.empty() || is_there(need.imported)) return;
  if (need.imported.is_relative() && !data.empty()) need.imported = data / need.imported;
}

void require_readable_weights(const std::filesystem::path& path) {
  refuse_dangling_link(path);
  const std::filesystem::path folder = is_file_there(path) ? path.parent_path() : path;
  refuse_adapter_weights(folder);
  require_word_pieces(folder);
}

Json imported_model(const Need& need, Problems& problems) {
  const std::filesystem::path file = need.imported / "config.json";
  try {
    require_readable_weights(need.imported);
    if (is_file_there(file)) {
      const Json config = read_json(file);
      if (const Json* model = find_path(config, "rethink.model")) return *model;
    }
  } catch (const ConfigError& error) {
    problems.add(need.where, error.what());
    return nullptr;
  }
  if (is_there(need.imported)) {
    problems.add(need.where,
                 fmt::format("{} does not say what model its weights are of; `rethink import {} "
                             "--out NEW_DIR` makes a folder that does",
                             need.imported.string(), for_a_shell(need.imported.string())));
  }
  return nullptr;
}

}  // namespace rethink
