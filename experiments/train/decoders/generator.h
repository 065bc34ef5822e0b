// Text that a language model writes, or that a translation model makes of another.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/train/decoders/decoder_files.h"

namespace rethink {

struct GenerateOptions {
  uint64_t seed = 0;
  int64_t tokens = 0;        // at most so many new ones; 0: up to the length that was learned
  double temperature = 1.0;  // of the drawn token's distribution; 0: always the likeliest
};

class Generator {
 public:
  virtual ~Generator() = default;
  /// A line for each. `first`: the number of the first among all that are asked for, so that equal lines
  /// are drawn apart. Throws ConfigError where a line cannot be gone on with.
  virtual std::vector<std::string> lines(const std::vector<std::string>& given, uint64_t first) = 0;
};

/// Of a language model, which goes on with a line, drawing token after token by Philox from (seed, the line's
/// number); or of a translation model, which translates it by the beam search of its trial. On the CPU.
std::unique_ptr<Generator> make_generator(DecoderFiles files, const GenerateOptions& options);

}  // namespace rethink
