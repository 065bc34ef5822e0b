// Generates text by a language model, or translates text by a translation model.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "experiments/train/decoders/decoder_files.h"

namespace rethink {

struct GenerateOptions {
  uint64_t seed = 0;
  int64_t tokens = 0;        // largest number of new tokens; 0: up to the trained length
  double temperature = 1.0;  // of the distribution of tokens; 0: always the most likely token
};

/// The tokens of the given lines that the model's vocabulary lacks, so that the model read the
/// unknown token in place of each.
struct UnknownTokens {
  size_t count = 0;
  std::set<std::string> different{};
  std::vector<std::string> first{};  // of the different ones
  std::string unit = "word";         // "word", "character" or "byte"

  void add(const std::string& token);
};

class Generator {
 public:
  virtual ~Generator() = default;
  /// Returns the unknown tokens of all lines so far.
  const UnknownTokens& unknown() const { return unknown_; }
  /// Returns one line for each of `given`. `first` is the number of the first line among all requested lines, so that
  /// equal lines get independent draws. Throws ConfigError if a line cannot be continued.
  virtual std::vector<std::string> lines(const std::vector<std::string>& given, uint64_t first) = 0;

 protected:
  UnknownTokens unknown_;
};

/// Returns the generator of a model, on the CPU. A language model continues a line; each token is drawn by Philox from
/// (seed, the line's number). A translation model translates a line by the beam search of its trial.
std::unique_ptr<Generator> make_generator(DecoderFiles files, const GenerateOptions& options);

}  // namespace rethink
