#include "experiments/site/queue_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "core/clock.h"
#include "core/error.h"
#include "core/message.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/system/spawn.h"
#include "experiments/site/job_script.h"

namespace rethink {
namespace {

/// Slurm's own limit for an answer is shorter, unless its daemon hangs.
constexpr const char* kMostQueueSeconds = "120";
constexpr double kLongestPauseSeconds = 300;
constexpr int kNotFound = 127, kTimedOut = 124;  // exit codes of bash and of timeout

/// Variables that must not reach a queue's commands. A driver inside a job would pass the limits of
/// that job to its pilots (SLURM_CPU_BIND), and filters would hide jobs (SQUEUE_PARTITION). SBATCH_
/// variables are the user's defaults and stay.
bool is_of_another_job(const std::string& name) {
  constexpr std::string_view kOfTheMachine = "SLURM_CONF";
  if (name == kOfTheMachine) return false;
  return name.starts_with("SLURM_") || name.starts_with("SQUEUE_") ||
         name.starts_with("SCANCEL_") || name.starts_with("RETHINK_JOB");
}

std::string without_other_jobs() {
  std::string text;
  for (const std::string& entry : own_environment()) {
    const std::string name = entry.substr(0, entry.find('='));
    if (is_of_another_job(name)) text += " " + for_a_shell(name);
  }
  return text.empty() ? "" : "unset" + text + "\n";
}

/// `text` with each {NAME} of `words` replaced. Other braces stay, since awk uses them too.
std::string with_words(const std::string& text, const std::map<std::string, std::string>& words) {
  std::string result;
  size_t from = 0;
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const auto word = words.find(text.substr(open + 1, close - open - 1));
    if (word == words.end()) continue;
    result += text.substr(from, open - from) + word->second;
    from = close + 1;
  }
  return result + text.substr(from);
}

std::string shell_words(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + for_a_shell(word);
  return text;
}

ProgramResult run_command(const std::string& command, const std::string& input = "") {
  ProgramRun run;
  run.words = {"timeout",
               "--kill-after=10",
               kMostQueueSeconds,
               "bash",
               "-o",
               "pipefail",
               "-c",
               without_other_jobs() + command};
  run.input = input;
  ProgramResult result = run_program(run);
  if (result.status == kTimedOut)
    result.error += fmt::format("no answer in {} s\n", kMostQueueSeconds);
  return result;
}

bool prints_any(const ProgramResult& result, const std::vector<std::string>& texts) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return result.error.find(text) != std::string::npos; });
}

/// The output of a command on one line: "sbatch: error: invalid partition specified: nope; ...".
std::string output_line(const ProgramResult& result) {
  std::string text, line;
  std::istringstream lines(result.error);
  while (std::getline(lines, line)) {
    if (!line.empty()) text += (text.empty() ? "" : "; ") + line;
  }
  return text.empty() ? fmt::format("exit code {}", result.status) : text;
}

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool has_word(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos && !word.empty();
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_part_of_word(text[at - 1])) &&
        (end == text.size() || !is_part_of_word(text[end])))
      return true;
  }
  return false;
}

/// The option among `options` that a refusal names: by its name "--time"; else by its value; else
/// by its name without dashes ("Invalid account or account/partition combination"). Nothing if the
/// refusal names none or several.
std::optional<size_t> option_refused(const std::string& refusal,
                                     const std::vector<std::string>& options) {
  const auto name_of = [](const std::string& option) { return option.substr(0, option.find('=')); };
  const auto value_of = [](const std::string& option) {
    const size_t equals = option.find('=');
    return equals == std::string::npos ? "" : option.substr(equals + 1);
  };
  const auto bare_name_of = [&](const std::string& option) {
    const std::string name = name_of(option);
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
  };
  const auto only_one = [&](const auto& part_of) -> std::optional<size_t> {
    std::optional<size_t> found;
    for (size_t i = 0; i < options.size(); ++i) {
      const std::string part = part_of(options[i]);
      if (part.size() < 2 || !has_word(refusal, part)) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  };
  if (const auto found = only_one(name_of)) return found;
  if (const auto found = only_one(value_of)) return found;
  return only_one(bare_name_of);
}

[[noreturn]] void throw_refused(const Site& site, const std::string& said) {
  const auto option = option_refused(said, site.options);
  const bool is_known = option && *option < site.options_where.size();
  Problems problems;
  problems.refuse(
      is_known ? site.options_where[*option] : site.where, "invalid-value",
      fmt::format("site '{}': the queue refuses the job: {}; correct the options of the "
                  "site",
                  site.name, said));
}

std::string first_word(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  return word;
}

}  // namespace

