// What a language model keeps of a stream between the batches that it reads it in.
#pragma once

#include <cstdint>
#include <memory>

#include "models/decoder.h"

namespace rethink {

class State;

class StreamMemory {
 public:
  /// Empty. The model, which is on `device`, must outlive it.
  StreamMemory(const DecoderLanguageModel& model, at::Device device)
      : model_(model), device_(device) {}

  /// For a batch of `rows`, which go on where the first rows of the last batch ended; `begins`: where
  /// the stream does, and nothing stands before them. No gradient goes back into what is kept.
  /// Requires: the model keeps something (new_memory()).
  DecodingState* before(int64_t rows, bool begins);
  /// What the newest batch was given, as it is now; null before the first.
  const DecodingState* newest() const { return state_.get(); }
  void visit(State& state);

 private:
  /// Empty, of no batch.
  void forget();

  const DecoderLanguageModel& model_;
  const at::Device device_;
  std::unique_ptr<DecodingState> state_;
  int64_t rows_ = 0;  // of the newest batch
};

}  // namespace rethink
