// `rethink claims`: tests sentences of the papers on the store: holds, fails, undecided.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "app/driver/show/tables/tested_claims.h"
#include "core/json.h"
#include "experiments/plan/read/library.h"
#include "plots/render/renderer.h"
#include "plots/render/sheet.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

/// A message without its positions and without quoted lines of files: equal for all tables with the
/// same problem.
std::string reason_of(const std::string& message) {
  const std::string error = "error: ";
  std::vector<std::string> reasons;
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) continue;
    const size_t at = line.find(error);
    const std::string reason = at == std::string::npos ? line : line.substr(at + error.size());
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  }
  return joined(reasons, "\n  ");
}

/// "tables one, two", "column 'CoLA' of table one, table two".
std::string joined_parts(const std::vector<std::string>& parts) {
  const std::string table = "table ";
  const auto is_table = [&](const std::string& part) { return part.starts_with(table); };
  if (!std::ranges::all_of(parts, is_table)) return joined(parts);
  std::vector<std::string> names;
  for (const std::string& part : parts) names.push_back(part.substr(table.size()));
  return "tables " + joined(names);
}

/// Reports once what several tables or columns lack. `messages`: by the name of the table or
/// column.
void print_left_out(const std::map<std::string, std::string>& messages) {
  std::map<std::string, std::vector<std::string>> parts_of;
  for (const auto& [part, message] : messages) parts_of[reason_of(message)].push_back(part);
  for (const auto& [reason, parts] : parts_of) {
    if (parts.size() == 1) {
      std::cerr << fmt::format("left out {}: {}\n", parts[0], messages.at(parts[0]));
    } else {
      std::cerr << fmt::format("left out {}, all for the same reason:\n  {}\n", joined_parts(parts),
                               reason);
    }
  }
}

bool has_no_table(const ClaimResult& claim) {
  return claim.unmade.has_value();
}

/// "13 claims wait for tables that cannot be made: bert_a3, ...", instead of repeating the reason
/// for each claim.
std::string waiting_text(const std::vector<ClaimResult>& claims) {
  std::vector<std::string> names;
  for (const ClaimResult& claim : claims) {
    if (has_no_table(claim)) names.push_back(claim.name);
  }
  if (names.empty()) return "";
  const std::string text =
      fmt::format("{} {} for tables that cannot be made: {}", names.size(),
                  names.size() == 1 ? "claim waits" : "claims wait", joined(names));
  const auto columns = static_cast<size_t>(columns_of_terminal(stdout));
  return "\n" + joined(wrapped(text, columns - 1), "\n") + "\n";
}

class Claims : public Command {
 public:
  std::string positional() const override { return "[CLAIMS...]"; }

  std::string more_help(const CommandContext&) const override {
    return "Exit codes: 0: each claim has the values it needs, whatever its verdict. 1: claims "
           "wait for trials\nor lack values; the lines below the claims say what to do. 2: a table "
           "cannot be made.\n\n";
  }

  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    declare_like_last_run(options);
    options.add_options()("run", "first run the trials that the next look needs");
    declare_machine_choices(options);
    options.add_options()("format",
                          po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                          "text, md, csv, latex, html, json");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> names = arguments_of(given);
    if (names.empty()) names = Library("claims", context.paths).names();
    names = each_file_once(context, names);
    RenderingChoices chosen = rendering_choices(context, given);
    chosen.plan.may_lack_files = true;  // so that the other trials run
    const auto renderer = renderers().make(given["format"].as<std::string>(), Json::object());
    fit_to_terminal(*renderer);
    std::vector<ClaimResult> all;
    bool left_out = false;
    std::optional<int> ended_early;
    const int code = for_each_spec(names, [&](const std::string& name) {
      const ClaimsSpec spec = read_claims_spec(
          spec_file_named("claims", name, context.paths, context.store, chosen.again.choices));
      const RenderingChoices own = choices_of_named(context, given, chosen, "claims", name);
      if (given.count("run")) {
        const int ran = run_awaited(context, given, spec, name, own);
        if (ran != kDone && ran != kSomeFailed) return *(ended_early = ran);
      }
      bool incomplete = false, waits = false;
      std::map<std::string, std::string> messages;
      for (ClaimResult& claim : test_claims(context, spec, name, own)) {
        incomplete = incomplete || claim.incomplete;
        waits = waits || (claim.incomplete && !claim.unmeasured);
        if (claim.unmade) messages.emplace(claim.unmade->what, claim.unmade->message);
        all.push_back(std::move(claim));
      }
      print_left_out(messages);
      if (waits) {
        print_other_settings(context, own, sweep_files_named("claims", name, context),
                             "claims " + for_a_shell(name));
      }
      left_out = left_out || !messages.empty();
      return incomplete ? int{kSomeFailed} : int{kDone};
    });
    if (ended_early) return *ended_early;
    // Only on a terminal; in files that are kept, each claim gives its own reason.
    const bool is_terminal = given["format"].as<std::string>() == "text";
    const std::string waiting = is_terminal ? waiting_text(all) : "";
    if (!waiting.empty()) std::erase_if(all, has_no_table);
    std::cout << renderer->claims(all) << waiting;
    return left_out ? std::max(code, int{kUserError}) : code;
  }

 private:
  /// The first name of each file; names without a file stay, and are refused later.
  static std::vector<std::string> each_file_once(const CommandContext& context,
                                                 const std::vector<std::string>& names) {
    std::vector<std::string> once;
    std::set<std::filesystem::path> seen;
    for (const std::string& name : names) {
      try {
        const std::filesystem::path file =
            spec_file_named("claims", name, context.paths, context.store);
        if (!seen.insert(std::filesystem::weakly_canonical(file)).second) continue;
      } catch (const ConfigError&) {  // reported when the file is read
      }
      once.push_back(name);
    }
    return once;
  }

  /// Runs the trials for which one file's claims wait: pilots first, then trials of claims without
  /// a closed gate, up to their next look. Tables that cannot be made are reported with the claims.
  static int run_awaited(const CommandContext& context, const po::variables_map& given,
                         const ClaimsSpec& spec, const std::string& name,
                         const RenderingChoices& chosen) {
    AwaitedTrials next = awaited_trials_of(context, spec, name, chosen);
    const std::string command = resuming_words("claims", name, given);
    if (!next.of_gates.empty()) {
      const int ran = run_missing(context, given, runnable(next.plans_of_gates), chosen.plan,
                                  next.of_gates, next.shown_by_gates, command);
      if (ran != kDone && ran != kSomeFailed) return ran;
      next = awaited_trials_of(context, spec, name, chosen);
    }
    return run_missing(context, given, runnable(next.plans_of_claims), chosen.plan, next.of_claims,
                       next.shown_by_claims, command);
  }

  /// Removes trials whose data are missing, which the claims report.
  static Plans runnable(Plans plans) {
    std::set<std::string> lacks;
    for (auto& [sweep, plan] : plans) remove_trials_without_files(plan, lacks);
    return plans;
  }
};

RETHINK_REGISTERED =
    add_command<Claims>("claims", "test the papers' claims: holds, fails, undecided");

}  // namespace
}  // namespace rethink
