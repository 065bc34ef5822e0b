// Common parts of synthetic labelled data sets: made-up sentences whose label depends on words far
// apart. dev and test have a tenth as many examples as train. A part of the labels is noise, so
// that no model reaches 100 %.
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

/// Returns an example with its true label.
using MakeExample =
    std::function<LabelledExample(const SyntheticLabelledOptions&, PhiloxStream& random)>;

/// Registers synthetic_labelled/NAME. Noise replaces a class or a choice by a random one. Scores
/// get no noise.
bool add_synthetic_labelled(const std::string& name, const std::string& summary,
                            const LabelledTask& task, const MakeExample& make);

/// Returns `count` draws from the `words` words that start at number `first`.
std::vector<std::string> synthetic_words(int64_t count, uint64_t first, int64_t words,
                                         PhiloxStream& random);

}  // namespace rethink
