#include "core/facts/analysis_facts.h"

namespace rethink {

void AnalysisFacts::fields(Fields& field) {
  field("reads", reads, "inputs that the trial must have");
  field("weights_of", weights_of,
        "kind of model whose weights the analysis reads: encoder or decoder; empty: any");
  field("leaves", leaves, "kinds of files that the analysis writes, beside its numbers");
}

}  // namespace rethink
