#include "app/worker/worker_words.h"

#include "core/error.h"

namespace rethink {

namespace po = boost::program_options;

po::variables_map worker_words(const std::string& command, const std::vector<std::string>& words,
                               const po::options_description& options,
                               const std::string& positional) {
  po::positional_options_description places;
  places.add(positional.c_str(), 1);
  po::variables_map given;
  try {
    po::store(po::command_line_parser(words).options(options).positional(places).run(), given);
  } catch (const po::error& error) {
    throw ConfigError("wrong-arguments", command + ": " + error.what());
  }
  return given;
}

}  // namespace rethink
