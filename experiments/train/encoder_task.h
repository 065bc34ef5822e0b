// What the tasks of fine-tuned encoders have in common, seen from their job.
#pragma once

#include <string>
#include <vector>

#include "experiments/train/task.h"
#include "models/encoder.h"

namespace rethink {

class EncoderTask : public Task {
 public:
  virtual Encoder& encoder() = 0;
  /// Training examples that are used, and that the data set has without a limit.
  virtual size_t train_size() const = 0;
  virtual size_t whole_train_size() const = 0;
  /// The class of transformers that has this head, and names of its classes.
  virtual std::string architecture() const = 0;
  virtual std::vector<std::string> label_names() const { return {}; }
};

}  // namespace rethink
