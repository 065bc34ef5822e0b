#include "experiments/attempt/worker_main.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/system/machine_fault.h"
#include "core/text.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/run_attempt.h"
#include "experiments/attempt/zygote/zygote_server.h"

namespace rethink {
namespace {

constexpr int kUserErrorCode = 2, kMachineErrorCode = 3;

/// Reports `error` and returns main's exit code.
int report(const std::exception& error, const char* program) {
  if (dynamic_cast<const ConfigError*>(&error)) {
    std::cerr << visible_controls(error.what()) << "\n";
    return kUserErrorCode;
  }
  const bool is_known = dynamic_cast<const MachineError*>(&error) ||
                        dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (is_known) {
    std::cerr << visible_controls(machine_message(error)) << "\n";
  } else {
    std::cerr << program << ": unexpected: " << visible_controls(error.what()) << "\n";
  }
  return kMachineErrorCode;
}

[[noreturn]] void leave(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

int print_schema(const std::vector<std::string>& words, const std::string& numeric_build) {
  Json schema = to_json(schema_of_this_program(own_build_id(), own_sources()));
  if (!numeric_build.empty()) schema["numeric_build"] = numeric_build;
  const std::string text = schema.dump(1) + "\n";
  if (words.size() == 3 && words[1] == "--out") {
    write_file_atomically(words[2], text);
  } else if (words.size() == 1) {
    std::cout << text;
  } else {
    throw ConfigError("wrong-arguments",
                      "schema: got " + joined(words, " ") + ", expected schema [--out FILE]");
  }
  return 0;
}

}  // namespace

std::optional<int> run_worker_command(const std::vector<std::string>& words,
                                      const std::string& numeric_build) {
  const std::string command = words.empty() ? "" : words[0];
  if (command == "serve" && words.size() == 1) leave(serve_zygote(STDIN_FILENO));
  if (command == "attempt" && words.size() == 2) {
    leave(static_cast<int>(run_attempt(request_from_json(parse_json(words[1], "attempt")))));
  }
  if (command == "schema") return print_schema(words, numeric_build);
  return std::nullopt;
}

int run_main(int count, char** words,
             const std::function<int(const std::vector<std::string>&)>& run) {
  try {
    const int code = run({words + 1, words + count});
    std::cout.flush();
    return code;
  } catch (const std::exception& error) {
    const bool serves = count > 1 && words[1] == std::string("serve");
    if (!serves || machine_fault(error) != MachineFault::resources) return report(error, words[0]);
    refuse_to_serve(STDIN_FILENO, machine_message(error));
    return kMachineErrorCode;
  }
}

int serve_programs(int count, char** words) {
  prctl(PR_SET_NAME, "rethink-worker");  // the name in lists of processes
  return run_main(count, words, [](const std::vector<std::string>& all) {
    return run_worker_command(all).value();
  });
}

}  // namespace rethink
