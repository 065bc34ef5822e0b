// Engines that submit to a queue by shell commands. Slurm's commands are built in; sites.yaml may have those of another
// queue.
#pragma once

#include <set>

#include "experiments/site/site.h"

namespace rethink {

/// The commands of one kind of queue. Each is run by bash; {name}, {log}, {options}, {job} and {jobs} in it are replaced
/// by words for the shell.
struct Queue {
  std::string submit;  // reads the job's script from standard input, prints the job's id
  std::string brief;   // options for a job that ends within a minute
  std::string states;  // prints "JOB STATE REASON..." for each of {jobs} that the queue knows
  std::string cancel;
  std::string requeue;  // puts a job that runs back into the queue; empty: there is no such thing
  std::string
      job_lines;  // of the job's script, first: exports RETHINK_JOB and, if it is known, RETHINK_JOB_END
  std::string log_name;                   // of a job's output in the folder of logs
  std::string between_jobs;               // in {jobs}
  std::map<std::string, JobState> words;  // of STATE; other words mean that the job has ended
  std::vector<std::string> away;  // texts of a command's message if the queue cannot be reached
  std::vector<std::string>
      job_unknown;  // texts of the message if the queue no longer knows the job
};
Queue slurm_queue();
/// The queue that sites.yaml describes (engine: commands).
Queue queue_of(const Site& site);

class QueueEngine : public Engine {
 public:
  QueueEngine(Site site, Queue queue) : site_(std::move(site)), queue_(std::move(queue)) {}
  std::vector<std::string> submit(const PilotCommand& pilot, int count) override;
  std::map<std::string, JobStatus> states(const std::vector<std::string>& jobs) override;
  void cancel(const std::vector<std::string>& jobs) override;
  std::optional<double> end_time(const std::string& job) override;
  bool requeue(const std::string& job) override;

 private:
  std::string submit_one(const PilotCommand& pilot);
  std::map<std::string, JobStatus> ask(const std::vector<std::string>& jobs) const;

  Site site_;
  Queue queue_;
  // The queue's last answer, until it is `site_.ask_every_s` old, and longer while the queue does not answer.
  std::map<std::string, JobStatus> answer_{};
  double next_question_s_ = 0;
  int failures_ = 0;
};

}  // namespace rethink