Queue slurm_queue() {
  Queue queue;
  // An option of the site may be --no-requeue. The output's name is last, since it must be known to
  // read the log.
  queue.submit =
      "sbatch --parsable --requeue --job-name={name} {options} --output={log} --open-mode=append"
      " | cut -d ';' -f 1";
  queue.brief = "--time=2";
  queue.states = "squeue --noheader --states=all --format='%i %T %r' --jobs={jobs}";
  queue.cancel = "scancel {jobs}";
  // Slurm also requeues a job that was just cancelled, which must stay cancelled.
  queue.requeue =
      "[ \"$(squeue --noheader --format=%T --jobs={job})\" = RUNNING ] && scontrol requeue {job}";
  // Read outside of `wrap`: a container may lack squeue or have another time zone.
  queue.job_lines =
      "export RETHINK_JOB=$SLURM_JOB_ID\n"
      "if rethink_end=$(SLURM_TIME_FORMAT=standard timeout 60 "
      "squeue --noheader --format=%e --jobs=\"$SLURM_JOB_ID\") &&\n"
      "   rethink_end=$(date --date \"${rethink_end:-none}\" +%s 2>/dev/null); then\n"
      "  export RETHINK_JOB_END=$rethink_end\n"
      "fi\n";
  queue.log_name = "%j.log";
  queue.between_jobs = ",";
  for (const char* word : {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD",
                           "RESV_DEL_HOLD", "SPECIAL_EXIT"})
    queue.words[word] = JobState::pending;
  for (const char* word :
       {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "RESIZING", "STAGE_OUT"})
    queue.words[word] = JobState::running;
  for (const char* word : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                           "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "REVOKED"})
    queue.words[word] = JobState::ended;
  queue.away = {"Unable to contact slurm controller",
                "Socket timed out",
                "Connection refused",
                "Zero Bytes were transmitted",
                "Protocol authentication error",
                "Slurm backup controller in standby mode"};
  queue.job_unknown = {"Invalid job id", "already completing or completed"};
  return queue;
}

Queue queue_of(const Site& site) {
  Queue queue;
  queue.submit = site.commands.submit;
  queue.states = site.commands.states;
  queue.cancel = site.commands.cancel;
  queue.job_lines = fmt::format("export RETHINK_JOB={}\nexec >>{}/\"$RETHINK_JOB.log\" 2>&1\n",
                                site.commands.job, "{logs}");
  queue.between_jobs = " ";
  queue.words = {
      {"pending", JobState::pending}, {"running", JobState::running}, {"ended", JobState::ended}};
  return queue;
}

std::string QueueEngine::submit_one(const PilotCommand& pilot) {
  std::vector<std::string> options = site_.options;
  if (pilot.brief && !queue_.brief.empty()) options.push_back(queue_.brief);
  std::string logs = pilot.logs.string();
  const std::string logs_word = for_a_shell(logs);
  if (!queue_.log_name.empty()) {  // a path in which % begins a placeholder
    for (size_t at = logs.find('%'); at != std::string::npos; at = logs.find('%', at + 2))
      logs.insert(at, "%");
  }
  const std::string command =
      with_words(queue_.submit, {{"name", for_a_shell(pilot.name)},
                                 {"logs", logs_word},
                                 {"log", for_a_shell(logs + "/" + queue_.log_name)},
                                 {"options", shell_words(options, " ")}});
  const std::string script =
      "#!/bin/bash\n" +
      job_script(site_, pilot, with_words(queue_.job_lines, {{"logs", logs_word}}));
  const ProgramResult result = run_command(command, script);
  const std::string job = first_word(result.output);
  if (result.status == 0 && !job.empty()) return job;
  const std::string said = output_line(result);
  if (result.status == kNotFound) {
    throw MachineError("missing-program",
                       fmt::format("site '{}': this machine lacks the queue's commands ({}); give "
                                   "this command on a login node, which has them",
                                   site_.name, said));
  }
  if (result.status == kTimedOut || prints_any(result, queue_.away)) {
    throw MachineError("queue-failed",
                       fmt::format("site '{}': the queue cannot be reached ({}); try again later",
                                   site_.name, said));
  }
  if (result.status == 0) {
    throw_refused(site_, fmt::format("the command to submit printed no job id ({})", said));
  }
  throw_refused(site_, said);
}

std::vector<std::string> QueueEngine::submit(const PilotCommand& pilot, int count) {
  std::vector<std::string> jobs;
  try {
    for (int i = 0; i < count; ++i) jobs.push_back(submit_one(pilot));
  } catch (const std::exception&) {
    try {
      cancel(jobs);
    } catch (const std::exception& error) {
      log_warning(
          fmt::format("the jobs {} stay in the queue: {}", shell_words(jobs, ", "), error.what()));
    }
    throw;
  }
  for (const std::string& job : jobs) answer_[job] = {JobState::pending, ""};
  return jobs;
}

std::map<std::string, JobStatus> QueueEngine::ask(const std::vector<std::string>& jobs) const {
  std::map<std::string, JobStatus> states;
  const ProgramResult result =
      run_command(with_words(queue_.states, {{"jobs", shell_words(jobs, queue_.between_jobs)}}));
  const bool has_answered = result.status == 0 || prints_any(result, queue_.job_unknown);
  for (const std::string& job : jobs) {
    states[job] = has_answered ? JobStatus{JobState::ended, ""}
                               : JobStatus{JobState::unknown, output_line(result)};
  }
  if (!has_answered) return states;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string job, word, reason;
    words >> job >> word;
    std::getline(words >> std::ws, reason);
    const auto status = states.find(job);
    if (status == states.end() || word.empty()) continue;
    const auto known = queue_.words.find(word);
    status->second.state = known == queue_.words.end() ? JobState::unknown : known->second;
    const bool has_explanation = !reason.empty() && reason != "None";
    if (status->second.state == JobState::pending)
      status->second.reason = has_explanation ? reason : "";
    else
      status->second.reason = status->second.state == JobState::running ? "" : word;
  }
  return states;
}

