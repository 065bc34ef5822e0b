// MNLI: does a sentence follow from another, contradict it, or neither? (Williams et al., "A
// broad-coverage challenge corpus for sentence understanding through inference", 2018). Dev and
// test have a part of the training data's genres (matched: `dev`, `test`) and one of others
// (`dev_mismatched`, `test_mismatched`); GLUE's diagnostic table (`diagnostic`) is predicted with
// MNLI's model.
#include "datasets/glue.h"

namespace rethink {
namespace {

const GlueTask kMnliTask = {
    .name = "mnli",
    .summary = "MNLI, entailment in many genres (Williams et al. 2018); accuracy",
    .columns = {.texts = {"sentence1", "sentence2"}, .label = "gold_label", .index = "index"},
    .task = {.labels = {"entailment", "neutral", "contradiction"}, .metrics = {"accuracy"}},
    .files = {{"train", "MNLI/train.tsv", 392702, ""},
              {"dev", "MNLI/dev_matched.tsv", 9815, ""},
              {"dev_mismatched", "MNLI/dev_mismatched.tsv", 9832, ""},
              {"test", "MNLI/test_matched.tsv", 9796, "", "MNLI-m.tsv"},
              {"test_mismatched", "MNLI/test_mismatched.tsv", 9847, "", "MNLI-mm.tsv"},
              {"diagnostic", "AX/diagnostic.tsv", 1104,
               "0e13510b1bb14436ff7e2ee82338f0efb0133ecf2e73507a697dc210db3f05fd", "AX.tsv",
               kGlueAddress + "AX.tsv", "mcc", 222'257}},
    .archive = "MNLI.zip",
    .sha256 = "e7c1d896d26ed6caf700110645df426cc2d8ebf02a5ab743d5a5c68ac1c83633",
    .bytes = 312'783'507};

RETHINK_REGISTERED = add_glue(kMnliTask);

}  // namespace
}  // namespace rethink
