#include "experiments/attempt/attempt_request.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>

#include "core/json.h"

namespace rethink {
namespace {

Json runtime_to_json(const Runtime& runtime) {
  Json json{{"threads", runtime.threads},
            {"deterministic", runtime.deterministic},
            {"device", runtime.device},
            {"attention", runtime.attention},
            {"data", runtime.data.string()},
            {"cache", runtime.cache.string()},
            {"keep_weights", runtime.keep_weights},
            {"gpus", runtime.gpus},
            {"grace_s", runtime.grace_s},
            {"checkout", runtime.checkout.string()}};
  if (runtime.checkpoint_every_s) json["checkpoint_every_s"] = *runtime.checkpoint_every_s;
  if (runtime.stall_s) json["stall_s"] = *runtime.stall_s;
  return json;
}

Runtime runtime_from_json(const Json& json) {
  Runtime runtime;
  runtime.threads = json.at("threads");
  runtime.deterministic = json.at("deterministic");
  runtime.device = json.at("device");
  runtime.attention = json.value("attention", runtime.attention);
  runtime.data = json.at("data").get<std::string>();
  runtime.cache = json.at("cache").get<std::string>();
  runtime.keep_weights = json.at("keep_weights");
  if (json.contains("checkpoint_every_s"))
    runtime.checkpoint_every_s = json.at("checkpoint_every_s").get<int64_t>();
  runtime.gpus = json.value("gpus", runtime.gpus);
  runtime.grace_s = json.value("grace_s", runtime.grace_s);
  runtime.checkout = json.value("checkout", "");
  if (json.contains("stall_s")) runtime.stall_s = json.at("stall_s").get<double>();
  return runtime;
}

}  // namespace

Json to_json(const AttemptRequest& request) {
  Json json{{"trial", request.trial.string()},
            {"store", request.store.string()},
            {"runtime", runtime_to_json(request.runtime)},
            {"cores", request.cores}};
  if (request.gpu) json["gpu"] = *request.gpu;
  if (request.claim) {
    json["claim"] = {{"attempt", request.claim->attempt},
                     {"job", request.claim->job},
                     {"restart", request.claim->restart}};
  }
  return json;
}

AttemptRequest request_from_json(const Json& json) {
  try {
    AttemptRequest request;
    request.trial = json.at("trial").get<std::string>();
    request.store = json.at("store").get<std::string>();
    request.runtime = runtime_from_json(json.at("runtime"));
    request.cores = json.at("cores").get<std::vector<int>>();
    if (json.contains("gpu")) request.gpu = json.at("gpu").get<std::string>();
    if (json.contains("claim")) {
      const Json& claim = json.at("claim");
      request.claim = AttemptClaim{claim.at("attempt"), claim.at("job"), claim.at("restart")};
    }
    return request;
  } catch (const Json::exception& error) {
    throw ConfigError("invalid-json", "got " + json.dump() +
                                          ", expected a request for an attempt: " + error.what());
  }
}

AttemptOutcome outcome_of(int status, bool oom_killed) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) return oom_killed ? AttemptOutcome::oom : AttemptOutcome::killed;
    const bool asked = signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
    return asked ? AttemptOutcome::killed : AttemptOutcome::failed;
  }
  switch (static_cast<AttemptExit>(WEXITSTATUS(status))) {
    case AttemptExit::done:
      return AttemptOutcome::done;
    case AttemptExit::diverged:
      return AttemptOutcome::diverged;
    case AttemptExit::interrupted:
    case AttemptExit::disk_full:
    case AttemptExit::disk_error:
      return AttemptOutcome::interrupted;
    case AttemptExit::no_resources:
      return AttemptOutcome::lost;
    case AttemptExit::fenced:
      return AttemptOutcome::fenced;
    case AttemptExit::oom:
      return AttemptOutcome::oom;
    case AttemptExit::killed:
      return AttemptOutcome::killed;
    case AttemptExit::failed:
      break;
  }
  return AttemptOutcome::failed;
}

MachineFault fault_of(int status) {
  if (!WIFEXITED(status)) return MachineFault::none;
  switch (static_cast<AttemptExit>(WEXITSTATUS(status))) {
    case AttemptExit::disk_full:
      return MachineFault::disk_full;
    case AttemptExit::disk_error:
      return MachineFault::disk;
    case AttemptExit::no_resources:
      return MachineFault::resources;
    default:
      return MachineFault::none;
  }
}

}  // namespace rethink
