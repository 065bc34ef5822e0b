// `rethink score codah --split dev --pred F`: the share of correctly chosen endings.
#include "app/driver/score/labelled_scorer.h"
#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

class Codah : public LabelledScorer {
 public:
  std::string positional() const override { return "--split S --pred F"; }

 protected:
  std::string dataset(const po::variables_map&) const override { return "codah"; }
  std::vector<LabelledExample> read(const std::filesystem::path&,
                                    const DatasetFacts&) const override {
    throw ConfigError(
        "wrong-arguments",
        "rethink score codah: --ref: CODAH is published as one table, of which dev is drawn; give "
        "--split dev instead");
  }
  bool has_reference_files() const override { return false; }
};

RETHINK_REGISTERED = add_scorer<Codah>("codah", "CODAH's accuracy");

}  // namespace
}  // namespace rethink
