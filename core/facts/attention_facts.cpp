#include "core/facts/attention_facts.h"

namespace rethink {

void AttentionFacts::fields(Fields& field) {
  field("weights", weights,
        "projections: those of query, key, value and output are dense attention's. Variants with "
        "equal weights load "
        "each other's; what a variant has beyond them begins fresh. Empty: a variant loads its own "
        "alone");
  field("exceptions", exceptions,
        "what it cannot do, and why: cross (refuses cross-attention), causal (refuses decoders, "
        "since it looks at "
        "later tokens), encoder (refuses encoders), padding (its result may depend on padding or "
        "on other rows of "
        "the batch), decoding (new_state returns null: a search reads the prefix again)");
  field("side", side, "the SideInputs that it takes: hints");
  field("reads", reads, "inputs that the trial must have: mask");
  field("leaves", leaves, "outputs that the trial then leaves: mask, importance");
  field("minds_padding", minds_padding,
        "padding behind causal queries changes its result, so a decoder gives it key_keep");
  field("learns_scores", learns_scores,
        "adds scores that it learns: on a GPU their gradient is made for each sequence first");
  field("segment_memory", segment_memory,
        "the options that say how many tokens of earlier segments it keeps");
  field("looks_ahead", looks_ahead,
        "values of an option with which a decoder sees what it is to predict, and why; `plan` "
        "notes them");
}

}  // namespace rethink
