#include "app/driver/cli/error_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>

#include "app/driver/command.h"
#include "core/config/problems.h"
#include "core/error.h"
#include "core/files/owner.h"
#include "core/json.h"
#include "core/system/machine_fault.h"

namespace rethink {
namespace {

struct Failure {
  MessageCode code;
  std::string message;
  int exit;
};

Failure failure_of(const std::exception& error) {
  if (const auto* mistake = dynamic_cast<const ConfigError*>(&error))
    return {mistake->code(), mistake->what(), kUserError};
  if (const auto* fault = dynamic_cast<const MachineError*>(&error))
    return {fault->code(), fault->what(), kMachineError};
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return {
        "file-error",
        machine_fault(*file) == MachineFault::none ? file_trouble(*file) : machine_message(*file),
        kMachineError};
  }
  if (dynamic_cast<const std::bad_alloc*>(&error)) {
    return {"out-of-memory",
            "rethink: memory ran out; raise the limit (ulimit -v, the cgroup's), or run fewer "
            "trials at once (--slots)",
            kMachineError};
  }
  return {"unexpected", std::string("rethink: unexpected: ") + error.what(), kMachineError};
}

}  // namespace

bool asks_for_json(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    if (*word == "--format=json") return true;
    if (*word == "--format" && word + 1 != end && *(word + 1) == "json") return true;
  }
  return false;
}

bool environment_asks_for_json() {
  const char* given = std::getenv("RETHINK_MESSAGES");
  const std::string_view format = given ? given : "text";
  if (format != "json" && format != "text") {
    throw ConfigError("invalid-value",
                      fmt::format("RETHINK_MESSAGES: got '{}', expected json or text", format));
  }
  return format == "json";
}

Json error_json(const std::exception& error) {
  const Failure failure = failure_of(error);
  Json json{{"error", failure.code.text()}, {"message", failure.message}, {"exit", failure.exit}};
  if (const auto* problems = dynamic_cast<const ProblemsError*>(&error)) {
    json["problems"] = Json::array();
    for (const Problem& problem : problems->problems) {
      json["problems"].push_back({{"error", problem.code.text()},
                                  {"message", problem.text},
                                  {"file", problem.where.file},
                                  {"line", problem.where.line},
                                  {"column", problem.where.column}});
    }
  }
  return json;
}

int report_error(const std::exception& error, bool as_json) {
  const Failure failure = failure_of(error);
  if (as_json) {
    std::cerr << error_json(error).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cerr << failure.message << "\n";
  }
  return failure.exit;
}

}  // namespace rethink
