// Random mutations of files that people and other programs write, and what every reader must make of
// such a file: a value, or an error of the project's own kinds that says where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/random_choices.h"

namespace rethink {

/// The texts of all YAML files below `folder`, in the order of their paths.
std::vector<std::string> yaml_texts_below(const std::filesystem::path& folder);

/// `text` (YAML, JSON or lines) with one to four mutations: of characters, tokens, keys or lines, or
/// a part of one of `others` spliced in.
std::string mutated_text(std::string text, const std::vector<std::string>& others,
                         RandomChoices& choices);

/// `bytes` with one to three mutations: bits, numbers and lengths, parts doubled or cut off.
std::string mutated_bytes(std::string bytes, RandomChoices& choices);

/// What an error about a file must say: its path, or "PATH:LINE:COLUMN: error: ".
enum class ErrorPlace { file, line };

/// What is wrong with how `read` takes `file`; "" where it returns, or throws ConfigError,
/// MachineError or TrialError with a message that names the file or, for ErrorPlace::line, lines that
/// it, or a file that it draws in, has. Wrong are all other exceptions, and more than a second of processor time (ten
/// where the program is not optimized or runs under sanitizers).
std::string fault_of_reading(const std::filesystem::path& file, ErrorPlace place,
                             const std::function<void()>& read);

/// Writes RETHINK_MUTATIONS (`times`) mutated texts, one after another, and fails for each whose
/// fault is not "". RETHINK_SEED (1) says which mutations. `fault_of` takes a mutated text; a crash
/// inside it reports the mutation on standard error. Ends after ten failures.
void try_mutations(size_t times, const std::function<std::string(RandomChoices&)>& mutate,
                   const std::function<std::string(const std::string&)>& fault_of);

}  // namespace rethink
