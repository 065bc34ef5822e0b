// The mistakes that an error reports, as codes and positions. The words of the messages are compared
// only with tests/golden/messages.txt.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "core/config/problems.h"

namespace rethink {

/// Returns the code of the error that `call` throws; "" if nothing is thrown.
inline std::string error_code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.code().text());
  }
  return "";
}

/// Returns the codes of all mistakes in the files that `call` reads, or the code of another error that is thrown.
inline std::vector<std::string> error_codes_of(const std::function<void()>& call) {
  std::vector<std::string> codes;
  try {
    call();
  } catch (const ProblemsError& error) {
    for (const Problem& problem : error.problems) codes.emplace_back(problem.code.text());
  } catch (const Error& error) {
    codes.emplace_back(error.code().text());
  }
  return codes;
}

/// Returns "LINE:COLUMN CODE" of each mistake in the file that `call` reads.
inline std::vector<std::string> mistakes_of(const std::function<void()>& call) {
  std::vector<std::string> mistakes;
  try {
    call();
  } catch (const ProblemsError& error) {
    for (const Problem& problem : error.problems) {
      mistakes.push_back(
          fmt::format("{}:{} {}", problem.where.line, problem.where.column, problem.code.text()));
    }
  }
  return mistakes;
}

}  // namespace rethink
