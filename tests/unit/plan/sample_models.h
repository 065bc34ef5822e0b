// The options of the sample models, their attention and its masks (sample_schema.h).
#pragma once

#include <string>
#include <vector>

#include "core/config/options.h"

namespace rethink::sample {

struct StarOptions {
  int64_t width = 1;
  void fields(Fields& field) { field("width", width, "tokens that see all [tokens]").min(1); }
};

struct DrawnOptions {
  int64_t seed = 0, width = 1;
  void fields(Fields& field) {
    field("seed", seed, "of the draw").min(0).may_follow_seed();
    field("width", width, "tokens [tokens]").min(1);
  }
};

struct MaskCommon {
  bool diagonal = true;
  void fields(Fields& field) { field("diagonal", diagonal, "whether a token sees itself"); }
};

struct MaskedOptions {
  Choice<"mask", "kind", MaskCommon> mask{.name = "none"};
  double rate = 1.0;
  void fields(Fields& field) {
    field("mask", mask, "which pairs are kept");
    field("rate", rate, "multiplies the diagonal").min(0).written("gamma");
  }
};

struct DenseOptions {
  double dropout = 0.1;
  void fields(Fields& field) { field("dropout", dropout, "of attention weights").min(0).below(1); }
};

struct MemoryOptions {
  int64_t memory = 100;
  void fields(Fields& field) { field("memory", memory, "of earlier segments [tokens]").min(0); }
};

struct ClusterOptions {
  std::string assignment = "nearest";
  void fields(Fields& field) {
    field("assignment", assignment, "of tokens to clusters").one_of({"nearest", "balanced"});
  }
};

struct ModelOptions {
  int64_t layers = 2, d_model = 128, heads = 2;
  double dropout = 0.1;
  bool tied = false;
  Choice<"attention", "kind"> attention{.name = "dense"};
  void fields(Fields& field) {
    field("layers", layers, "number of layers").min(1).shapes();
    field("d_model", d_model, "width").min(1).shapes();
    field("heads", heads, "attention heads").min(1);
    field("dropout", dropout, "of hidden states").min(0).below(1);
    field("tied", tied, "output and embedding are one").absent_means(false).shapes();
    field("attention", attention, "attention variant").shapes();
  }
  static std::vector<Rule> rules() {
    return {divides("heads", "d_model", "'heads' must divide 'd_model'")};
  }
};

/// Options of a model that may look ahead.
struct EncoderOptions {
  Choice<"attention", "kind"> attention{.name = "dense"};
  void fields(Fields& field) { field("attention", attention, "attention variant"); }
};

/// Options of a model that may not look ahead, and whose layers may differ.
struct DecoderOptions {
  struct Place {
    std::vector<int64_t> layers;
    void fields(Fields& field) { field("layers", layers, "which layers"); }
  };
  struct Placement {
    std::vector<Choice<"attention", "kind", Place>> at;
    void fields(Fields& field) { field("at", at, "variants of single layers"); }
  };
  Choice<"attention", "kind", Placement> attention{.name = "dense"};
  void fields(Fields& field) { field("attention", attention, "attention variant"); }
  static std::vector<Rule> rules() {
    std::vector<Rule> all;
    for (const char* kind : {"attention.kind", "attention.at.kind"})
      all.push_back(has_no_exception(kind, "attention", "causal", "a decoder must not look ahead"));
    return all;
  }
};

struct TranslateOptions {
  Choice<"dataset", "dataset"> data{.name = "toy"};
  EncoderOptions encoder;
  DecoderOptions decoder;
  void fields(Fields& field) {
    field("data", data, "what to learn");
    field("encoder", encoder, "reads");
    field("decoder", decoder, "writes");
  }
};

}  // namespace rethink::sample
