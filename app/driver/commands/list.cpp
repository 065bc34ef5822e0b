// `rethink list`: lists sweeps, tables, figures, claims, datasets and presets with their purpose.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "experiments/plan/read/descriptions.h"
#include "experiments/plan/read/library.h"

namespace rethink {
namespace {

struct Entry {
  std::string name, description;
  std::filesystem::path file;  // empty: built in
};
using Entries = std::vector<Entry>;

Entries files_of(const std::string& kind, const CommandContext& context) {
  const Library library(kind, context.paths);
  Entries entries;
  for (const std::string& name : library.names()) {
    const std::filesystem::path file = library.find(name);
    entries.push_back({name, description_of(file), file});
  }
  return entries;
}

Entries datasets_of_program(const std::string&, const CommandContext& context) {
  Entries entries;
  for (const std::string& name : context.schema().names("dataset"))
    entries.push_back({name, context.schema().find("dataset", name)->summary, {}});
  return entries;
}

struct Kind {
  std::string name;
  Entries (*entries)(const std::string& kind, const CommandContext& context);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"sweeps", files_of},
                                        {"tables", files_of},
                                        {"figures", files_of},
                                        {"claims", files_of},
                                        {"datasets", datasets_of_program},
                                        {"presets", files_of}};
  return all;
}

const Kind& kind_named(const std::string& name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  if (found != kinds().end()) return *found;
  std::vector<std::string> known;
  for (const Kind& kind : kinds()) known.push_back(kind.name);
  throw ConfigError("unknown-name", fmt::format("list: got '{}', expected {}{}", name,
                                                joined(known), did_you_mean(name, known)));
}

class List : public Command {
 public:
  std::string positional() const override {
    return "[sweeps|tables|figures|claims|datasets|presets]...";
  }
  void declare(po::options_description& options) const override {
    declare_format(options, "text or json");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<Kind> chosen;
    for (const std::string& name : arguments_of(given)) chosen.push_back(kind_named(name));
    if (chosen.empty()) chosen = kinds();
    if (wants_json(given)) {
      Json all = Json::array();
      for (const Kind& kind : chosen) {
        for (const Entry& entry : kind.entries(kind.name, context))
          all.push_back({{"kind", kind.name},
                         {"name", entry.name},
                         {"description", entry.description},
                         {"file", entry.file.empty() ? Json() : Json(entry.file.string())}});
      }
      std::cout << all.dump(2) << "\n";
      return kDone;
    }
    const bool is_terminal = isatty(STDOUT_FILENO) != 0;
    for (const Kind& kind : chosen) {
      const Entries entries = kind.entries(kind.name, context);
      size_t width = 0;
      for (const Entry& entry : entries) width = std::max(width, entry.name.size());
      if (chosen.size() > 1)
        std::cout << (&kind == &chosen.front() ? "" : "\n") << kind.name << "\n";
      for (const Entry& entry : entries) {
        const std::string line = fmt::format("{}{:<{}}  {}", chosen.size() > 1 ? "  " : "",
                                             entry.name, width, entry.description);
        std::cout << (is_terminal ? cut(line, columns_of_terminal(stdout)) : line) << "\n";
      }
    }
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<List>(
    "list", "list sweeps, tables, figures, claims, datasets and presets, each with its purpose");

}  // namespace
}  // namespace rethink
