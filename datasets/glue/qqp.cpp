// QQP: do two questions of Quora ask the same? A few rows of its tables lack columns; GLUE's
// readers skip them, and so do we.
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED =
    add_glue({.name = "qqp",
              .summary = "QQP, duplicate questions of Quora (Iyer et al. 2017); F1",
              .columns = {.texts = {"question1", "question2"},
                          .label = "is_duplicate",
                          .index = "id",
                          .skips_short_rows = true},
              .task = {.labels = {"0", "1"},
                       .metrics = {"f1", "accuracy"},
                       .other_names = {"not_duplicate", "duplicate"}},
              .files =
                  {
                      {"train", "QQP/train.tsv", 363846, ""},
                      {"dev", "QQP/dev.tsv", 40430, ""},
                      {"test", "QQP/test.tsv", 390965, "", "QQP.tsv"},
                  },
              .archive = "QQP-clean.zip",
              .sha256 = "40e7c862c04eb26ee04b67fd900e76c45c6ba8e6d8fab4f8f1f8072a1a3fbae0",
              .bytes = 41'696'084});

}  // namespace
}  // namespace rethink
