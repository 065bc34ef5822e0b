// The engine `local`: pilots as background processes of this machine, each in its own session. A job's id is
// "<pid>.<start time>".
#pragma once

#include "experiments/site/site.h"

namespace rethink {

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(Site site) : site_(std::move(site)) {}
  std::vector<std::string> submit(const PilotCommand& pilot, int count) override;
  std::map<std::string, JobStatus> states(const std::vector<std::string>& jobs) override;
  void cancel(const std::vector<std::string>& jobs) override;

 private:
  Site site_;
};

/// The job of a pilot that is this process.
std::string local_job();

}  // namespace rethink
