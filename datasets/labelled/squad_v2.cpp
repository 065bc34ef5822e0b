// SQuAD v2.0: v1.1 and as many questions that their paragraph does not answer (Rajpurkar et al.,
// "Know what you don't know: unanswerable questions for SQuAD", 2018). Its test split is kept by
// its authors.
#include "datasets/labelled/squad.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_squad(
    {.name = "squad_v2",
     .summary = "SQuAD v2.0, with questions that have no answer (Rajpurkar et al. 2018); F1, exact",
     .no_answer = true,
     .files = "v2.0",
     .train_examples = 130319,
     .dev_examples = 11873,
     .train_sha256 = "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
     .dev_sha256 = "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
     .train_bytes = 42'123'633,
     .dev_bytes = 4'370'528});

}  // namespace
}  // namespace rethink
