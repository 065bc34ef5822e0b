// What a job that ended left in its log.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// The last lines of the job's log, joined by "; "; "" where there is no log.
std::string end_of_job_log(const std::filesystem::path& log);

}  // namespace rethink
