// The job `mask`: turns the positions that a pretraining learned into a mask for later trials. The
// source is P of an importance study, pruned to any sparsity (SparseBERT, section 3.4, Figures 3
// and 7), or the mask of DAM (section 4.1), with its diagonal unchanged, added or removed (Table
// 4).
#include "models/masks/mask.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "datasets/philox_stream.h"
#include "experiments/attempt/job.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

struct MaskJobOptions {
  double ratio = 0.5;
  std::string order = "least";
  std::string diagonal = "as_it_is";

  void fields(Fields& field) {
    field("ratio", ratio, "for an importance study: share of each head's cells that are removed")
        .min(0)
        .below(1);
    field("order", order,
          "which cells are removed first: those with the smallest P, or random ones drawn from the "
          "seed")
        .one_of({"least", "random"});
    field("diagonal", diagonal, "what is done with the n cells of the diagonal afterwards")
        .one_of({"as_it_is", "with", "without"});
  }
};

/// The positions of one head in the order of removal; for equal P, the first position is first.
std::vector<uint32_t> least_first(const float* probability, size_t places) {
  std::vector<uint32_t> order(places);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return probability[a] < probability[b]; });
  return order;
}

std::vector<uint32_t> shuffled(size_t places, PhiloxStream& random) {
  std::vector<uint32_t> order(places);
  std::iota(order.begin(), order.end(), 0u);
  for (size_t left = places; left > 1; --left)
    std::swap(order[left - 1], order[random.below(left)]);
  return order;
}

class MaskJob : public Job {
 public:
  explicit MaskJob(const MaskJobOptions& options) : options_(options) {}

  JobOutcome run(JobContext& context) override {
    const Artifact* importance = context.input("importance");
    const Artifact* learned = context.input("learned");
    if ((importance == nullptr) == (learned == nullptr)) {
      throw ConfigError(
          "missing-need",
          "job 'mask' takes exactly one input: write needs: {importance: STAGE} for a stage with "
          "attention 'importance', or {learned: STAGE} for one with attention 'dam'");
    }
    Mask mask = importance ? pruned(*importance, context) : read_mask(learned->path);
    set_diagonal(mask);
    const std::filesystem::path file = context.artifact_file("mask.safetensors");
    write_mask(file, mask);
    context.add_artifact("mask", "mask", file, {{"sparsity", 100.0 * sparsity(mask)}});
    return JobOutcome::done;
  }

 private:
  Mask pruned(const Artifact& importance, const JobContext& context) const {
    const SafetensorsFile file(importance.path);
    const TensorView& view = file.at("importance");
    const at::Tensor probability = tensor_over(view).to(at::kFloat).contiguous();  // [H,n,n]
    Mask mask{probability.size(0), probability.size(1), {}};
    const auto places = static_cast<size_t>(mask.positions * mask.positions);
    mask.cells.assign(static_cast<size_t>(mask.heads) * places, 1);
    const auto removed =
        static_cast<size_t>(std::llround(options_.ratio * static_cast<double>(places)));
    PhiloxStream random({static_cast<uint64_t>(context.trial.seed.value_or(0)), 0});
    for (size_t head = 0; head < static_cast<size_t>(mask.heads); ++head) {
      const float* values = probability.const_data_ptr<float>() + head * places;
      const std::vector<uint32_t> order =
          options_.order == "least" ? least_first(values, places) : shuffled(places, random);
      for (size_t i = 0; i < removed; ++i) mask.cells[head * places + order[i]] = 0;
    }
    return mask;
  }

  void set_diagonal(Mask& mask) const {
    if (options_.diagonal == "as_it_is") return;
    const uint8_t value = options_.diagonal == "with" ? 1 : 0;
    for (int64_t head = 0; head < mask.heads; ++head) {
      for (int64_t place = 0; place < mask.positions; ++place) {
        const int64_t cell = (head * mask.positions + place) * mask.positions + place;
        mask.cells[static_cast<size_t>(cell)] = value;
      }
    }
  }

  const MaskJobOptions options_;
};

RETHINK_REGISTERED = jobs().add<MaskJobOptions>(
    {.name = "mask",
     .summary = "make a mask from what a pretraining learned (SparseBERT, sections 3.4 and 4.1)",
     .facts = {.inputs = {{"importance", "importance"}, {"learned", "mask"}},
               .outputs = {"mask"},
               .one_of = {"importance", "learned"},
               .options_of = {{"ratio", "importance"}, {"order", "importance"}},
               .device = "cpu"}},
    [](const MaskJobOptions& options) { return std::make_shared<MaskJob>(options); });

}  // namespace
}  // namespace rethink
