// Parses the words of a worker's command, which the driver passes on unchanged.
#pragma once

#include <boost/program_options.hpp>

#include <string>
#include <vector>

namespace rethink {

/// Returns the words parsed by `options`. A word without a name is the value of `positional`.
/// Throws ConfigError, which names the command.
boost::program_options::variables_map worker_words(
    const std::string& command, const std::vector<std::string>& words,
    const boost::program_options::options_description& options, const std::string& positional);

}  // namespace rethink
