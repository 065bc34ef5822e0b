#include "plots/figure/drawing/run_gnuplot.h"

#include <fmt/format.h>

#include <charconv>

#include "core/system/process.h"

namespace rethink {
namespace {

// The first version with keyentry and the terminal options that the scripts use.
constexpr int kLeastMajor = 5, kLeastMinor = 2;
constexpr const char* kInstall =
    "`apt install gnuplot-nox`, or the package gnuplot of another system";

ProgramResult run_with_defaults(ProgramRun run) {
  run.words.insert(run.words.begin(), "gnuplot");
  run.environment = {{"LC_ALL", "C.UTF-8"}};
  run.keeps_environment = false;
  try {
    return run_program(run);
  } catch (const MissingProgram&) {
    throw MachineError(
        "missing-program",
        fmt::format("gnuplot is not installed (not on PATH), and figures need it: {}", kInstall));
  }
}

/// Takes the number at the beginning of `text` off the text; -1 without a number.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc()) text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

size_t count_of(std::string_view part, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

std::string without_line_ends(std::string text) {
  text.erase(text.find_last_not_of("\n ") + 1);
  return text;
}

}  // namespace

std::string gnuplot_version() {
  const ProgramResult said = run_with_defaults({.words = {"--version"}});
  const std::string version = said.output.substr(0, said.output.find('\n'));
  constexpr std::string_view kName = "gnuplot ";
  std::string_view rest = version;
  if (said.status != 0 || !rest.starts_with(kName)) {
    throw MachineError("wrong-program",
                       fmt::format("gnuplot --version says '{}', expected 'gnuplot 5.4 ...'; {}",
                                   without_line_ends(said.output + said.error), kInstall));
  }
  rest.remove_prefix(kName.size());
  const int major = take_number(rest);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  const int minor = take_number(rest);
  if (major < kLeastMajor || (major == kLeastMajor && minor < kLeastMinor)) {
    throw MachineError("wrong-program", fmt::format("{} is too old, expected {}.{} or newer: {}",
                                                    version, kLeastMajor, kLeastMinor, kInstall));
  }
  return version;
}

std::string run_gnuplot(const std::string& script, const std::filesystem::path& folder,
                        const std::filesystem::path& what) {
  static const std::string version = gnuplot_version();  // throws before the first figure is drawn
  const ProgramResult result =
      run_with_defaults({.words = {"-d", "-"}, .input = script, .folder = folder});
  const std::string said = without_line_ends(result.error);
  if (result.status != 0) {
    throw MachineError("program-failed", fmt::format("{} could not draw {} (exit {}): {}", version,
                                                     what.string(), result.status, said));
  }
  const size_t plots = count_of(" DATA ", script);
  const size_t skipped = count_of("Skipping data file with no valid points", said);
  if (plots > 0 && skipped >= plots)
    throw NothingDrawn("nothing-drawn",
                       fmt::format("{} drew no point of {}: {}", version, what.string(), said));
  return said;
}

}  // namespace rethink
