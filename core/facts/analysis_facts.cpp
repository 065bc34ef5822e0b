#include "core/facts/analysis_facts.h"

namespace rethink {

void AnalysisFacts::fields(Fields& field) {
  field("reads", reads, "inputs that the trial must have");
  field("weights_of", weights_of,
        "the kind of model whose weights it reads: encoder or decoder; empty: any");
  field("leaves", leaves, "kinds of files that it leaves, beside its numbers");
}

}  // namespace rethink
