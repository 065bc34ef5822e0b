// SQuAD v1.1: every question has an answer in its paragraph of Wikipedia (Rajpurkar et al., "SQuAD:
// 100,000+ questions for machine comprehension of text", 2016). Its test split is kept by its
// authors.
#include "datasets/labelled/squad.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = add_squad(
    {.name = "squad_v1",
     .summary = "SQuAD v1.1, spans that answer questions (Rajpurkar et al. 2016); F1, exact match",
     .no_answer = false,
     .files = "v1.1",
     .train_examples = 87599,
     .dev_examples = 10570,
     .train_sha256 = "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
     .dev_sha256 = "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
     .train_bytes = 30'288'272,
     .dev_bytes = 4'854'279});

}  // namespace
}  // namespace rethink