std::map<std::string, JobStatus> QueueEngine::states(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return {};
  const double now_s = monotonic_seconds();
  const bool has_new_job =
      std::ranges::any_of(jobs, [&](const std::string& job) { return !answer_.contains(job); });
  const bool may_ask = now_s >= next_question_s_ || (has_new_job && failures_ == 0);
  if (may_ask) {
    std::set<std::string> all(jobs.begin(), jobs.end());
    // Asks for ended jobs too: a job without a cached answer counts as new, and would cost another
    // question.
    for (const auto& [job, status] : answer_) all.insert(job);
    answer_ = ask({all.begin(), all.end()});
    const bool is_away = std::ranges::all_of(
        answer_, [](const auto& entry) { return entry.second.state == JobState::unknown; });
    failures_ = is_away ? failures_ + 1 : 0;
    const double pause_s = site_.ask_every_s * std::pow(2, std::min(failures_, 10));
    next_question_s_ =
        monotonic_seconds() + std::min(pause_s, std::max(site_.ask_every_s, kLongestPauseSeconds));
  }
  std::map<std::string, JobStatus> states;
  for (const std::string& job : jobs) {
    const auto found = answer_.find(job);
    states[job] = found == answer_.end() ? JobStatus{JobState::unknown, "the queue did not answer"}
                                         : found->second;
  }
  return states;
}

void QueueEngine::cancel(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return;
  const ProgramResult result =
      run_command(with_words(queue_.cancel, {{"jobs", shell_words(jobs, " ")}}));
  if (result.status == 0 || prints_any(result, queue_.job_unknown)) return;
  throw MachineError("queue-failed",
                     fmt::format("site '{}': the queue does not cancel {} ({})", site_.name,
                                 shell_words(jobs, ", "), output_line(result)));
}

std::optional<double> QueueEngine::end_time(const std::string& job) {
  const char* own = std::getenv("RETHINK_JOB");
  const char* end = std::getenv("RETHINK_JOB_END");
  if (!own || job != own || !end) return std::nullopt;
  double seconds = 0;
  const std::string text = end;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return seconds;
}

bool QueueEngine::requeue(const std::string& job) {
  if (queue_.requeue.empty()) return false;
  return run_command(with_words(queue_.requeue, {{"job", for_a_shell(job)}})).status == 0;
}

}  // namespace rethink
