// The options that Adam, AdamW and similar optimizers share.
#pragma once

#include "core/config/options.h"

namespace rethink {

template <typename AdamLike>
void declare_adam_fields(Fields& field, AdamLike& options) {
  field("lr", options.lr, "learning rate").above(0);
  field("beta1", options.beta1, "decay of the mean of gradients").min(0).below(1);
  field("beta2", options.beta2, "decay of the mean of squared gradients").min(0).below(1);
  field("eps", options.eps, "added to the root of the mean square").min(0);
}

}  // namespace rethink
