#include "core/facts/mask_facts.h"

namespace rethink {

void MaskFacts::fields(Fields& field) {
  field("crops", crops,
        "with its usual options, the mask of n positions is the corner of every longer mask")
      .required();
  field("sees_itself_alone", sees_itself_alone,
        "the mask is its diagonal; without the diagonal it hides everything");
}

}  // namespace rethink
