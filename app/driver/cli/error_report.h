// Reports on standard error that a command failed: its message or, beside output in JSON, an object with codes and places.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Whether the words of a command line ask for output in JSON: --format json.
bool asks_for_json(const std::vector<std::string>& words);

/// Whether RETHINK_MESSAGES asks for errors and notes in JSON beside output of any format: commands without an output
/// in JSON show their codes this way. Throws ConfigError on another value than "json" and "text".
bool environment_asks_for_json();

/// {"error": code, "message": text, "exit": exit code}. The mistakes of files follow as "problems", each with its error,
/// message, file, line and column; line and column count from 1, and 0 stands for unknown.
Json error_json(const std::exception& error);

/// Prints the error's message, or its JSON in one line, and returns the exit code of the program.
int report_error(const std::exception& error, bool as_json);

}  // namespace rethink
