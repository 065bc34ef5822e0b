// Jobs of the store's pilots, as far as the store's folders and the queues of their sites know them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/store_files/lease.h"
#include "experiments/site/site.h"
#include "results/folders/pilot_sets.h"

namespace rethink {

class PilotJobs {
 public:
  /// `own`: the site of the job in which this process runs.
  PilotJobs(std::filesystem::path store, Site own);

  /// Returns whether the job of a claim has ended, or has begun again since. Asks the queue of the site that has the job,
  /// which may not be this pilot's. If several sites have a job of this name, all of these jobs must have ended. False if
  /// a queue does not answer.
  bool has_ended(const Lease& lease);

  std::optional<double> end_time(const std::string& job) { return engines_.of(own_).end_time(job); }
  bool requeue(const std::string& job) { return engines_.of(own_).requeue(job); }

 private:
  bool has_ended_in(const PilotSet& set, const Lease& lease);
  const Site& site_of(const PilotSet& set);
  bool is_ended(const Site& site, const std::string& job);

  std::filesystem::path store_;
  Site own_;
  Engines engines_;
  std::map<std::string, Site> sites_;  // by the set's name
};

}  // namespace rethink
