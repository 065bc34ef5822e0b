// Random mutations of files that people and other programs write, and the check that every reader
// returns a value or throws one of the project's errors with a position.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/random_choices.h"

namespace rethink {

/// Returns the texts of all YAML files below `folder`, in the order of their paths.
std::vector<std::string> yaml_texts_below(const std::filesystem::path& folder);

/// Returns `text` (YAML, JSON or lines) with one to four mutations of characters, tokens, keys or
/// lines, or with an inserted part of one of `others`.
std::string mutated_text(std::string text, const std::vector<std::string>& others,
                         RandomChoices& choices);

/// Returns `bytes` with one to three mutations: changed bits, numbers or lengths, and parts that
/// are doubled or cut off.
std::string mutated_bytes(std::string bytes, RandomChoices& choices);

/// Required position in an error about a file: its path, or "PATH:LINE:COLUMN: error: ".
enum class ErrorPlace { file, line };

/// Returns what is wrong with the way `read` handles `file`, or "". Allowed are a normal return,
/// and a ConfigError, MachineError or TrialError. Its message must name the file or, for
/// ErrorPlace::line, existing lines of the file or of a file that it includes. All other exceptions
/// are wrong, and more than a second of processor time (ten seconds without optimization or under
/// sanitizers).
std::string fault_of_reading(const std::filesystem::path& file, ErrorPlace place,
                             const std::function<void()>& read);

/// Tries `times` (RETHINK_MUTATIONS) mutated texts, one after another, and fails for each whose fault is
/// not "". RETHINK_SEED (1) selects the mutations. `fault_of` takes a mutated text. A crash inside it
/// reports the mutation on standard error. Ends after ten failures.
void try_mutations(size_t times, const std::function<std::string(RandomChoices&)>& mutate,
                   const std::function<std::string(const std::string&)>& fault_of);

}  // namespace rethink
