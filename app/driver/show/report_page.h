// A page with claims, tables and figures, what each of them lacks, and the settings behind the
// page.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/rendering.h"

namespace rethink {

/// Names or files of specs, by kind: "claims", "tables" and "figures".
using MeantSpecs = std::map<std::string, std::vector<std::string>>;

struct KnownProfiles {
  std::set<std::string> names;
  bool has_sweeps = false;  // pictures of masks and permutations are of no sweep
};

/// What the sweeps of these specs, less those that cannot be read, call their profiles.
KnownProfiles profiles_of(const MeantSpecs& specs, const CommandContext& context);

/// Throws ConfigError where there are sweeps and none has `profile`, unless it is empty. A misspelt profile plans nothing:
/// a page of it would replace the last one by an empty one.
void require_known_profile(const std::string& profile, const KnownProfiles& known,
                           const CommandContext& context);

/// A claims file, a table or a figure of the page.
struct ReportPart {
  std::string kind;  // "claims", "table" or "figure"; empty: of the page itself
  std::string name, title;
  std::vector<std::filesystem::path> files{};  // that it was written to, beside the page
  std::vector<std::string> gaps{};             // what to run or to mend would fill
  std::string left_out{};  // why nothing of it is planned here; empty: something is
};

struct WrittenReport {
  std::filesystem::path page;  // report.html, below --out
  std::vector<ReportPart> parts;

  bool complete() const;
};

/// The choices of one part: `library` is "claims", "tables" or "figures". May throw ConfigError, which leaves out the part.
using ChoicesOfPart =
    std::function<RenderingChoices(const std::string& library, const std::string& name)>;

/// Makes the page, whose figures are files below --out, and says on standard error what it lacks. `with_files`: also each
/// table as Markdown, LaTeX and CSV, and the claims as Markdown and CSV. Throws ConfigError, MachineError where
/// nothing can be written.
WrittenReport write_report(const CommandContext& context, const std::string& title,
                           const MeantSpecs& specs, const ChoicesOfPart& choices_of,
                           bool with_files);

}  // namespace rethink
