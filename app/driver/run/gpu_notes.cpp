#include "app/driver/run/gpu_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "core/config/configuration.h"
#include "core/facts/attention_facts.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/plan/gpu_memory.h"
#include "experiments/plan/model_shape.h"
#include "experiments/run/gpu.h"

namespace rethink {
namespace {

/// Whether the trial uses a GPU if there is one, and otherwise runs without.
bool may_use_gpu(const PlannedTrial& planned, const CommandContext& context) {
  const PluginSchema* const job = context.schema().find("job", planned.trial.job);
  return planned.resources->device == "auto" && job && job->facts.as<JobFacts>().device != "cpu";
}

/// Why trials that may use a GPU run without one. Reasons that concern only our own jobs do not
/// affect a user's program, which has its own CUDA.
std::string trouble_of_trials(const std::vector<Plan>& plans, const CommandContext& context,
                              const VisibleGpus& visible) {
  bool any_program = false, any_job = false;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      if (!may_use_gpu(planned, context) || planned.resources->gpus == 0) continue;
      const PluginSchema& job = *context.schema().find("job", planned.trial.job);
      (job.facts.as<JobFacts>().runs_program ? any_program : any_job) = true;
    }
  }
  if (any_job) return trouble_with_gpus(visible, context.programs);
  return any_program ? trouble_with_visible_gpus(visible) : "";
}

/// The trials that would run on a GPU here, without repetition.
std::vector<const PlannedTrial*> trials_for_gpus(const std::vector<Plan>& plans,
                                                 const CommandContext& context,
                                                 const std::string& device,
                                                 const VisibleGpus& visible) {
  std::vector<const PlannedTrial*> trials;
  if (!can_use_gpu(visible, context.programs)) return trials;
  std::set<std::string> seen;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      const bool takes_one =
          device == "cuda" || planned.resources->device == "cuda" || may_use_gpu(planned, context);
      if (takes_one && seen.insert(planned.trial.id).second) trials.push_back(&planned);
    }
  }
  return trials;
}

std::optional<GpuMemory> memory_of(const PlannedTrial& planned, const CommandContext& context) {
  const PluginSchema* const job = context.schema().find("job", planned.trial.job);
  if (!job) return std::nullopt;
  bool learns_scores = false;
  for (const ChosenPlugin& chosen :
       plugins_chosen(planned.trial.config, job->options, context.schema())) {
    const auto* facts = chosen.plugin->facts.get_if<AttentionFacts>();
    learns_scores = learns_scores || (facts && facts->learns_scores);
  }
  return estimated_gpu_memory(planned.trial.config, learns_scores);
}

constexpr int64_t kWidestHead = 512;  // of the fused operator (kernels/attention/attention.h)

bool has_wide_heads(const Json& config) {
  const std::optional<ModelShape> model = model_shape(config);
  return model && model->heads > 0 && model->d_model / model->heads > kWidestHead;
}

}  // namespace

std::vector<Note> notes_on_gpus(const std::vector<Plan>& plans, const CommandContext& context,
                                const std::string& device) {
  if (device == "cpu") return {};
  const VisibleGpus visible = find_gpus();
  const Position where{"device"};
  std::vector<Note> notes;
  if (device == "auto") {
    const std::string trouble = trouble_of_trials(plans, context, visible);
    if (!trouble.empty()) notes.push_back(Note("unused-gpus", trouble, where));
  }
  size_t in_float32 = 0, too_wide = 0, too_large = 0;
  GpuMemory largest;
  const auto most = static_cast<double>(most_gpu_bytes(visible));
  for (const PlannedTrial* planned : trials_for_gpus(plans, context, device, visible)) {
    if (planned->trial.config.value("precision", "") == "float32") ++in_float32;
    if (has_wide_heads(planned->trial.config)) ++too_wide;
    const std::optional<GpuMemory> memory = memory_of(*planned, context);
    if (!memory || memory->bytes <= most) continue;
    ++too_large;
    if (memory->bytes > largest.bytes) largest = *memory;
  }
  if (in_float32 > 0) {
    notes.push_back(
        Note("slow-precision",
             fmt::format("{} would run on a GPU in plain float32; on tensor cores, precision: "
                         "bfloat16 or tf32 is several times as fast, with other numbers",
                         counted(in_float32, "trial")),
             where));
  }
  if (too_wide > 0) {
    notes.push_back(Note(
        "wide-heads",
        fmt::format("{} would keep all attention weights [batch,heads,tokens,tokens] in memory, "
                    "since a head is wider than {}; more heads avoid this, with other numbers",
                    counted(too_wide, "trial"), kWidestHead),
        where));
  }
  if (too_large > 0) {
    constexpr double kGibibyte = 1 << 30;
    const std::string of_scores = largest.scores_gradient > 0
                                      ? fmt::format(
                                            ", {:.1f} of them for the gradient of learned scores "
                                            "[batch,heads,tokens,tokens]",
                                            largest.scores_gradient / kGibibyte)
                                      : "";
    notes.push_back(
        Note("large-for-gpu",
             fmt::format("{} may not fit: about {:.0f} GiB{}, and the largest GPU here "
                         "has {:.0f}; lower batch and raise accumulate by the same factor",
                         counted(too_large, "trial"), largest.bytes / kGibibyte, of_scores,
                         most / kGibibyte),
             where));
  }
  return notes;
}

}  // namespace rethink
