#include "app/driver/show/bug_report.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>

#include "app/driver/show/tables/table_view.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/text.h"
#include "results/database/sql_expressions.h"
#include "results/query/run_query.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr int kMostErrors = 5;
constexpr size_t kMostLogLines = 20;

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

/// Names that a report must not contain, with their replacements.
std::map<std::string, std::string> names_here(const CommandContext& context) {
  std::map<std::string, std::string> names;
  const auto add_folder = [&](const std::filesystem::path& folder, const std::string& instead) {
    if (folder.empty()) return;
    names[std::filesystem::absolute(folder).lexically_normal().string()] = instead;
    std::error_code gone;
    names[std::filesystem::weakly_canonical(folder, gone).string()] = instead;
  };
  add_folder(std::filesystem::current_path(), "HERE");
  add_folder(context.store, "STORE");
  add_folder(context.data, "DATA");
  add_folder(context.programs, "PROGRAMS");
  if (const char* home = std::getenv("HOME")) add_folder(home, "~");
  if (const passwd* user = getpwuid(getuid())) {
    names[user->pw_name] = "USER";
    names[user->pw_dir] = "~";
  }
  for (const char* variable : {"USER", "LOGNAME"}) {
    if (const char* name = std::getenv(variable)) names[name] = "USER";
  }
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) == 0) names[host] = "HOST";
  for (const char* common : {"", "/", "root", "localhost"}) names.erase(common);
  return names;
}

std::string system_text() {
  std::string name = "unknown";
  std::ifstream release("/etc/os-release");
  for (std::string line; std::getline(release, line);) {
    if (line.starts_with("PRETTY_NAME=")) name = line.substr(line.find('=') + 1);
  }
  std::erase(name, '"');
  utsname kernel{};
  uname(&kernel);
  return fmt::format("{}, {} {}, glibc {}", name, kernel.sysname, kernel.release,
                     gnu_get_libc_version());
}

std::string version_text(const CommandContext& context) {
  const std::string numeric =
      read_json(context.programs / "schema.json").value("numeric_build", "none");
  return fmt::format("rethink {}, worker {}, numeric build {}", RETHINK_VERSION,
                     context.schema().build_id, numeric);
}

/// In a fence, so that Markdown does not interpret it.
std::string fenced(const std::string& lines) {
  return "```\n" + lines + (lines.ends_with('\n') ? "" : "\n") + "```\n";
}

std::string end_of_log(const std::filesystem::path& file) {
  std::ifstream log(file);
  std::deque<std::string> last;
  for (std::string line; std::getline(log, line);) {
    last.push_back(visible_controls(line));
    if (last.size() > kMostLogLines) last.pop_front();
  }
  std::string text;
  for (const std::string& line : last) text += line + "\n";
  return text;
}

std::string store_text(const CommandContext& context) {
  const std::unique_ptr<Store> store = open_store(context);
  if (!store) return "There is no store at the place that --store names.\n";
  std::string text;
  for (const std::vector<Json>& row :
       run_query(*store, "SELECT job, state, count(*) FROM trial GROUP BY job, state").rows)
    text += fmt::format("{} {}: {}\n", row[0].get<std::string>(), row[1].get<std::string>(),
                        row[2].get<int64_t>());
  text = text.empty() ? "The store has no trial.\n" : fenced(text);
  const QueryResult ends = run_query(
      *store,
      fmt::format("SELECT a.trial, a.number, t.job, a.outcome, a.message FROM attempt a JOIN trial "
                  "t ON t.id = a.trial WHERE a.outcome NOT IN ('', {}) ORDER BY "
                  "(SELECT e.value FROM environment e WHERE e.trial = a.trial AND e.attempt = "
                  "a.number AND e.name = 'at') DESC LIMIT {}",
                  sql_list({AttemptOutcome::done, AttemptOutcome::interrupted}), kMostErrors));
  for (const std::vector<Json>& row : ends.rows) {
    const std::string trial = row[0];
    const int64_t attempt = row[1];
    text +=
        fmt::format("\n### {} of job {}\n\n", row[3].get<std::string>(), row[2].get<std::string>());
    if (row[4].is_string() && !row[4].get<std::string>().empty())
      text += fenced(row[4].get<std::string>());
    const TrialFolder folder(context.store, trial);
    const std::string log = end_of_log(folder.log(attempt));
    if (!log.empty()) text += "\nThe end of its log:\n\n" + fenced(log);
    const std::string errors = end_of_log(folder.errors(attempt));
    if (!errors.empty()) text += "\nThe end of its standard error:\n\n" + fenced(errors);
  }
  return text;
}

/// The result of `make`, or the reason of its failure, since a report is made on a broken installation.
template <typename Make>
std::string text_or_error(Make make) {
  try {
    return make();
  } catch (const std::exception& error) {
    return fmt::format("cannot be told: {}\n", error.what());
  }
}

}  // namespace

std::string without_names(const std::string& text,
                          const std::map<std::string, std::string>& names) {
  std::vector<std::pair<std::string, std::string>> longest_first(names.begin(), names.end());
  std::ranges::stable_sort(longest_first, std::ranges::greater(),
                           [](const auto& name) { return name.first.size(); });
  std::string result = text;
  for (const auto& [name, instead] : longest_first) {
    if (name.empty()) continue;
    for (size_t at = result.find(name); at != std::string::npos; at = result.find(name, at)) {
      const size_t end = at + name.size();
      const bool goes_on_before =
          at > 0 && is_name_character(result[at - 1]) && is_name_character(name[0]);
      const bool goes_on_behind = end < result.size() && is_name_character(result[end]);
      if (goes_on_before || goes_on_behind) {
        ++at;
      } else {
        result.replace(at, name.size(), instead);
        at += instead.size();
      }
    }
  }
  return result;
}

std::string bug_report(const CommandContext& context, const std::string& findings) {
  const std::string text = fmt::format(
      "# A fault of rethink\n\n"
      "What I did, what came, and what I expected:\n\n\n"
      "(Below, your paths, your name and the machine's are replaced. Read it before you send "
      "it.)\n\n"
      "## Versions\n\n{}\n## Machine\n\n{}\n## Store\n\n{}",
      fenced(text_or_error([&] { return version_text(context); }) + "\n" +
             text_or_error(system_text)),
      fenced(findings), text_or_error([&] { return store_text(context); }));
  return without_names(text, names_here(context));
}

}  // namespace rethink
