// A tokenizer that separates words at white space, for text that is already tokenized.
#include "datasets/tokenizers/tokenizer.h"

namespace rethink {
namespace {

class SpaceTokenizer : public Tokenizer {
 public:
  std::vector<std::string> tokenize(std::string_view line) const override {
    constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";
    std::vector<std::string> words;
    for (size_t begin = line.find_first_not_of(kWhiteSpace); begin != std::string_view::npos;) {
      const size_t end = std::min(line.size(), line.find_first_of(kWhiteSpace, begin));
      words.emplace_back(line.substr(begin, end - begin));
      begin = line.find_first_not_of(kWhiteSpace, end);
    }
    return words;
  }
};

RETHINK_REGISTERED = tokenizers().add<NoFields>(
    {.name = "space", .summary = "words between white space, for text that is tokenized already"},
    [](const NoFields&) { return std::make_shared<SpaceTokenizer>(); });

}  // namespace
}  // namespace rethink
