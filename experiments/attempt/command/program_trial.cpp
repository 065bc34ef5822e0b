#include "experiments/attempt/command/program_trial.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/clock.h"
#include "core/config/registry.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/outside_code.h"
#include "core/store_files/resume_proof.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "core/text.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/command/folder_copy.h"
#include "experiments/attempt/command/helper_module.h"
#include "experiments/attempt/command/left_files.h"
#include "experiments/attempt/command/missing_code.h"
#include "experiments/attempt/command/output/prediction_table.h"
#include "experiments/attempt/command/placeholders.h"

namespace rethink {
namespace {

constexpr size_t kMostLine = size_t{64} << 10, kMostWarnings = 20, kMostAllWarnings = 200,
                 kShownOfLine = 200,
                 kMostNamed = 20;                       // metrics that no table needs
constexpr uint64_t kMostPrinted = uint64_t{256} << 20;  // of each stream of an attempt
constexpr size_t kMostOfEnd = size_t{64} << 10;
constexpr int kLookMs = 50;  // between checks of the events while the program reports nothing
constexpr int kGoesOnLater = 75, kSignalCode = 128;  // exit code of a shell: 128 and the signal
constexpr const char *kFolderKey = "folder", *kSha256Key = "sha256", *kWantedKey = "metrics",
                     *kArtifactsKey = "artifacts", *kPredictions = "predictions";

/// Numbers in which the arms of a table should agree, as trials of our own jobs measure them
/// (plots/table/lines/unlike_arms.h). A program reports them as metrics.
constexpr std::string_view kSharedByArms[] = {"parameters", "tokens_seen"};

/// A port on which nobody listens now.
std::string free_port() {
  const FileDescriptor end(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool found = bind(end.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(end.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!found) throw_system_error("cannot find a free port", errno);
  return std::to_string(ntohs(address.sin_port));
}

/// "0.001", "5000", "a word": the form for a program's command line.
std::string plain_word(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A path, or the name of a published data set.
std::string place_of(const CommandData& data) {
  return data.file.value_or(data.dir.value_or(data.name.value_or("")));
}

/// Writes any number as text that reads back equal, also NaN.
std::string written_number(double value) {
  return fmt::format("{}", value);
}
double read_number(const Json& text) {
  return std::strtod(text.get<std::string>().c_str(), nullptr);
}

/// Reads the available bytes, up to a few MB. False if the program has closed its end.
bool drain(const FileDescriptor& end, const std::function<void(std::string_view)>& take) {
  constexpr size_t kMostAtOnce = size_t{4} << 20;
  char bytes[1 << 16];
  for (size_t all = 0; all < kMostAtOnce;) {
    const ssize_t got = read(end.get(), bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    all += static_cast<size_t>(got);
    take({bytes, static_cast<size_t>(got)});
  }
  return true;
}

/// A part of a file's name.
std::string file_word(const std::string& name) {
  std::string word;
  for (const char c : name)
    word += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  return word;
}

/// The same, but different for each name.
std::string unique_word(const std::string& name) {
  constexpr size_t kDigits = 8;
  const std::string word = file_word(name);
  return word == name ? word : word + "-" + sha256_hex(name).substr(0, kDigits);
}

std::string left_out_text(const char* stream, const char* file) {
  return fmt::format(
      "more than {} MiB of {}: the file {} of the attempt gets only the first {} MiB and the last "
      "{} KiB",
      kMostPrinted >> 20, stream, file, kMostPrinted >> 20, kMostOfEnd >> 10);
}

}  // namespace

ProgramTrial::ProgramTrial(const CommandOptions& options, JobContext& context)
    : options_(options),
      context_(context),
      snapshot_(options.snapshot.empty() ? "" : context.store / kCodeFolder / options.snapshot),
      work_(context.attempt / kProgramCode),
      scratch_(context.attempt / kProgramScratch),
      reports_file_(context.attempt / kProgramEvents),
      config_file_(context.attempt / kProgramConfig),
      stop_file_(context.attempt / kProgramStop),
      output_filter_(secret_values(options.pass)),
      error_filter_(secret_values(options.pass)),
      output_log_(kMostPrinted, kMostOfEnd,
                  [this](const std::string& text) {
                    write_all(STDOUT_FILENO, text, context_.attempt / kLogFile);
                  }),
      error_log_(kMostPrinted, kMostOfEnd, [this](const std::string& text) {
        const std::filesystem::path file = context_.attempt / kErrorsFile;
        if (!errors_) errors_ = open_file(file, O_WRONLY | O_CREAT | O_APPEND);
        write_all(errors_.get(), text, file);
      }) {
  for (const auto& [name, direction] : options.metrics)
    wanted_[name].more_is_better = direction == "max";
  for (const auto& [name, pattern] : options.stdout_patterns) {
    printed_.push_back({{}, pattern, StdoutPattern(pattern), 0, {}});
    set_metric_name(name, printed_.back().metric);
  }
}

ProgramTrial::~ProgramTrial() = default;

JobOutcome ProgramTrial::run() {
  for (const std::string& name : options_.pass) {
    if (const std::string problem = problem_of_passed(name); !problem.empty())
      throw TrialError("invalid-value", problem);
  }
  kill_programs_of(trial_folder());  // remaining programs would write beside this attempt
  try {
    resume();
    if (options_.stop_at && resume_step_ >= *options_.stop_at) return JobOutcome::interrupted;
    prepare_folders();
    const JobOutcome how = run_program();
    if (how == JobOutcome::done) warn_at_end();
    remove_folders(context_.attempt);
    return how;
  } catch (const DiskFullError&) {
    remove_folders(context_.attempt);
    throw;
  } catch (...) {  // its folder stays for inspection; its reports are in the events
    std::error_code ignored;
    std::filesystem::remove(reports_file_, ignored);
    throw;
  }
}

JobOutcome ProgramTrial::run_program() {
  reports_.emplace(reports_file_, kMostLine, error_filter_.has_secrets());
  ProcessTree tree({.words = words(), .environment = environment(), .folder = work_});
  context_.events.tick(resume_step_, 0, std::nullopt);
  wait_for_end(tree);
  int status = 0;
  tree.has_ended(status);
  if (const size_t left = tree.kill_all(); left > 0)
    warn(fmt::format("the program ended and left {} of its processes, which were killed", left));
  while (read_output(tree)) {
  }
  keep_output(output_filter_.rest());
  keep_errors(error_filter_.rest());
  output_log_.end();
  error_log_.end();
  if (!printed_rest_.empty()) find_metrics(printed_rest_);
  if (!reports_->rest().empty())
    warn(fmt::format("its last line of events has no end: {}",
                     error_filter_.hidden(reports_->rest()).substr(0, kShownOfLine)));
  return outcome(status);
}

std::filesystem::path ProgramTrial::trial_folder() const {
  return context_.attempt.parent_path();
}

/// From Git when the code was kept: "4b825dc642cb", "4b825dc642cb with changes".
std::string ProgramTrial::commit() const {
  const std::filesystem::path kept = context_.store / kCodeFolder / (options_.snapshot + ".diff");
  if (options_.snapshot.empty() || !std::filesystem::exists(kept)) return "";
  const std::string text = read_file(kept);
  constexpr size_t kWord = 7, kDigits = 12;  // "commit "
  const size_t end = text.find('\n');
  return text.substr(kWord, kDigits) + (end + 1 < text.size() ? " with changes" : "");
}

/// Finds the newest checkpoint whose folder is complete.
void ProgramTrial::resume() {
  if (const std::string text = commit(); !text.empty())
    context_.events.add_start_facts({{"commit", text}});
  context_.events.add_start_facts(
      {{kResumeProofFact, resume_proof_name(context_.trial.config, context_.runtime.device)}});
  const auto found = context_.checkpoints.newest([&](const std::filesystem::path& file) {
    try {
      const TensorMetadata metadata = SafetensorsFile(file).metadata();
      return sha256_of_tree(file.parent_path() / metadata.at(kFolderKey)) ==
             metadata.at(kSha256Key);
    } catch (const std::exception&) {  // damaged, or of another version
      return false;
    }
  });
  if (!found) return;
  const TensorMetadata metadata = SafetensorsFile(found->path).metadata();
  resume_step_ = found->step;
  kept_checkpoint_ = found->path.parent_path() / metadata.at(kFolderKey);
  const Json known = parse_json(metadata.at(kWantedKey), "checkpoint");
  for (const auto& [name, values] : known.items()) {
    const auto wanted = wanted_.find(name);
    if (wanted == wanted_.end()) continue;
    wanted->second.step = values.at(0).get<int64_t>();
    wanted->second.last = read_number(values.at(1));
    wanted->second.best = read_number(values.at(2));
    wanted->second.was_not_finite = values.size() > 3 && values.at(3).get<bool>();
  }
  for (const Json& artifact : parse_json(metadata.at(kArtifactsKey), "checkpoint")) {
    const std::filesystem::path file = context_.artifacts / artifact.at(1).get<std::string>();
    if (std::filesystem::is_regular_file(file))
      context_.add_artifact(artifact.at(0), artifact.at(0), file);
  }
}

void ProgramTrial::prepare_folders() {
  for (const auto& [number, folder] : attempt_folders(trial_folder())) remove_folders(folder);
  require_planned_data();
  if (snapshot_.empty()) {
    std::filesystem::create_directory(work_);
  } else if (std::filesystem::is_directory(snapshot_)) {
    copy_tree(snapshot_, work_);
    if (sha256_of_tree(work_) != options_.snapshot)
      throw TrialError(
          "code-changed",
          fmt::format("{} has changed since the code was planned; remove that folder and run the "
                      "sweep again",
                      snapshot_.string()));
  } else {
    throw TrialError("code-missing",
                     fmt::format("{} is missing: run the sweep again, which copies the code there",
                                 snapshot_.string()));
  }
  std::filesystem::create_directory(scratch_);
  std::filesystem::create_directories(context_.artifacts);
  // A copy, so that the program cannot damage the checkpoint.
  if (!kept_checkpoint_.empty()) {
    checkpoint_ = scratch_ / "resumed";
    copy_tree(kept_checkpoint_, checkpoint_);
  }
  write_all(open_file(config_file_, O_WRONLY | O_CREAT | O_TRUNC).get(), settings().dump(2) + "\n",
            config_file_);
}

/// A file or folder that has changed since the planning would be read under the hash of the old
/// content.
void ProgramTrial::require_planned_data() const {
  constexpr uintmax_t kLarge = 1'000'000;  // a smaller file is hashed as fast as recalled
  const std::filesystem::path hashes =
      context_.runtime.cache.empty() ? "" : context_.runtime.cache / "hashes";
  const auto hash_of = [&](const std::filesystem::path& file) {
    return std::filesystem::file_size(file) < kLarge ? sha256_file(file)
                                                     : remembered_sha256(file, hashes);
  };
  for (const auto& [name, data] : options_.data) {
    if (data.name) continue;  // its commit is part of the configuration
    const std::string now =
        data.file ? remembered_sha256(*data.file, hashes) : sha256_of_tree(*data.dir, hash_of);
    const std::string& planned = context_.trial.data.at("data." + name);
    if (now != planned)
      throw TrialError("data-changed", fmt::format("data.{}: {} has changed since it was planned; "
                                                   "run the sweep again, which plans a new trial",
                                                   name, place_of(data)));
  }
}

/// Removes folders that a killed attempt left, and folders that a failed attempt left for
/// inspection.
void ProgramTrial::remove_folders(const std::filesystem::path& attempt) const {
  std::error_code ignored;  // a remaining folder does no harm
  for (const auto* path : {&work_, &scratch_, &reports_file_, &config_file_, &stop_file_})
    std::filesystem::remove_all(attempt / path->filename(), ignored);
}

std::map<std::string, std::string> ProgramTrial::environment() const {
  std::map<std::string, std::string> all;
  for (const std::string_view name : kPublicVariables) {
    const std::string variable(name);
    if (const char* value = std::getenv(variable.c_str())) all[variable] = value;
  }
  for (const std::string& name : options_.pass) {
    if (const char* value = std::getenv(name.c_str())) all[name] = value;
  }
  if (context_.runtime.device == "cpu") {
    all["CUDA_VISIBLE_DEVICES"] = "";
  } else if (!context_.runtime.gpus.empty()) {
    all["CUDA_VISIBLE_DEVICES"] = joined(context_.runtime.gpus, ",");
  }
  all["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  all["OMP_NUM_THREADS"] = std::to_string(context_.runtime.threads);
  all["PYTHONUNBUFFERED"] = "1";
  if (context_.trial.seed) {
    all["RETHINK_SEED"] = std::to_string(*context_.trial.seed);
    all["PYTHONHASHSEED"] = std::to_string(*context_.trial.seed & 0xffffffff);
  }
  all[kTrialVariable] = mark_of(trial_folder());
  all["RETHINK_ATTEMPT"] = context_.attempt.filename().string().substr(kAttemptPrefix.size());
  all["RETHINK_CONFIG"] = config_file_.string();
  all["RETHINK_EVENTS"] = reports_file_.string();
  all["RETHINK_STOP_FILE"] = stop_file_.string();
  all["RETHINK_SCRATCH"] = scratch_.string();
  all["RETHINK_ARTIFACTS"] = context_.artifacts.string();
  if (!checkpoint_.empty()) all["RETHINK_CHECKPOINT"] = checkpoint_.string();
  if (context_.runtime.checkpoint_every_s)
    all["RETHINK_CHECKPOINT_EVERY"] = std::to_string(*context_.runtime.checkpoint_every_s);
  if (options_.stop_at) all["RETHINK_STOP_AT"] = std::to_string(*options_.stop_at);
  for (const auto& [slot, artifacts] : context_.inputs) {
    if (!artifacts.empty())
      all[program_variable("RETHINK_INPUT_", slot)] = artifacts.front().path.string();
  }
  for (const auto& [name, data] : options_.data) {
    all[program_variable("RETHINK_DATA_", name)] = place_of(data);
    if (data.revision) all[program_variable("RETHINK_DATA_", name + kOfRevision)] = *data.revision;
  }
  // For the helper module, which detects code that is loaded from elsewhere.
  all["RETHINK_CODE"] = work_.string();
  if (!context_.runtime.checkout.empty())
    all["RETHINK_CHECKOUT"] = context_.runtime.checkout.string();
  for (const auto& [name, value] : options_.env)
    all[name] = with_placeholders(value, [&](const std::string& word) { return value_of(word); });
  return all;
}

std::vector<std::string> ProgramTrial::words() const {
  std::vector<std::string> words;
  for (const std::string& word : options_.run)
    words.push_back(
        with_placeholders(word, [&](const std::string& name) { return value_of(name); }));
  return words;
}

std::string ProgramTrial::value_of(const std::string& placeholder) const {
  using Name = const std::string&;  // the part after the dot; empty without a dot
  const std::map<std::string, std::function<std::optional<std::string>(Name)>> values = {
      {"config", [&](Name name) { return setting(name); }},
      {"seed", [&](Name) { return std::to_string(context_.trial.seed.value_or(0)); }},
      {"gpus", [&](Name) { return std::to_string(number_of_gpus()); }},
      {"port",
       [&](Name) {
         if (port_.empty()) port_ = free_port();  // one port, wherever it is written
         return port_;
       }},
      {"checkpoint", [&](Name) { return checkpoint_.string(); }},
      {"artifacts", [&](Name) { return context_.artifacts.string(); }},
      {"code", [&](Name) { return work_.string(); }},
      {"input",
       [&](Name name) {
         const Artifact* artifact = context_.input(name);
         return artifact ? std::optional(artifact->path.string()) : std::nullopt;
       }},
      {"data", [&](Name name) {
         const auto data = options_.data.find(name);
         if (data != options_.data.end()) return std::optional(place_of(data->second));
         for (const auto& [own, published] : options_.data) {
           if (name == own + kOfRevision) return published.revision;
         }
         return std::optional<std::string>();
       }}};
  const size_t dot = placeholder.find('.');
  const auto known = values.find(placeholder.substr(0, dot));
  const auto value =
      known == values.end()
          ? std::nullopt
          : known->second(dot == std::string::npos ? "" : placeholder.substr(dot + 1));
  if (!value)
    throw ConfigError("unknown-placeholder",
                      fmt::format("run: there is no placeholder {{{}}}", placeholder));
  return *value;
}

/// `selftest --resume` gives its attempts no GPU of their own: they see the GPUs of the selftest.
size_t ProgramTrial::number_of_gpus() const {
  if (context_.runtime.device == "cpu") return 0;
  return std::max<size_t>(1, context_.runtime.gpus.size());
}

/// A setting of `config` as a word; without a name, the file of all settings.
std::optional<std::string> ProgramTrial::setting(const std::string& name) const {
  if (name.empty()) return config_file_.string();
  const Json config = settings();
  const Json* value = find_path(config, name);
  return value ? std::optional(plain_word(*value)) : std::nullopt;
}

Json ProgramTrial::settings() const {
  Json config = Json::object();
  for (const auto& [name, value] : options_.config) config[name] = *value;
  return config;
}

void ProgramTrial::wait_for_end(ProcessTree& tree) {
  double stopped_s = 0;
  bool killed = false;
  int status = 0;
  for (bool any_more = false; !tree.has_ended(status); any_more = read_output(tree)) {
    pollfd ends[] = {{tree.leader().get(), POLLIN, 0},
                     {output_is_open_ ? tree.output().get() : -1, POLLIN, 0},
                     {error_is_open_ ? tree.error().get() : -1, POLLIN, 0}};
    ::poll(ends, 3, any_more ? 0 : kLookMs);
    give_sign_of_life();
    if (context_.stop && !was_stopped_) {
      was_stopped_ = true;
      stopped_s = monotonic_seconds();
      write_stop_file();
      options_.terminate == "tree" ? tree.terminate_all() : tree.terminate_leader();
    }
    if (was_stopped_ && !killed && monotonic_seconds() - stopped_s >= context_.runtime.grace_s) {
      killed = true;
      warn(fmt::format("it was killed {:g} s after it was told to stop (limits.grace)",
                       context_.runtime.grace_s));
      tree.kill_all();
    }
  }
}

/// The file also reaches programs, and processes of them, that do not receive SIGTERM or handle the
/// signal themselves.
void ProgramTrial::write_stop_file() const {
  try {
    open_file(stop_file_, O_WRONLY | O_CREAT);
  } catch (const MachineError&) {  // the signal follows in any case
  }
}

/// A limit on silence is for programs that report progress. Other programs show progress only by
/// their output.
void ProgramTrial::give_sign_of_life() {
  constexpr double kEvery_s = 60, kOfStall = 1.0 / 3;
  const double every_s = std::min(kEvery_s, context_.runtime.stall_s.value_or(kEvery_s) * kOfStall);
  const double now_s = monotonic_seconds();
  if (reports_->bytes_read() != bytes_heard_) has_spoken_ = true;
  bytes_heard_ = reports_->bytes_read();
  if (now_s - last_sign_s_ < every_s || (has_ticked_ && !has_spoken_)) return;
  context_.events.measurement("program_s", 0, now_s - begun_s_);
  last_sign_s_ = now_s;
  has_spoken_ = false;
}

/// The program's output is the attempt's log. Its standard error has its own file: in one file, the
/// order of both streams would depend on when they are read. True if more output is available.
bool ProgramTrial::read_output(const ProcessTree& tree) {
  if (output_is_open_) {
    output_is_open_ = drain(tree.output(), [&](std::string_view text) {
      has_spoken_ = true;
      keep_output(output_filter_.take(text));
      if (!printed_.empty()) take_printed(std::string(text));
    });
  }
  if (error_is_open_) {
    error_is_open_ = drain(tree.error(), [&](std::string_view text) {
      has_spoken_ = true;
      keep_errors(error_filter_.take(text));
      take_lines(error_rest_, text, kMostLine, [&](const std::string& line) {
        if (!line.empty()) last_error_line_ = line;
      });
    });
  }
  return read_reports();
}

bool ProgramTrial::read_reports() {
  queue_reports();
  while (!queued_lines_.empty()) {
    const std::string line = std::move(queued_lines_.front());
    queued_lines_.pop_front();
    queued_bytes_ -= line.size();
    take_event(line);
  }
  return has_more_reports_;
}

void ProgramTrial::queue_reports() {
  has_more_reports_ = reports_->read([&](const std::string& line) {
    queued_lines_.push_back(line);
    queued_bytes_ += line.size();
    if (line.find("\"checkpoint\"") == std::string::npos || line.size() >= kMostLine) return;
    try {
      const ReportedLine said = reported_line(line, error_filter_);
      if (const auto* checkpoint = std::get_if<ReportedCheckpoint>(&said))
        ++queued_checkpoints_[reported_path(checkpoint->path)];
    } catch (const WrongLine&) {  // take_event reports it
    }
  });
}

/// A program that overwrites its checkpoint may have done so before the first report is taken. The
/// folder is then the one of the last report, and under an earlier step a resume would drop the
/// reports between both.
bool ProgramTrial::is_reported_again(const ReportedCheckpoint& checkpoint) {
  constexpr size_t kMostQueued = size_t{8} << 20;
  if (queued_bytes_ < kMostQueued) queue_reports();
  const auto queued = queued_checkpoints_.find(reported_path(checkpoint.path));
  if (queued == queued_checkpoints_.end()) return false;
  if (--queued->second > 0) return true;
  queued_checkpoints_.erase(queued);
  return false;
}

void ProgramTrial::keep_output(const std::string& text) {
  if (output_log_.take(text)) warn(left_out_text("standard output", kLogFile));
}

void ProgramTrial::keep_errors(const std::string& text) {
  if (error_log_.take(text)) warn(left_out_text("standard error", kErrorsFile));
}

void ProgramTrial::take_event(const std::string& line) {
  if (line.empty()) return;
  const bool is_of_metric = line.find("\"metric\"") != std::string::npos;
  // A flood of other text is skipped, since explaining each line takes long.
  if (wrong_lines_ > kMostWarnings && !is_of_metric && line.find('{') == std::string::npos) return;
  try {
    if (line.size() >= kMostLine)
      throw WrongLine(
          "invalid-report",
          fmt::format("a line of more than {} KiB: {}...", kMostLine >> 10,
                      visible_controls(
                          std::string_view(error_filter_.hidden(line)).substr(0, kShownOfLine))),
          is_of_metric);
    const ReportedLine said = reported_line(line, error_filter_);
    // The module reports facts about a program after the program has ended.
    const bool is_fact = std::holds_alternative<ReportedEnvironment>(said) ||
                         std::holds_alternative<ReportedOutsideFiles>(said);
    if (!is_fact) is_done_ = false;
    std::visit([&](const auto& one) { take(one); }, said);
  } catch (const WrongLine& error) {
    if (error.is_of_metric) throw;
    if (++wrong_lines_ <= kMostWarnings) warn(error.what());
  }
}

/// A progress line that overwrites itself ends with a carriage return.
void ProgramTrial::take_printed(std::string text) {
  std::ranges::replace(text, '\r', '\n');
  take_lines(printed_rest_, text, kMostLine, [&](const std::string& line) { find_metrics(line); });
}

void ProgramTrial::find_metrics(const std::string& line) {
  if (!line.empty()) ++printed_lines_;
  for (Printed& printed : printed_) {
    StdoutPattern::PartlyRead* partly = printed.partly.whole.empty() ? &printed.partly : nullptr;
    const auto found = printed.pattern.find(line, partly);
    if (!found) continue;
    ++printed.lines;
    printed.metric.step = options_.step == "count" ? printed.lines : found->step.value_or(0);
    printed.metric.value = found->value;
    take(printed.metric);
  }
}

/// After the first GB of lines only a few are kept.
bool ProgramTrial::Thinning::keeps(uint64_t bytes_said) {
  constexpr uint64_t kMostBytes = 1'000'000'000;
  const double now_s = monotonic_seconds();
  const double rate = bytes_said <= kMostBytes ? kEachSecond : 1,
               burst = bytes_said <= kMostBytes ? kBurst : 1;
  allowed_ = std::min(burst, allowed_ + (now_s - since_s_) * rate);
  since_s_ = now_s;
  if (allowed_ < 1) return ++dropped_, false;
  allowed_ -= 1;
  return true;
}

bool ProgramTrial::is_kept() {
  if (thinning_.keeps(reports_->bytes_read())) return true;
  if (thinning_.dropped() == 1)
    context_.events.message(
        "warning",
        "more than 1,000 metrics or texts a second for long, or 1 GB of events: of those "
        "that follow only some are kept; last and best values stay exact");
  return false;
}

void ProgramTrial::take(const ReportedMetric& metric) {
  if (metric.step <= checkpoint_step_)
    warn(
        fmt::format("{}/{} of step {} comes after the checkpoint of step {}: a resume drops it; "
                    "report a step before its checkpoint",
                    metric.split, metric.name, metric.step, checkpoint_step_));
  if (is_kept()) {
    if (!has_ticked_) context_.events.tick(metric.step, 0, std::nullopt);
    context_.events.metric(metric.split, metric.name, metric.step, metric.value);
    const bool has_no_split = metric.split == "run";
    if (has_no_split && std::isfinite(metric.value) &&
        std::ranges::count(kSharedByArms, metric.name) > 0)
      context_.events.measurement(metric.name, metric.step, metric.value);
  }
  const auto found = wanted_.find(metric.split + "/" + metric.name);
  if (found == wanted_.end()) {
    if (others_.size() < kMostNamed) others_.insert(metric.split + "/" + metric.name);
    return;
  }
  Wanted& wanted = found->second;
  const bool is_better =
      std::isfinite(metric.value) &&
      (!std::isfinite(wanted.best) ||
       (wanted.more_is_better ? metric.value > wanted.best : metric.value < wanted.best));
  if (is_better || !wanted.step) wanted.best = metric.value;
  wanted.step = metric.step;
  wanted.last = metric.value;
  if (std::isfinite(metric.value) || options_.nan.contains(found->first)) return;
  if (!wanted.was_not_finite)
    warn(fmt::format(
        "{} of step {} is {}: the trial has diverged when its program ends; `nan: "
        "{{{}: ignore}}` allows NaN and infinity",
        found->first, metric.step, std::isnan(metric.value) ? "NaN" : "infinite", found->first));
  wanted.was_not_finite = true;
}

void ProgramTrial::take(const ReportedTick& tick) {
  has_ticked_ = true;
  context_.events.tick(tick.step, tick.of.value_or(0), std::nullopt);
}

/// One path for each way to write it.
std::filesystem::path ProgramTrial::reported_path(const std::filesystem::path& given) const {
  const std::filesystem::path plain =
      (given.is_absolute() ? given : work_ / given).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

/// The path of a file or folder that the program reports. Such a file is not lost with its folder.
std::filesystem::path ProgramTrial::reported_file(const std::filesystem::path& given) {
  reported_files_.insert(reported_path(given));
  return given.is_absolute() ? given : work_ / given;
}

/// The folder is copied, so that later changes by the program do no harm.
void ProgramTrial::take(const ReportedCheckpoint& checkpoint) {
  const std::filesystem::path source = reported_file(checkpoint.path);
  const auto not_kept = [&](const std::string& why) {
    warn(fmt::format("the checkpoint of step {} is not kept: {}", checkpoint.step, why));
  };
  const bool is_old = is_reported_again(checkpoint);
  if (options_.step == "count")
    return not_kept(
        "`step: count` counts lines from the beginning; print the step, and name it {step}");
  if (checkpoint.step == 0)
    return not_kept("step 0 is the beginning; count steps or epochs from 1");
  if (is_old)
    return not_kept(
        fmt::format("{} was reported again before it was copied; give each checkpoint a folder of "
                    "its own, or report fewer",
                    source.string()));
  if (!std::filesystem::exists(source)) return not_kept(source.string() + " is not there");
  const bool is_ours = lies_below(source, scratch_);
  if (checkpoint.give && !is_ours)
    warn(fmt::format("{} is copied and not taken: it does not lie below RETHINK_SCRATCH",
                     source.string()));
  // A unique name: a kept checkpoint of the same step stays until this one is complete.
  const std::string name = fmt::format("files-{}-{}-{}", checkpoint.step,
                                       context_.attempt.filename().string(), ++copies_);
  const std::filesystem::path folder = trial_folder() / kCheckpointsFolder;
  try {
    std::filesystem::create_directories(folder);
    if (checkpoint.give && is_ours) {
      std::filesystem::rename(source, folder / name);
    } else {
      require_room(source, folder);
      copy_tree(source, folder / name);
    }
    sync_disk(folder / name);
    keep_checkpoint(checkpoint.step, folder / name);
  } catch (const ChangedMeanwhile& error) {
    not_kept(error.what());
  } catch (const MachineError& error) {
    std::error_code ignored;
    std::filesystem::remove_all(folder / name, ignored);
    not_kept(error.what());
  }
  remove_dropped_copies(folder);
}

void ProgramTrial::keep_checkpoint(int64_t step, const std::filesystem::path& copy) {
  const std::string sha256 = sha256_of_tree(copy);
  Json values = Json::object(), artifacts = Json::array();
  for (const auto& [metric, wanted] : wanted_) {
    if (wanted.step)
      values[metric] = {*wanted.step, written_number(wanted.last), written_number(wanted.best),
                        wanted.was_not_finite};
  }
  for (const Artifact& artifact : context_.published)
    artifacts.push_back({artifact.name, artifact.path.filename().string()});
  context_.checkpoints.publish(
      step, [&](const std::filesystem::path& file, const TensorMetadata& description) {
        TensorMetadata metadata = description;
        metadata[kFolderKey] = copy.filename();
        metadata[kSha256Key] = sha256;
        metadata[kWantedKey] = values.dump();
        metadata[kArtifactsKey] = artifacts.dump();
        write_safetensors(file, {}, with_description_checksum(metadata, {}));
      });
  checkpoint_step_ = step;
}

/// Removes folders that no checkpoint names; none if a checkpoint cannot be read, since it may name
/// any folder.
void ProgramTrial::remove_dropped_copies(const std::filesystem::path& folder) const {
  std::set<std::string> kept;
  try {
    for (const Checkpoint& one : checkpoints_in(folder))
      kept.insert(SafetensorsFile(one.path).metadata().at(kFolderKey));
  } catch (const std::exception&) {
    return;
  }
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string found = entry.path().filename();
    if (found.starts_with("files-") && !kept.contains(found))
      std::filesystem::remove_all(entry.path(), ignored);
  }
}

void ProgramTrial::take(const ReportedArtifact& artifact) {
  const std::filesystem::path source = reported_file(artifact.path);
  const auto not_kept = [&](const std::string& why) {
    warn(fmt::format("the artifact '{}' is not kept: {}", artifact.name, why));
  };
  if (std::filesystem::is_directory(source))
    return not_kept(source.string() + " is a folder: pack it into one file (tar) and report that");
  if (!std::filesystem::is_regular_file(source)) return not_kept(source.string() + " is no file");
  const bool is_in_place = lies_below(source, context_.artifacts);
  std::filesystem::path target = is_in_place ? source : context_.artifacts / source.filename();
  const auto is_another = [&](const Artifact& other) {
    return other.name != artifact.name && other.path.filename() == target.filename();
  };
  if (!is_in_place && std::ranges::any_of(context_.published, is_another))
    target = context_.artifacts / (file_word(artifact.name) + "-" + source.filename().string());
  const bool is_table = artifact.name == kPredictions && source.extension() == ".csv";
  if (is_table) target = context_.artifacts / "predictions.safetensors";
  try {
    if (is_table) {
      write_predictions(source, target);
    } else if (!is_in_place) {
      const std::filesystem::path arriving =
          context_.artifacts / ("." + target.filename().string());
      std::filesystem::remove(arriving);
      copy_tree(source, arriving);
      std::filesystem::rename(arriving, target);
    }
    std::erase_if(context_.published,
                  [&](const Artifact& old) { return old.name == artifact.name; });
    context_.add_artifact(artifact.name, artifact.name, target);
  } catch (const ChangedMeanwhile& error) {
    not_kept(error.what());
  } catch (const ConfigError& error) {
    not_kept(error.what());
  }
}

void ProgramTrial::take(const ReportedText& text) {
  constexpr size_t kMostText = 4'000;
  if (!is_kept()) return;
  if (text.value.size() > kMostText && long_texts_.insert(text.name).second)
    warn(fmt::format("the text '{}' of step {} has more than {} bytes: the first {} are kept",
                     text.name, text.step, kMostText, kMostText));
  std::string value = text.value.substr(0, kMostText);
  value.resize(std::min(value.size(), find_invalid_utf8(value)));  // an incomplete last character
  context_.events.write({{"event", to_text(EventKind::text)},
                         {"name", text.name},
                         {"step", text.step},
                         {"value", value}});
}

/// Stores a file in the attempt's folder and an event that names it. It is not an artifact, since a
/// repeated trial may make another picture.
void ProgramTrial::take(const ReportedImage& image) {
  constexpr size_t kMostImages = 200;
  constexpr uintmax_t kMostBytes = 20'000'000;
  const std::filesystem::path source = reported_file(image.path);
  const auto not_kept = [&](const std::string& why) {
    warn(fmt::format("the image '{}' of step {} is not kept: {}", image.name, image.step, why));
  };
  if (++images_ > kMostImages) {
    if (images_ == kMostImages + 1)
      not_kept(fmt::format("{} are kept of an attempt; report fewer", kMostImages));
    return;
  }
  std::error_code failed;  // the path cannot be read
  if (!std::filesystem::is_regular_file(source, failed))
    return not_kept(source.string() + " is no file");
  const uintmax_t bytes = std::filesystem::file_size(source, failed);
  if (failed) return not_kept(source.string() + ": " + failed.message());
  if (bytes > kMostBytes)
    return not_kept(fmt::format("{} has {} MB, expected at most {}", source.string(),
                                bytes / 1'000'000, kMostBytes / 1'000'000));
  const std::filesystem::path folder = context_.attempt / "images";
  const std::filesystem::path kept =
      folder / fmt::format("{}-{}{}", unique_word(image.name), image.step,
                           visible_controls(source.extension().string()));
  try {
    std::filesystem::create_directories(folder);
    std::filesystem::remove(kept);
    copy_tree(source, kept);
  } catch (const ChangedMeanwhile& error) {
    return not_kept(error.what());
  } catch (const MachineError& error) {
    return not_kept(error.what());
  }
  context_.events.write({{"event", to_text(EventKind::image)},
                         {"name", image.name},
                         {"step", image.step},
                         {"file", kept.lexically_relative(trial_folder()).string()}});
}

void ProgramTrial::take(const ReportedEnvironment& environment) {
  context_.events.write(
      {{"event", to_text(EventKind::environment)}, {"program", environment.facts}});
}

void ProgramTrial::take(const ReportedOutsideFiles& outside) {
  constexpr size_t kShown = 3;
  if (outside.files.empty()) return;
  const std::string files = first_names(outside.files, kShown);
  warn(
      fmt::format("it loaded {} from the checkout and not from the copy of its code: a change "
                  "there makes no other trial; name these files in `code`, or install their "
                  "package without -e",
                  files));
  context_.events.write({{"event", to_text(EventKind::environment)}, {kOutsideCodeFact, files}});
}

void ProgramTrial::take(const ReportedDone&) {
  is_done_ = true;
}

void ProgramTrial::warn(const std::string& text) {
  if (++warnings_ <= kMostAllWarnings)
    context_.events.message("warning", error_filter_.hidden(text));
  if (warnings_ == kMostAllWarnings)
    context_.events.message("warning", "more warnings of this kind are not kept");
}

JobOutcome ProgramTrial::outcome(int status) {
  const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool goes_on_later = WIFEXITED(status) && WEXITSTATUS(status) == kGoesOnLater;
  const bool was_ended =
      WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == kSignalCode + SIGTERM);
  if (was_stopped_ && (!is_done_ || goes_on_later || was_ended)) return JobOutcome::interrupted;
  if (goes_on_later && options_.stop_at) {
    if (checkpoint_step_ >= *options_.stop_at) return JobOutcome::interrupted;
    throw TrialError("program-failed",
                     fmt::format("exit code 75 without a checkpoint of step {} or later, at which "
                                 "`stop_at` stops it",
                                 *options_.stop_at));
  }
  if (goes_on_later)
    throw TrialError(
        "program-failed",
        "exit code 75, which means that the program stopped on request, but no stop was requested");
  if (oom_.was_oom(status))
    throw OutOfMemoryError("out-of-memory",
                           fmt::format("{} was killed because memory ran out", options_.run[0]));
  if (WIFSIGNALED(status) && outcome_of(status, false) == AttemptOutcome::killed)
    throw KilledError("program-killed",
                      fmt::format("{}: ended by {}", options_.run[0], how_ended(status)));
  if (!ended_well) {
    const std::string said = last_error_line_.empty() ? error_rest_ : last_error_line_;
    const bool lacks_helper = said.find("No module named 'rethink'") != std::string::npos;
    std::string advice = advice_on_missing_code(said, work_, snapshot_, context_.runtime.checkout);
    if (advice.empty() && lacks_helper) advice = advice_on_helper_module(options_.run[0]);
    throw TrialError(
        "program-failed",
        fmt::format("{}: {}{}{}{}", options_.run[0], how_ended(status),
                    is_done_ ? " after it reported {\"done\": true}" : "",
                    said.empty() ? "" : ": " + error_filter_.hidden(said).substr(0, 500),
                    advice.empty() ? "" : "; " + advice));
  }
  require_metrics();
  report_metrics();
  const bool diverged =
      std::ranges::any_of(wanted_, [](const auto& named) { return named.second.was_not_finite; });
  return diverged ? JobOutcome::diverged : JobOutcome::done;
}

/// Warnings about what a program that is done has lost.
void ProgramTrial::warn_at_end() {
  constexpr size_t kShown = 3;
  for (const Printed& printed : printed_) {
    if (!printed.partly.whole.empty())
      warn(
          fmt::format("the pattern '{}' would read only '{}' of '{}', which is no number that "
                      "rethink reads: such a line has no value",
                      printed.text, printed.partly.part, printed.partly.whole));
  }
  std::vector<std::string> left = files_left_in(work_, snapshot_, reported_files_);
  std::erase_if(left, [&](const std::filesystem::path& file) {
    // The module `rethink` reports a copy of an image, of the same name, in the scratch folder.
    return std::ranges::any_of(reported_files_, [&](const std::filesystem::path& reported) {
      return reported.filename() == file.filename() &&
             reported.parent_path().parent_path() == scratch_;
    });
  });
  if (!left.empty())
    warn(fmt::format(
        "the program left {} in its folder, which is removed; write {} to {{artifacts}} "
        "($RETHINK_ARTIFACTS) to keep {}",
        first_names(left, kShown), left.size() == 1 ? "it" : "them",
        left.size() == 1 ? "it" : "them"));
}

void ProgramTrial::require_metrics() const {
  std::vector<std::string> missing;
  for (const auto& [name, wanted] : wanted_) {
    if (!wanted.step) missing.push_back(name);
  }
  if (missing.empty()) return;
  throw TrialError(
      "missing-metric",
      fmt::format("ended without {}: `metrics` requires it, but the program reported {}{}{}",
                  joined(missing), reported_names(missing),
                  error_filter_.hidden(unmatched_patterns()),
                  reports_->rest().empty() ? "" : "; its last report lacks the end of the line"));
}

/// "no metric", or the reported metrics, with the one that is probably meant.
std::string ProgramTrial::reported_names(const std::vector<std::string>& missing) const {
  std::vector<std::string> reported;
  for (const auto& [name, wanted] : wanted_) {
    if (wanted.step) reported.push_back(name);
  }
  const std::vector<std::string> others{others_.begin(), others_.end()};
  reported.insert(reported.end(), others.begin(), others.end());
  if (reported.empty()) return "no metric";
  const std::string own = missing[0].substr(missing[0].find('/') + 1);
  const auto alike = std::ranges::find_if(
      others, [&](const std::string& other) { return other.ends_with("/" + own); });
  return joined(reported) +
         (alike == others.end()
              ? did_you_mean(missing[0], others)
              : fmt::format("; {} is of another split (a name without one is of run): report it as "
                            "{}, or write {} in `metrics`",
                            *alike, missing[0], *alike));
}

/// Why the expressions of `stdout` found nothing: "; the pattern 'acc={value}' matched none of its
/// 12 lines".
std::string ProgramTrial::unmatched_patterns() const {
  std::string text;
  for (const Printed& printed : printed_) {
    if (printed.lines > 0) continue;
    text += fmt::format("; the pattern '{}' ", printed.text);
    if (printed.partly.whole.empty())
      text +=
          fmt::format("matched none of its {} of standard output", counted(printed_lines_, "line"));
    else
      text += fmt::format("would read only '{}' of '{}', which is no number that rethink reads",
                          printed.partly.part, printed.partly.whole);
  }
  return text;
}

/// Reports the metrics that tables and selects need.
void ProgramTrial::report_metrics() {
  Json directions = Json::object();
  const std::string score = score_of_program(context_.trial.config);
  for (const auto& [name, wanted] : wanted_) {
    ReportedMetric metric;
    set_metric_name(name, metric);
    context_.events.metric(metric.split, metric.name + "@last", *wanted.step, wanted.last);
    context_.events.metric(metric.split, metric.name + "@best", *wanted.step, wanted.best);
    directions[metric.name] = wanted.more_is_better ? "max" : "min";
    if (name != score) continue;
    for (const char* ending : {"", "@last"})
      context_.events.metric(metric.split, std::string("score") + ending, *wanted.step,
                             wanted.last);
    context_.events.metric(metric.split, "score@best", *wanted.step, wanted.best);
    directions["score"] = directions[metric.name];
  }
  context_.result["directions"] = directions;
}

}  // namespace rethink
