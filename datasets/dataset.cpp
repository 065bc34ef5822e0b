#include "datasets/dataset.h"

namespace rethink {

DatasetRegistry& datasets() {
  static DatasetRegistry registry("dataset", "datasets");
  return registry;
}

}  // namespace rethink
