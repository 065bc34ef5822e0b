#include "core/facts/job_facts.h"

namespace rethink {

void NamedMetrics::fields(Fields& field) {
  field("option", option, "option that names the plug-in: data.dataset").required();
  field("registry", registry, "registry of the plug-in: dataset").required();
  field("fact", fact, "the plug-in's fact that lists metrics: metrics").required();
}

void JobMetrics::fields(Fields& field) {
  field("always", always, "metrics of every trial, whatever its options: train/loss").required();
  field("numbered", numbered,
        "metrics of every trial with _1, _2, ... at the end: train/attention_entropy");
  field("splits", splits, "option that lists the measured splits: evaluate.splits; empty: none");
  field("of", of, "registry of the metrics: metric");
  field("kind", kind, "kind of the metrics in that registry: sequences");
  field("units", units,
        "units of tokens, and the options that select each: {character: {data.unit: [char]}}");
  field("named_by", named_by,
        "a plug-in that lists the metrics; replaces `of`, `kind` and `units`");
  field("in_option", in_option, "option whose keys are metrics, such as metrics: {dev/acc: max}");
  field("finals", finals,
        "final values and the option that enables each: {\"@last\": null, \"@min_test\": "
        "evaluate.min_test}");
  field("score", score, "the score, if neither evaluate.metric nor the data set names one");
  field("directions", directions, "directions of metrics that are not plug-ins: {score: max}");
}

void JobFacts::fields(Fields& field) {
  field("inputs", inputs,
        "inputs and what each takes: {init: weights}; `trials` takes a required ordered list of "
        "trial ids of any job")
      .required();
  field("outputs", outputs,
        "kinds of files that the job writes; inputs alone: the files of the chosen trials")
      .required();
  field("seeded", seeded, "the job's trials have seeds").required();
  field("required", required, "required inputs");
  field("one_of", one_of, "inputs of which exactly one must be given");
  field("options_of", options_of, "options that need an input: {ratio: importance}");
  field("plugin_inputs", plugin_inputs,
        "inputs that only a chosen plug-in with the fact `reads` takes");
  field("plugin_outputs", plugin_outputs,
        "outputs that only a chosen plug-in with the fact `leaves` writes");
  field("chooses_by", chooses_by, "option with the metric by which the job chooses among trials");
  field("metrics", metrics, "metrics of a done trial");
  field("loads_first", loads_first,
        "options of the model that may be smaller than in the loaded weights: layers");
  field("weights_of", weights_of,
        "kind of model whose weights the job reads and writes, encoder or decoder; weights of the "
        "other kind cannot be loaded");
  field("device", device, "cpu: the job cannot use a GPU and gets none");
  field("beside_memory", beside_memory,
        "options that do not change how much GPU memory a trial takes");
  field("runs_program", runs_program,
        "the job runs a user's program by the options of job command: code and data count by their "
        "content, and LibTorch is not needed");
}

std::string JobFacts::input_kind(const std::string& slot) const {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? "" : found->second;
}

}  // namespace rethink
