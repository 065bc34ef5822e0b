// QNLI: does a sentence answer a question of SQuAD? (version 2 of GLUE's, Wang et al. 2019)
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_glue(
    {.name = "qnli",
     .summary = "QNLI, does a sentence answer a question of SQuAD (Wang et al. 2019); accuracy",
     .columns = {.texts = {"question", "sentence"}, .label = "label", .index = "index"},
     .task = {.labels = {"entailment", "not_entailment"}, .metrics = {"accuracy"}},
     .files =
         {
             {"train", "QNLI/train.tsv", 104743, ""},
             {"dev", "QNLI/dev.tsv", 5463,
              "ac19409dcb04631eaaa094bdebdcf621086bc352503dfb6a1a648b614986f4fd"},
             {"test", "QNLI/test.tsv", 5463, "", "QNLI.tsv"},
         },
     .archive = "QNLIv2.zip",
     .sha256 = "e634e78627a29adaecd4f955359b22bf5e70f2cbd93b493f2d624138a0c0e5f5",
     .bytes = 10'627'589});

}  // namespace
}  // namespace rethink
