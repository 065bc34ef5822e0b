// SST-2: is a sentence of a film review positive? (Socher et al., "Recursive deep models for
// semantic compositionality over a sentiment treebank", 2013)
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED =
    add_glue({.name = "sst2",
              .summary = "SST-2, sentiment of film reviews (Socher et al. 2013); accuracy",
              .columns = {.texts = {"sentence"}, .label = "label", .index = "index"},
              .task = {.labels = {"0", "1"},
                       .metrics = {"accuracy"},
                       .other_names = {"negative", "positive"}},
              .files =
                  {
                      {"train", "SST-2/train.tsv", 67349,
                       "48eac26399f8456935f81dd9e3a745c1430adb6c62e233ccfe22db4a0d15d1d1"},
                      {"dev", "SST-2/dev.tsv", 872, ""},
                      {"test", "SST-2/test.tsv", 1821, "", "SST-2.tsv"},
                  },
              .archive = "SST-2.zip",
              .sha256 = "d67e16fb55739c1b32cdce9877596db1c127dc322d93c082281f64057c16deaa",
              .bytes = 7'439'277});

}  // namespace
}  // namespace rethink
