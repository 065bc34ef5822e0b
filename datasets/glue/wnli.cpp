// WNLI: is the pronoun of a Winograd schema resolved rightly? (Levesque et al., "The Winograd
// schema challenge", 2012)
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED =
    add_glue({.name = "wnli",
              .summary = "WNLI, Winograd schemas as entailment (Levesque et al. 2012); accuracy",
              .columns = {.texts = {"sentence1", "sentence2"}, .label = "label", .index = "index"},
              .task = {.labels = {"0", "1"},
                       .metrics = {"accuracy"},
                       .other_names = {"not_entailment", "entailment"}},
              .files =
                  {
                      {"train", "WNLI/train.tsv", 635, ""},
                      {"dev", "WNLI/dev.tsv", 71, ""},
                      {"test", "WNLI/test.tsv", 146, "", "WNLI.tsv"},
                  },
              .archive = "WNLI.zip",
              .sha256 = "ae0e8e4d16f4d46d4a0a566ec7ecceccfd3fbfaa4a7a4b4e02848c0f2561ac46",
              .bytes = 28'999});

}  // namespace
}  // namespace rethink
