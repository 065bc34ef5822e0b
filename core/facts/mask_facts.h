// The facts that an attention mask pattern declares (models/masks/mask.h).
#pragma once

#include "core/config/options.h"

namespace rethink {

struct MaskFacts {
  bool crops = false;
  bool sees_itself_alone = false;
  void fields(Fields& field);
};

}  // namespace rethink
