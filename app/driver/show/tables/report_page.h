// A page with claims, tables and figures, with their gaps and the settings of the page.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"

namespace rethink {

/// Names or files of specs, by kind: "claims", "tables" and "figures".
using SelectedSpecs = std::map<std::string, std::vector<std::string>>;

struct KnownProfiles {
  std::set<std::string> names;
  bool has_sweeps = false;  // false: pictures of masks and permutations have no sweep
};

/// Returns the profiles of the specs' sweeps, without sweeps that cannot be read.
KnownProfiles profiles_of(const SelectedSpecs& specs, const CommandContext& context);

/// Throws ConfigError if there are sweeps but none has `profile`, unless it is empty. With a
/// misspelt profile nothing is planned, and an empty page would replace the last one.
void require_known_profile(const std::string& profile, const KnownProfiles& known,
                           const CommandContext& context);

/// A claims file, a table or a figure of the page.
struct ReportPart {
  std::string kind;  // "claims", "table" or "figure"; empty: the page itself
  std::string name, title;
  std::vector<std::filesystem::path> files{};  // files written for it, beside the page
  std::vector<std::string> gaps{};             // missing parts that a run or a repair would fill
  std::string left_out{};  // why none of its trials is planned here; empty: some trials are planned
};

struct WrittenReport {
  std::filesystem::path page;  // report.html, below --out
  std::vector<ReportPart> parts;

  bool complete() const;
};

/// Returns the choices of one part; `library` is "claims", "tables" or "figures". A ConfigError leaves out the part.
using ChoicesOfPart =
    std::function<RenderingChoices(const std::string& library, const std::string& name)>;

struct ReportExtras {
  bool files = false;  // also each table as Markdown, LaTeX and CSV, claims as Markdown and CSV
  bool other_settings = false;  // names settings under which trials of incomplete tables are done
};

/// Makes the page, whose figures are files below --out, and writes its gaps to standard error.
/// Throws ConfigError, and MachineError if nothing can be written.
WrittenReport write_report(const CommandContext& context, const std::string& title,
                           const SelectedSpecs& specs, const ChoicesOfPart& choices_of,
                           const ReportExtras& extras);

}  // namespace rethink
