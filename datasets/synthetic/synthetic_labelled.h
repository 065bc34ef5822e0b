// What labelled data sets that need no file have in common: made-up sentences, as many dev and test
// examples as a tenth of the training examples each, and a label that only words far apart decide
// together. A part of the labels is noise, so that nobody reaches 100 %.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"
#include "datasets/synthetic/synthetic_words.h"

namespace rethink {

struct SyntheticLabelledOptions : LabelledOptions {
  int64_t examples = 2000;
  int64_t words = 60;
  int64_t length = 12;
  double noise = 0.02;
  int64_t seed = 1;

  void fields(Fields& field);
};

/// Makes one example with its true label.
using MakeExample =
    std::function<LabelledExample(const SyntheticLabelledOptions&, PhiloxStream& random)>;

/// Registers synthetic_labelled/NAME. Noise replaces a class or a choice by a random one, and
/// leaves scores alone.
bool add_synthetic_labelled(const std::string& name, const std::string& summary,
                            const LabelledTask& task, const MakeExample& make);

/// `count` words drawn from `words` that begin at number `first`.
std::vector<std::string> synthetic_words(int64_t count, uint64_t first, int64_t words,
                                         PhiloxStream& random);

}  // namespace rethink
