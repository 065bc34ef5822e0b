#include "app/driver/show/conditions_given.h"

#include <algorithm>

#include "core/error.h"
#include "results/query/where.h"

namespace rethink {

void declare_conditions(po::options_description& options, const std::string& what) {
  options.add_options()("where", po::value<std::vector<std::string>>()->composing(),
                        (what + "; of several all must hold").c_str());
}

std::string conditions_given(Store& store, const po::variables_map& given) {
  if (!given.count("where")) return "";
  std::vector<std::string> all = given["where"].as<std::vector<std::string>>();
  std::erase(all, "");
  if (all.size() < 2) return joined(all);
  const QueryNames names(store);
  for (std::string& one : all) {
    parse_condition(one, names);  // each is whole: "a=1) or (b=2" is refused
    one = "(" + one + ")";
  }
  return joined(all, " and ");
}

}  // namespace rethink
