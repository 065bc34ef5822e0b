// Reports a failed command on standard error: its message or, beside output in JSON, an object with
// codes and positions.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Returns whether the words of a command line request output in JSON: --format json.
bool asks_for_json(const std::vector<std::string>& words);

/// Returns whether RETHINK_MESSAGES requests errors and notes in JSON beside output of any format. Commands without
/// output in JSON show their codes this way. Throws ConfigError on another value than "json" and "text".
bool environment_asks_for_json();

/// Returns {"error": code, "message": text, "exit": exit code}. The mistakes of files follow as "problems", each with
/// its error, message, file, line and column. Lines and columns count from 1; 0 means unknown.
Json error_json(const std::exception& error);

/// Prints the error's message, or its JSON in one line, and returns the exit code of the program.
int report_error(const std::exception& error, bool as_json);

}  // namespace rethink
