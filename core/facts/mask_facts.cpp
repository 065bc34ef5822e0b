#include "core/facts/mask_facts.h"

namespace rethink {

void MaskFacts::fields(Fields& field) {
  field("crops", crops, "with its usual options, the mask of n is the corner of every longer one")
      .required();
  field("sees_itself_alone", sees_itself_alone,
        "it is its diagonal: without that it hides everything");
}

}  // namespace rethink
