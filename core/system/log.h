// Log lines of a program on standard error: "12:34:56.789 warning text". Results never go through
// here.
#pragma once

#include <string>

namespace rethink {

enum class LogLevel { debug, info, warning, error };

/// Drops lines below `level`. The default is RETHINK_LOG (debug, info, warning, error), else info.
void set_log_level(LogLevel level);

void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace rethink
