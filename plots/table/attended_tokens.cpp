#include "plots/table/attended_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

AttendedSentence sentence_of(const Json& json) {
  return {json.at("tokens"), json.at("unknown"), json.at("target"), json.at("layers")};
}

/// Throws ConfigError unless every place is one of the sentence's.
void check(const AttendedSentence& sentence) {
  const size_t places = sentence.tokens.size();
  const auto refuse = [](const std::string& what) { throw ConfigError(what); };
  if (sentence.target == 0 || sentence.target >= places)
    refuse(fmt::format("target {} of {} tokens", sentence.target, places));
  for (const auto& layer : sentence.layers) {
    if (layer.size() + 1 != places)
      refuse(fmt::format("a layer of {} places for {} tokens", layer.size(), places));
    for (const AttendedSentence::Attended& attended : layer) {
      for (const auto& [place, weight] : attended) {
        if (place >= places) refuse(fmt::format("place {} of {} tokens", place, places));
      }
    }
  }
}

}  // namespace

std::vector<AttendedSentence> read_attended_tokens(const std::filesystem::path& file) {
  const Json json = read_json(file);
  std::vector<AttendedSentence> sentences;
  try {
    for (const Json& one : json.at("sentences")) {
      sentences.push_back(sentence_of(one));
      check(sentences.back());
    }
  } catch (const std::exception& error) {  // nlohmann's or ours
    throw ConfigError(fmt::format("{}: {}; expected what the analysis attended_tokens leaves",
                                  file.string(), error.what()));
  }
  return sentences;
}

}  // namespace rethink
