#include "models/attention/attention.h"

namespace rethink {

AttentionRegistry& attentions() {
  static AttentionRegistry registry("attention", "models/attention");
  return registry;
}

}  // namespace rethink
