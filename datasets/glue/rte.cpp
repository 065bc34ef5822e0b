// RTE: does a sentence follow from another? (the entailment challenges 1, 2, 3 and 5; Bentivogli et
// al. 2009)
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_glue(
    {.name = "rte",
     .summary = "RTE, entailment challenges 1, 2, 3 and 5 (Bentivogli et al. 2009); accuracy",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "label", .index = "index"},
     .task = {.labels = {"entailment", "not_entailment"}, .metrics = {"accuracy"}},
     .files =
         {
             {"train", "RTE/train.tsv", 2490, ""},
             {"dev", "RTE/dev.tsv", 277,
              "80230dfa1347282e7b532b06a1004a76a710087541189bf874223ddf0e3819fb"},
             {"test", "RTE/test.tsv", 3000, "", "RTE.tsv"},
         },
     .archive = "RTE.zip",
     .sha256 = "6bf86de103ecd335f3441bd43574d23fef87ecc695977a63b82d5efb206556ee",
     .bytes = 697'150});

}  // namespace
}  // namespace rethink
