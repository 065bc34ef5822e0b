// A small set of jobs and plug-ins for planner tests: pretrain -> learn_mask -> finetune, and
// select.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/facts/attention_facts.h"
#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/facts/mask_facts.h"
#include "core/facts/metric_facts.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "tests/unit/plan/sample_options.h"

namespace rethink::sample {

struct Nothing {};
template <typename Facts>
using Plugins = Registry<Nothing, Facts>;

inline std::shared_ptr<Nothing> make_nothing() {
  return std::make_shared<Nothing>();
}

template <typename Options, typename Facts>
void add(Plugins<Facts>& plugins, About<std::type_identity_t<Facts>> about) {
  plugins.template add<Options>(std::move(about), [](const Options&) { return make_nothing(); });
}

inline void add_plugins() {
  static Plugins<MaskFacts> masks("mask", "masks");
  static Plugins<AttentionFacts> attentions("attention", "attention");
  static Plugins<DatasetFacts> datasets("dataset", "datasets");
  static Plugins<MetricFacts> metrics("sample_metric", "metrics");
  add<NoOptions>(masks, {.name = "none", .summary = "all pairs"});
  add<DrawnOptions>(masks, {.name = "drawn", .summary = "random pairs"});
  add<StarOptions>(masks, {.name = "star", .summary = "one hub"});
  add<NoOptions>(masks, {.name = "strided", .summary = "every other"});
  const AttentionFacts plain{.weights = "plain"};
  add<DenseOptions>(attentions, {.name = "dense", .summary = "softmax", .facts = plain});
  add<NoOptions>(attentions, {.name = "local", .summary = "of near tokens", .facts = plain});
  add<NoOptions>(attentions, {.name = "given",
                              .summary = "softmax over a mask that a stage leaves",
                              .facts = {.weights = "plain", .reads = {"mask"}}});
  add<MaskedOptions>(attentions,
                     {.name = "masked", .summary = "softmax over a mask", .revision = 2});
  add<MemoryOptions>(attentions, {.name = "remembering",
                                  .summary = "of earlier segments too",
                                  .facts = {.segment_memory = {"memory"}}});
  add<ClusterOptions>(
      attentions,
      {.name = "routed",
       .summary = "within clusters",
       .facts = {.looks_ahead = {{"assignment", {{"balanced", "a cluster takes later ones"}}}}}});
  add<ProtocolOptions>(datasets, {.name = "running", .summary = "lines, or one after the other"});
  add<NoOptions>(datasets, {.name = "toy", .summary = "no file"});
  add<NoOptions>(datasets,
                 {.name = "glue/cola",
                  .summary = "one file",
                  .facts = {.files = {{"train", {"cola/train.tsv"}}, {"dev", {"cola/dev.tsv"}}},
                            .installed = {{"cola/dev.tsv", sha256_hex("dev")}}}});
  add<FewOptions>(
      datasets, {.name = "few", .summary = "ten examples", .facts = {.examples = {{"train", 10}}}});
  add<NoOptions>(datasets, {.name = "glue/rte", .summary = "no file"});
  add<TestSetOptions>(datasets, {.name = "swag",
                                 .summary = "a file that an option asks for",
                                 .facts = {.files = {{"train", {"swag/train.csv"}}},
                                           .files_if = {{"test", {{"test", {"swag/test.csv"}}}}}}});
  add<FilesOptions>(
      datasets,
      {.name = "text", .summary = "any file", .facts = {.file_options = {"path", "more"}}});
  add<NoOptions>(datasets, {.name = "wikitext",
                            .summary = "running text",
                            .facts = {.files = {{"train", {"wiki/train"}}, {"dev", {"wiki/dev"}}},
                                      .once_read = {"bom", "crlf"},
                                      .installed = {{"wiki/dev", sha256_hex("d\r\n")}}}});
  add<NoOptions>(metrics, {.name = "accuracy", .summary = "share that is right"});
  add<NoOptions>(metrics,
                 {.name = "bits", .summary = "of characters", .facts = {.unit = "character"}});
}

inline void add_jobs() {
  static Plugins<JobFacts> sample_jobs("sample_job", "jobs");
  const std::vector<std::string> weights = {"weights"};
  const JobMetrics measured = {.always = {"train/loss"},
                               .splits = "splits",
                               .of = "sample_metric",
                               .units = {{"character", {{"note", {"char"}}}}},
                               .finals = {{"@last", std::nullopt}, {"@shuffled", "shuffle"}}};
  add<TrainOptions>(sample_jobs, {.name = "pretrain",
                                  .summary = "trains",
                                  .facts = {.outputs = weights, .metrics = measured}});
  add<TrainOptions>(
      sample_jobs,
      {.name = "learn_mask",
       .summary = "learns a mask",
       .facts = {.inputs = {{"init", "weights"}}, .outputs = {"mask"}, .required = {"init"}}});
  add<TrainOptions>(sample_jobs, {.name = "finetune",
                                  .summary = "trains further",
                                  .facts = {.inputs = {{"init", "weights"}, {"mask", "mask"}},
                                            .outputs = weights,
                                            .metrics = measured,
                                            .loads_first = {"layers"}}});
  add<TranslateOptions>(
      sample_jobs,
      {.name = "translate", .summary = "an encoder and a decoder", .facts = {.outputs = weights}});
  add<SelectOptions>(sample_jobs, {.name = "select",
                                   .summary = "chooses",
                                   .facts = {.inputs = {{"from", "trials"}},
                                             .outputs = {"inputs"},
                                             .seeded = false,
                                             .chooses_by = "by"}});
}

inline const Schema& schema() {
  static const Schema made = [] {
    add_plugins();
    add_jobs();
    Schema all = schema_of_this_program("test");
    all.plugins["job"] = all.plugins["sample_job"];
    for (auto& [name, job] : all.plugins["job"]) job.registry = "job";
    return all;
  }();
  return made;
}

}  // namespace rethink::sample
