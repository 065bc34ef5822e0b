// CoLA: is a sentence acceptable English? (Warstadt et al., "Neural network acceptability
// judgments", 2019). Its train and dev tables have no header.
#include "datasets/glue.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_glue(
    {.name = "cola",
     .summary = "CoLA, acceptability of sentences (Warstadt et al. 2019); Matthews correlation",
     .columns = {.texts = {"sentence"},
                 .label = "label",
                 .index = "index",
                 .without_header = {"source", "label", "original_judgement", "sentence"}},
     .task = {.labels = {"0", "1"},
              .metrics = {"mcc", "accuracy"},
              .other_names = {"unacceptable", "acceptable"}},
     .files =
         {
             {"train", "CoLA/train.tsv", 8551, ""},
             {"dev", "CoLA/dev.tsv", 1043,
              "8c013e21dc39957cac37378d87bebe225b694a0d5fe13eded66c2856628833fd"},
             {"test", "CoLA/test.tsv", 1063, "", "CoLA.tsv"},
         },
     .archive = "CoLA.zip",
     .sha256 = "f212fcd832b8f7b435fb991f101abf89f96b933ab400603bf198960dfc32cbff",
     .bytes = 376'971});

}  // namespace
}  // namespace rethink
