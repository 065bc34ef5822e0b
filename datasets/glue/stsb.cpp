// STS-B: how alike are two sentences, 0 to 5? (Cer et al., "SemEval-2017 task 1", 2017)
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_glue(
    {.name = "stsb",
     .summary =
         "STS-B, similarity of sentences from 0 to 5 (Cer et al. 2017); Spearman correlation",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "score", .index = "index"},
     .task = {.labels = {}, .metrics = {"spearman", "pearson"}},
     .files =
         {
             {"train", "STS-B/train.tsv", 5749, ""},
             {"dev", "STS-B/dev.tsv", 1500,
              "fe7dc0632a5033562f3cadff991f6e8d9b9b6311861660e78c3c82eb7db67f59"},
             {"test", "STS-B/test.tsv", 1379, "", "STS-B.tsv"},
         },
     .archive = "STS-B.zip",
     .sha256 = "e60a6393de5a8b5b9bac5020a1554b54e3691f9d600b775bd131e613ac179c85",
     .bytes = 802'872});

}  // namespace
}  // namespace rethink
