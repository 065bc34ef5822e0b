#include "experiments/train/train_options.h"

#include "experiments/train/metrics.h"
#include "models/tensors/random.h"

namespace rethink {

void EvaluateOptions::fields(Fields& field) {
  field("every", every, "steps between evaluations [steps]; 0 = evaluate at the ends of epochs")
      .min(0);
  field("epoch_ends", epoch_ends, "with `every`, also evaluate at the ends of epochs");
  field("splits", splits,
        "splits to evaluate; the best step is chosen on dev; train/loss stays the loss during "
        "training, even if train is evaluated")
      .not_empty()
      .any_order();
  field("metric", metric, "the metric that is called score; null = the data set's")
      .one_of(metrics().names());
  field("keep", keep, "which weights the trial keeps: those of the last step, or the best on dev")
      .one_of({"last", "best"});
  field("patience", patience,
        "training ends after this many evaluations without a better dev score; null = never")
      .min(1);
  field("min_test", min_test,
        "also report the best test value of all evaluations, as BET's released code does");
  field("test", test,
        "when test is evaluated: each (at each evaluation) or end (after training, with the last "
        "and the best weights); null = end if keep is best and min_test is false, else each")
      .one_of({"each", "end"})
      .not_hashed();
  field("dev_examples", dev_examples,
        "number of dev examples, from the first, that evaluations during training use [examples]; "
        "dev@last and dev@best use all of dev, after training; null = all")
      .min(1)
      .absent_means(nullptr);
}

std::vector<Rule> EvaluateOptions::rules() {
  return {needs_one_of("keep", "best", "splits", {"dev"},
                       "the best is chosen on dev: add dev to splits, or write keep: last"),
          needs_one_of("patience", nullptr, "splits", {"dev"},
                       "patience watches dev: add dev to splits, or leave patience out"),
          needs_one_of("min_test", true, "splits", {"test"},
                       "min_test is a value of test: add test to splits, or leave min_test out"),
          needs_one_of("dev_examples", nullptr, "splits", {"dev"},
                       "dev_examples counts examples of dev: add dev to splits, or leave "
                       "dev_examples out"),
          needs_one_of("dev_examples", nullptr, "keep", {"best"},
                       "after training all of dev is measured with the last and the best weights, "
                       "and keep: last does not keep the best: write keep: best, or leave "
                       "dev_examples out"),
          excludes("test", "end", "min_test", {true},
                   "min_test is the best of several evaluations: write test: each")};
}

void DivergenceOptions::fields(Fields& field) {
  field("factor", factor,
        "a loss is too high above factor * ln(vocabulary); guessing gives ln(vocabulary)")
      .above(1);
  field("steps", steps,
        "consecutive steps with too high a loss after which the trial counts as diverged [steps]")
      .min(1);
}

void TrainOptions::fields(Fields& field) {
  field("steps", steps, "updates to train for [steps]").min(1).max(kTrainingSteps - 1);
  field("epochs", epochs, "passes over the training data [epochs]").min(1);
  field("batch", batch, "sequences per batch").min(1);
  field("accumulate", accumulate, "batches per update; their gradients are added")
      .min(1)
      .max(kTrainingParts)
      .absent_means(1);
  field("shuffle", shuffle, "shuffle the training data in every epoch");
  field("buckets", buckets, "batches hold sequences of similar length, which saves padding");
  field("optimizer", optimizer, "optimizer");
  field("schedule", schedule, "learning rate over time, as a factor of the optimizer's lr");
  field("clip", clip, "largest global gradient norm; 0 = no clipping").min(0);
  field("precision", precision, "precision of matrix products")
      .one_of({"float32", "tf32", "bfloat16"});
  field("evaluate", evaluate, "what is measured, and when");
  field("divergence", divergence,
        "when a trial counts as diverged; a NaN or infinite loss always does, and so does a final "
        "loss above factor * ln(vocabulary)");
  field("log_every", log_every,
        "steps per point of the training loss; a point is their mean [steps]")
      .min(1);
  field("diagnose_every", diagnose_every,
        "steps between points of the diagnostics: gradient norm, learning rate, parameter norm, "
        "and each layer's attention entropy and largest score [steps]; 0 = none; null = a multiple "
        "of log_every with at most 200 points")
      .min(0)
      .not_hashed();
  field("checkpoint_every", checkpoint_every,
        "seconds between checkpoints [s]; 0 = after every step; null = 60")
      .min(0)
      .not_hashed();
}

std::vector<Rule> TrainOptions::rules() {
  return {exactly_one_of({"steps", "epochs"}, "one of them says when training ends")};
}

}  // namespace rethink
