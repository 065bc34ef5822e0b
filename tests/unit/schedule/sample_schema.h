// A small world of jobs and plug-ins for planner tests: pretrain -> learn_mask -> finetune, and select.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/registry.h"

namespace rethink::sample {

struct Nothing {};
using Plugins = Registry<Nothing>;

struct NoOptions {
  void fields(Fields&) {}
};

struct StarOptions {
  int64_t width = 1;
  void fields(Fields& field) { field("width", width, "tokens that see all [tokens]").min(1); }
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
    field("rate", rate, "multiplies the diagonal").min(0);
  }
};

struct DenseOptions {
  double dropout = 0.1;
  void fields(Fields& field) { field("dropout", dropout, "of attention weights").min(0).below(1); }
};

struct FilesOptions {
  std::string path;
  void fields(Fields& field) { field("path", path, "text file").required(); }
};

struct ModelOptions {
  int64_t layers = 2, d_model = 128, heads = 2;
  double dropout = 0.1;
  Choice<"attention", "kind"> attention{.name = "dense"};
  void fields(Fields& field) {
    field("layers", layers, "number of layers").min(1);
    field("d_model", d_model, "width").min(1);
    field("heads", heads, "attention heads").min(1);
    field("dropout", dropout, "of hidden states").min(0).below(1);
    field("attention", attention, "attention variant");
  }
  static std::vector<Rule> rules() {
    return {{"divides", {"heads", "d_model"}, "'heads' must divide 'd_model'"}};
  }
};

struct OptimizerOptions {
  std::string name = "adam";
  double lr = 1e-4;
  void fields(Fields& field) {
    field("name", name, "update rule").one_of({"adam", "adamw"});
    field("lr", lr, "learning rate").above(0);
  }
};

struct TrainOptions {
  Choice<"dataset", "dataset"> data{.name = "toy"};
  ModelOptions model;
  OptimizerOptions optimizer;
  std::optional<int64_t> steps, epochs;
  int64_t batch = 8;
  std::vector<int64_t> sizes;
  bool shuffle = true;
  std::string note;
  void fields(Fields& field) {
    field("data", data, "what to learn");
    field("model", model, "model");
    field("optimizer", optimizer, "optimizer");
    field("steps", steps, "updates").min(1);
    field("epochs", epochs, "passes over the data").min(1);
    field("batch", batch, "examples a step").min(1);
    field("sizes", sizes, "a list of numbers");
    field("shuffle", shuffle, "order of examples");
    field("note", note, "not part of what a trial is").not_hashed();
  }
  static std::vector<Rule> rules() {
    return {{"at_most_one",
             {"steps", "epochs"},
             "'steps' beside 'epochs': give one of them, or null for the other"}};
  }
};

struct SelectLabel {
  std::string axis, value;
  void fields(Fields& field) {
    field("axis", axis, "axis").required();
    field("value", value, "value").required();
  }
};

struct SelectGroup {
  std::vector<SelectLabel> labels;
  std::vector<std::string> trials;
  void fields(Fields& field) {
    field("labels", labels, "the point").not_hashed();
    field("trials", trials, "ids").required();
  }
};

struct SelectOptions {
  std::vector<std::string> over;
  std::string by, direction = "max";
  std::vector<SelectGroup> groups;
  void fields(Fields& field) {
    field("over", over, "axes to choose on").not_hashed();
    field("by", by, "metric").required();
    field("direction", direction, "which wins").one_of({"max", "min"});
    field("groups", groups, "written by plan");
  }
};

inline std::shared_ptr<Nothing> make_nothing() {
  return std::make_shared<Nothing>();
}

template <typename Options>
void add(Plugins& plugins, About about) {
  plugins.add<Options>(std::move(about), [](const Options&) { return make_nothing(); });
}

inline const Schema& schema() {
  static const Schema made = [] {
    static Plugins masks("mask", "masks"), attentions("attention", "attention"),
        datasets("dataset", "datasets"), sample_jobs("sample_job", "jobs");
    add<NoOptions>(masks, {.name = "none", .summary = "all pairs"});
    add<StarOptions>(masks, {.name = "star", .summary = "one hub"});
    add<NoOptions>(masks, {.name = "strided", .summary = "every other"});
    add<DenseOptions>(attentions, {.name = "dense", .summary = "softmax"});
    add<MaskedOptions>(attentions, {.name = "masked", .summary = "softmax over a mask", .revision = 2});
    add<NoOptions>(datasets, {.name = "toy", .summary = "no file", .facts = {{"files", Json::object()}}});
    add<NoOptions>(datasets,
                   {.name = "glue/cola",
                    .summary = "one file",
                    .facts = {{"files", {{"train", {"cola/train.tsv"}}, {"dev", {"cola/dev.tsv"}}}}}});
    add<NoOptions>(datasets,
                   {.name = "glue/rte", .summary = "no file", .facts = {{"files", Json::object()}}});
    add<FilesOptions>(datasets,
                      {.name = "text", .summary = "any file", .facts = {{"file_options", {"path"}}}});
    const Json weights = Json::array({"weights"});
    add<TrainOptions>(sample_jobs,
                      {.name = "pretrain",
                       .summary = "trains",
                       .facts = {{"inputs", Json::object()}, {"outputs", weights}, {"seeded", true}}});
    add<TrainOptions>(
        sample_jobs, {.name = "learn_mask",
                      .summary = "learns a mask",
                      .facts = {{"inputs", {{"init", "weights"}}}, {"outputs", {"mask"}}, {"seeded", true}}});
    add<TrainOptions>(sample_jobs, {.name = "finetune",
                                    .summary = "trains further",
                                    .facts = {{"inputs", {{"init", "weights"}, {"mask", "mask"}}},
                                              {"outputs", weights},
                                              {"seeded", true}}});
    add<SelectOptions>(
        sample_jobs,
        {.name = "select",
         .summary = "chooses",
         .facts = {{"inputs", {{"from", "trials"}}}, {"outputs", {"inputs"}}, {"seeded", false}}});
    Schema all = schema_of_this_program("test");
    all.plugins["job"] = all.plugins["sample_job"];
    for (auto& [name, job] : all.plugins["job"]) job.registry = "job";
    return all;
  }();
  return made;
}

}  // namespace rethink::sample
