// Attempts as children of zygotes on this machine: one for CPU attempts, one for GPU attempts on
// first need.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "experiments/attempt/zygote/zygote_client.h"
#include "experiments/run/runner.h"

namespace rethink {

class ZygoteRunner : public Runner {
 public:
  /// `worker`: rethink-worker. `build_id`: that it must have. The first zygote starts to load at
  /// once.
  ZygoteRunner(std::filesystem::path worker, std::string build_id);

  void start(const std::string& trial, const AttemptRequest& request) override;
  void adopt(const std::string& trial, const std::filesystem::path& folder) override;
  std::string stop(const std::string& trial, bool now) override;
  std::vector<RunnerEvent> poll(std::chrono::milliseconds timeout) override;

 private:
  struct Zygote {
    std::unique_ptr<ZygoteClient> client;
    std::map<int64_t, std::string> trials;  // by ticket
  };
  struct Place {
    bool gpu = false;
    int64_t ticket = 0;
    bool orphan = false;
  };
  Zygote& zygote(bool gpu);
  void collect(Zygote& zygote, std::chrono::milliseconds timeout, std::vector<RunnerEvent>& events);

  std::filesystem::path worker_;
  std::string build_id_;
  Zygote cpu_, gpu_;
  std::map<std::string, Place> places_;  // by trial
};

}  // namespace rethink
