#include "core/facts/job_facts.h"

namespace rethink {

void NamedMetrics::fields(Fields& field) {
  field("option", option, "names the plug-in: data.dataset").required();
  field("registry", registry, "of the plug-in: dataset").required();
  field("fact", fact, "the plug-in's list of metrics: metrics").required();
}

void JobMetrics::fields(Fields& field) {
  field("always", always, "whatever the options are: train/loss").required();
  field("numbered", numbered, "the same with _1, _2, ... behind it: train/attention_entropy");
  field("splits", splits,
        "the option that lists the splits: evaluate.splits; empty: none are measured");
  field("of", of, "the registry of the metrics: metric");
  field("kind", kind, "of the metrics in that registry: sequences");
  field("units", units, "{character: {data.unit: [char]}}: a unit, and the options that give it");
  field("named_by", named_by,
        "in the place of `of`, `kind` and `units`: a plug-in that lists them");
  field("in_option", in_option, "the option whose keys are metrics: metrics, of {dev/acc: max}");
  field("finals", finals, "{\"@last\": null, \"@min_test\": evaluate.min_test}");
  field("score", score, "the score where neither evaluate.metric nor the data set names it");
  field("directions", directions, "{score: max}: of metrics that are no plug-ins");
}

void JobFacts::fields(Fields& field) {
  field("inputs", inputs,
        "{init: weights}: inputs, and what each takes; trials: ids in order, of any job, which "
        "must be given")
      .required();
  field("outputs", outputs,
        "kinds of files that it leaves; inputs alone: those of the trials it chose")
      .required();
  field("seeded", seeded, "its trials have seeds").required();
  field("required", required, "inputs that must be filled");
  field("one_of", one_of, "exactly one of these inputs is filled");
  field("options_of", options_of, "{ratio: importance}: this option is only for that input");
  field("plugin_inputs", plugin_inputs,
        "inputs that only a chosen plug-in reads, one with the fact `reads`");
  field("plugin_outputs", plugin_outputs,
        "outputs that only a chosen plug-in leaves, one with the fact `leaves`");
  field("chooses_by", chooses_by, "it chooses among trials: the option that holds the metric");
  field("metrics", metrics, "which metrics a done trial has");
  field("loads_first", loads_first, "options of the model of which fewer load, too: layers");
  field("weights_of", weights_of,
        "the kind of model whose weights it reads and leaves, encoder or decoder: the other kind's "
        "cannot be loaded");
  field("device", device, "cpu: it could do nothing with a GPU, and gets none");
  field("beside_memory", beside_memory,
        "options that say nothing about how much of a GPU's memory a trial takes");
  field("runs_program", runs_program,
        "it runs a program of the user's, by the options of job command: code and data count by "
        "their "
        "content, and it needs no LibTorch");
}

std::string JobFacts::input_kind(const std::string& slot) const {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? "" : found->second;
}

}  // namespace rethink
