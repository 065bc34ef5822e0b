// One attempt of a program as a trial: starts the program, reads its reports, stops it, and keeps
// its checkpoints.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/system/process.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/command/command_options.h"
#include "experiments/attempt/command/output/bounded_log.h"
#include "experiments/attempt/command/output/line_tail.h"
#include "experiments/attempt/command/output/reported_line.h"
#include "experiments/attempt/command/output/stdout_pattern.h"
#include "experiments/attempt/command/process_tree.h"
#include "experiments/attempt/command/secrets.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"

namespace rethink {

class ProgramTrial {
 public:
  ProgramTrial(const CommandOptions& options, JobContext& context);
  ~ProgramTrial();

  JobOutcome run();

 private:
  /// A metric of the option `metrics`, over all attempts of the trial.
  struct Wanted {
    bool more_is_better = true;
    std::optional<int64_t> step;  // step of the last value; none before the first
    double last = 0, best = 0;
    bool was_not_finite = false;  // at any step, where NaN is not ignored
  };

  /// A metric of the option `stdout`.
  struct Printed {
    ReportedMetric metric;
    std::string text;  // of the expression
    StdoutPattern pattern;
    int64_t lines = 0;                 // lines that had a value
    StdoutPattern::PartlyRead partly;  // the first number that was left out; `whole` is empty: none
  };
  /// Number of metrics that are kept per time, after a burst.
  class Thinning {
   public:
    bool keeps(uint64_t bytes_said);
    size_t dropped() const { return dropped_; }

   private:
    double allowed_ = kBurst;
    double since_s_ = monotonic_seconds();
    size_t dropped_ = 0;
    static constexpr double kBurst = 100'000, kEachSecond = 1'000;
  };

  JobOutcome run_program();
  std::filesystem::path trial_folder() const;
  std::string commit() const;
  void resume();
  void prepare_folders();
  void require_planned_data() const;
  void remove_folders(const std::filesystem::path& attempt) const;
  std::map<std::string, std::string> environment() const;
  std::vector<std::string> words() const;
  std::string value_of(const std::string& placeholder) const;
  size_t number_of_gpus() const;
  std::optional<std::string> setting(const std::string& name) const;
  Json settings() const;

  void wait_for_end(ProcessTree& tree);
  bool read_output(const ProcessTree& tree);
  void keep_output(const std::string& text);
  void keep_errors(const std::string& text);
  void write_stop_file() const;
  void give_sign_of_life();
  bool read_reports();
  void queue_reports();
  bool is_reported_again(const ReportedCheckpoint& checkpoint);
  void take_event(const std::string& line);
  void take_printed(std::string text);
  void find_metrics(const std::string& line);
  bool is_kept();
  void take(const ReportedMetric& metric);
  void take(const ReportedTick& tick);
  void take(const ReportedCheckpoint& checkpoint);
  void keep_checkpoint(int64_t step, const std::filesystem::path& copy);
  void remove_dropped_copies(const std::filesystem::path& folder) const;
  void take(const ReportedArtifact& artifact);
  void take(const ReportedText& text);
  void take(const ReportedImage& image);
  void take(const ReportedEnvironment& environment);
  void take(const ReportedOutsideFiles& outside);
  void take(const ReportedDone& done);
  void warn(const std::string& text);
  std::filesystem::path reported_path(const std::filesystem::path& given) const;
  std::filesystem::path reported_file(const std::filesystem::path& given);

  JobOutcome outcome(int status);
  void warn_at_end();
  void require_metrics() const;
  std::string reported_names(const std::vector<std::string>& missing) const;
  std::string unmatched_patterns() const;
  void report_metrics();

  const CommandOptions& options_;
  JobContext& context_;
  const std::filesystem::path snapshot_;  // the kept code; empty: none
  const std::filesystem::path work_, scratch_, reports_file_, config_file_, stop_file_;
  // Checkpoint from which the attempt continues: the kept file, and the program's own copy; empty:
  // from the beginning.
  std::filesystem::path kept_checkpoint_, checkpoint_;
  mutable std::string port_;  // empty: not asked for yet
  std::map<std::string, Wanted> wanted_;
  std::set<std::string> others_;  // reported metrics beside `wanted`
  std::set<std::filesystem::path>
      reported_files_;                    // files and folders of its artifacts, images, checkpoints
  std::set<std::string> long_texts_;      // names of texts that were cut
  std::deque<std::string> queued_lines_;  // of its events: read and not taken yet
  size_t queued_bytes_ = 0;
  std::map<std::filesystem::path, size_t>
      queued_checkpoints_;         // reports of each folder in the queue
  bool has_more_reports_ = false;  // beyond the queue
  std::optional<LineTail> reports_;
  OomWatch oom_;
  SecretFilter output_filter_, error_filter_;
  FileDescriptor errors_;  // the file of its standard error, from the first byte on
  BoundedLog output_log_, error_log_;
  std::string error_rest_, last_error_line_, printed_rest_;
  std::vector<Printed> printed_;
  size_t printed_lines_ = 0;
  Thinning thinning_;
  bool output_is_open_ = true, error_is_open_ = true;
  bool has_ticked_ = false, has_spoken_ = false;
  uint64_t bytes_heard_ = 0;  // of its events, at the last sign of life
  const double begun_s_ = monotonic_seconds();
  double last_sign_s_ = begun_s_;
  size_t warnings_ = 0, wrong_lines_ = 0, copies_ = 0, images_ = 0;
  int64_t resume_step_ = 0;
  int64_t checkpoint_step_ = -1;  // of this attempt's last checkpoint
  bool is_done_ = false, was_stopped_ = false;
};

}  // namespace rethink
