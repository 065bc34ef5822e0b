// Runs attempts as children of zygotes on this machine: one for CPU attempts, one for GPU attempts and one, without
// LibTorch, for attempts that run a user's program. Each starts when it is first needed.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "experiments/attempt/zygote/zygote_client.h"
#include "experiments/run/attempts/runner.h"

namespace rethink {

class ZygoteRunner : public Runner {
 public:
  /// `worker` is the path of rethink-worker, and `build_id` its required build. A user's programs
  /// run below this program itself (serve_programs in experiments/attempt/worker_main.h).
  ZygoteRunner(std::filesystem::path worker, std::string build_id);

  /// Starts the zygote for CPU attempts, which begins to load LibTorch.
  void prepare();

  void start(const std::string& trial, const AttemptRequest& request) override;
  void adopt(const std::string& trial, const std::filesystem::path& folder) override;
  std::string stop(const std::string& trial, bool now) override;
  std::vector<RunnerEvent> poll(std::chrono::milliseconds timeout) override;

 private:
  enum class Kind { cpu, cuda, program };
  struct Zygote {
    std::unique_ptr<ZygoteClient> client;
    std::map<int64_t, std::string> trials;  // by ticket
  };
  struct Place {
    Kind kind = Kind::cpu;
    int64_t ticket = 0;
    bool orphan = false;
    std::filesystem::path folder{};
  };
  Zygote& zygote(Kind kind);
  void collect(Zygote& zygote, std::chrono::milliseconds timeout, std::vector<RunnerEvent>& events);

  std::filesystem::path worker_;
  std::string build_id_;
  std::map<Kind, Zygote> zygotes_;
  std::map<std::string, Place> places_;  // by trial
};

}  // namespace rethink
