#include "core/facts/attention_facts.h"

namespace rethink {

void AttentionFacts::fields(Fields& field) {
  field("weights", weights,
        "projections: the projections of query, key, value and output are dense attention's. "
        "Variants with equal `weights` load each other's weights; other parameters of a variant "
        "start fresh. Empty: a variant loads only its own weights");
  field("exceptions", exceptions,
        "what the variant cannot do, and why: cross (refuses cross-attention), causal (refuses "
        "decoders, since it looks at later tokens), encoder (refuses encoders), padding (its "
        "result may depend on padding or on other rows of the batch), decoding (new_state returns "
        "null: a search reads the prefix again)");
  field("side", side, "the SideInputs that the variant takes: hints");
  field("reads", reads, "inputs that the trial must have: mask");
  field("leaves", leaves, "outputs that the trial then writes: mask, importance");
  field("minds_padding", minds_padding,
        "padding behind causal queries changes the result, so a decoder passes key_keep");
  field("learns_scores", learns_scores,
        "the variant adds learned scores; a GPU first computes their gradient for each sequence");
  field("segment_memory", segment_memory,
        "options that say how many tokens of earlier segments are kept");
  field("looks_ahead", looks_ahead,
        "option values with which a decoder sees the token that it must predict, and why; `plan` "
        "prints a note on them");
}

}  // namespace rethink
