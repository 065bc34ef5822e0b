#include "datasets/dataset.h"

#include "core/config/schema.h"

namespace rethink {

DatasetRegistry& datasets() {
  static DatasetRegistry registry("dataset", "datasets");
  return registry;
}

void refuse_kind(const std::string& name) {
  throw TrialError("data set '" + name + "' is of kind " +
                   datasets().schema(name).facts.at("kind").get<std::string>() +
                   ", which this job does not read");
}

}  // namespace rethink
