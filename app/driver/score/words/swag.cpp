// `rethink score swag --ref val.csv --pred F`: the share of correctly chosen endings.
#include "app/driver/score/labelled_scorer.h"
#include "core/json.h"
#include "datasets/labelled/endings.h"

namespace rethink {
namespace {

class Swag : public LabelledScorer {
 protected:
  std::string dataset(const po::variables_map&) const override { return "swag"; }
  std::vector<LabelledExample> read(const std::filesystem::path& reference,
                                    const DatasetFacts&) const override {
    return read_swag(reference);
  }
};

RETHINK_REGISTERED = add_scorer<Swag>("swag", "SWAG's accuracy");

}  // namespace
}  // namespace rethink
