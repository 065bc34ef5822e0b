#include "experiments/attempt/job.h"

#include <algorithm>

#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {

JobRegistry& jobs() {
  static JobRegistry registry("job", "experiments/train/jobs");
  return registry;
}

const Artifact* JobContext::input(const std::string& slot) const {
  const auto found = inputs.find(slot);
  return found == inputs.end() || found->second.empty() ? nullptr : &found->second.front();
}

std::filesystem::path JobContext::artifact_file(const std::string& name) const {
  std::filesystem::create_directories(artifacts);
  return artifacts / name;
}

void JobContext::add_artifact(const std::string& name, const std::string& kind,
                              const std::filesystem::path& file, Json facts) {
  const std::string inside = file.lexically_relative(artifacts).string();
  RETHINK_ASSERT(!inside.empty() && !inside.starts_with(".."),
                 file.string() + " is not in " + artifacts.string());
  sync_file(file);
  kill_point("after_artifact_sync");
  sync_folder(file.parent_path());
  const auto is_same = [&](const Artifact& other) {
    return other.name == name && other.seed == trial.seed;
  };
  RETHINK_ASSERT(std::ranges::none_of(published, is_same), "two artifacts named " + name);
  const TrialFolder folder(artifacts.parent_path());
  Artifact artifact{name,
                    kind,
                    folder.artifacts() / inside,
                    sha256_file(file),
                    std::filesystem::file_size(file),
                    std::move(facts),
                    trial.seed};
  Json event = to_json(artifact, folder.path());
  event["event"] = to_text(EventKind::artifact);
  events.write(event);
  published.push_back(std::move(artifact));
}

}  // namespace rethink
