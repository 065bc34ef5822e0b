#include "app/worker/encoder_command.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <iostream>
#include <new>

#include "core/counted.h"
#include "core/error.h"
#include "core/text.h"
#include "experiments/attempt/job.h"
#include "experiments/train/device.h"

namespace rethink {
namespace {

constexpr const char* kTooLittleMemory =
    "memory ran out; give fewer or shorter texts, or use a machine with more memory";

/// " but 'n_averaged'"; "" where every name has what is left out.
std::string names_outside(const LeftOut& left_out) {
  constexpr size_t kShown = 3;
  std::vector<std::string> shown;
  for (const std::string& name : left_out.outside) {
    if (shown.size() < kShown) shown.push_back("'" + name + "'");
  }
  if (left_out.outside.size() > kShown)
    shown.push_back(fmt::format("{} more", left_out.outside.size() - kShown));
  return shown.empty() ? "" : " but " + joined(shown);
}

}  // namespace

void print_notes(const std::vector<std::string>& tokenizer, const LoadedWeights& loaded) {
  for (const std::string& note : tokenizer) std::cerr << "note: " << visible_controls(note) << "\n";
  const LeftOut& left_out = loaded.left_out;
  if (!left_out.before.empty()) {
    std::cerr << fmt::format("note: every weight's name{} begins with '{}', which is left out\n",
                             visible_controls(names_outside(left_out)), left_out.before);
  }
  if (left_out.names_within > 0) {
    std::cerr << fmt::format("note: within the names of {} '{}' and its like are left out\n",
                             counted(left_out.names_within, "weight"), left_out.within);
  }
}

int with_memory_errors(const std::function<int()>& run) {
  try {
    return run();
  } catch (const c10::Error& error) {
    try {
      rethrow_if_out_of_memory(error);
    } catch (const OutOfMemoryError& memory) {
      throw MachineError(fmt::format("{} ({})", kTooLittleMemory, memory.what()));
    }
    throw;
  } catch (const std::bad_alloc&) {
    throw MachineError(kTooLittleMemory);
  }
}

}  // namespace rethink
