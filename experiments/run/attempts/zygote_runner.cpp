#include "experiments/run/attempts/zygote_runner.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <thread>

#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/command/process_tree.h"

namespace rethink {

ZygoteRunner::ZygoteRunner(std::filesystem::path worker, std::string build_id)
    : worker_(std::move(worker)), build_id_(std::move(build_id)) {}

void ZygoteRunner::prepare() {
  zygote(Kind::cpu);
}

ZygoteRunner::Zygote& ZygoteRunner::zygote(Kind kind) {
  Zygote& zygote = zygotes_[kind];
  if (!zygote.client) {
    ZygoteClient::Options options;
    options.program =
        kind == Kind::program ? std::filesystem::read_symlink("/proc/self/exe") : worker_;
    if (kind == Kind::cuda) options.arguments.push_back("--cuda");
    if (kind != Kind::program) options.build_id = build_id_;
    zygote.client = std::make_unique<ZygoteClient>(std::move(options));
  }
  return zygote;
}

void ZygoteRunner::start(const std::string& trial, const AttemptRequest& request) {
  const Kind kind = request.without_libtorch ? Kind::program : request.gpu ? Kind::cuda : Kind::cpu;
  Zygote& chosen = zygote(kind);
  const int64_t ticket = chosen.client->fork_attempt(request);
  kill_point("after_start_request");
  chosen.trials[ticket] = trial;
  places_[trial] = {kind, ticket, /*orphan=*/false, request.trial};
}

void ZygoteRunner::adopt(const std::string& trial, const std::filesystem::path& folder) {
  const Kind kind = zygotes_.empty() ? Kind::program : zygotes_.begin()->first;  // any zygote
  Zygote& chosen = zygote(kind);
  const int64_t ticket = chosen.client->adopt(TrialFolder(folder));
  chosen.trials[ticket] = trial;
  places_[trial] = {kind, ticket, /*orphan=*/true, folder};
}

std::string ZygoteRunner::stop(const std::string& trial, bool now) {
  const auto place = places_.find(trial);
  if (place == places_.end()) return "";
  return zygote(place->second.kind).client->stop(place->second.ticket, now ? SIGKILL : SIGTERM);
}

std::vector<RunnerEvent> ZygoteRunner::poll(std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds kShare{20};  // with several zygotes, each waits in turn
  std::vector<RunnerEvent> events;
  if (zygotes_.empty()) std::this_thread::sleep_for(timeout);
  for (auto& [kind, zygote] : zygotes_) {
    const auto patience = zygotes_.size() == 1 ? timeout : std::min(timeout, kShare);
    collect(zygote, events.empty() ? patience : std::chrono::milliseconds(0), events);
  }
  return events;
}

void ZygoteRunner::collect(Zygote& zygote, std::chrono::milliseconds timeout,
                           std::vector<RunnerEvent>& events) {
  for (const ZygoteEvent& said : zygote.client->poll(timeout)) {
    const auto trial = zygote.trials.find(said.ticket);
    if (said.kind != ZygoteEvent::Kind::ended || trial == zygote.trials.end()) continue;
    RunnerEvent event;
    event.trial = trial->second;
    event.status = said.status;
    event.status_known = said.status_known;
    event.oom_killed = said.oom_killed;
    event.refused = said.refused;
    event.zygote_gone = !said.status_known && !said.refused && !places_.at(event.trial).orphan;
    event.message = said.message;
    // A killed worker could not end the program that it ran.
    if (!said.status_known || WIFSIGNALED(said.status))
      kill_programs_of(places_.at(event.trial).folder);
    places_.erase(event.trial);
    zygote.trials.erase(trial);
    events.push_back(std::move(event));
  }
}

}  // namespace rethink
