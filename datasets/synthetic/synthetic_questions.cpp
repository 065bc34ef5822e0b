// Questions about made-up contexts that need no file. A context is a list of facts, "NAME RELATION
// VALUE .". A question names a name and a relation; the answer is the value after them, of one or
// two words. A question without an answer asks for a relation that the context does not give for
// the name.
#include <fmt/format.h>

#include "core/json.h"
#include "datasets/labelled/questions.h"
#include "datasets/synthetic/synthetic_words.h"

namespace rethink {
namespace {

struct SyntheticQuestionsOptions {
  int64_t contexts = 300;
  int64_t facts = 6;
  int64_t names = 30;
  double impossible = 0;
  int64_t seed = 1;

  void fields(Fields& field) {
    field("contexts", contexts, "training contexts; dev has a tenth").min(10);
    field("facts", facts, "facts per context, each with a question").min(2);
    field("names", names,
          "number of names; there are as many relations, and ten times as many values")
        .min(4);
    field("impossible", impossible, "share of the questions without an answer").min(0).below(1);
    field("seed", seed, "seed of the contexts, independent of a trial's seed").min(0);
  }
  static std::vector<Rule> rules() {
    return {
        at_most("facts", "names",
                "each fact of a context has a relation of its own: raise names, or lower facts")};
  }
};

constexpr uint64_t kContextStream = 0x636f6e7465787400;  // "context" in ASCII

void add_context(const SyntheticQuestionsOptions& options, uint64_t number, QuestionSplit& split) {
  PhiloxStream random({static_cast<uint64_t>(options.seed), kContextStream + number});
  const auto names = static_cast<uint64_t>(options.names);
  std::string context;
  for (int64_t i = 0; i < options.facts; ++i) {
    const std::string name = synthetic_word(random.below(names));
    // Each fact of a context has another relation, so that no question has two answers.
    const std::string relation = synthetic_word(names + static_cast<uint64_t>(i));
    std::string value = synthetic_word(2 * names + random.below(10 * names));
    if (random.below(2) == 1) value += " " + synthetic_word(2 * names + random.below(10 * names));
    const bool is_impossible = random.uniform() < options.impossible;
    const std::string asked = is_impossible ? synthetic_word(20 * names) : relation;
    Question question{fmt::format("{}-{}-{}", split.name, number, i),
                      name + " " + asked + " ?",
                      split.contexts.size(),
                      {},
                      is_impossible};
    context += name + " " + relation + " ";
    if (!is_impossible) question.answers.push_back({value, context.size()});
    context += value + " . ";
    split.questions.push_back(std::move(question));
  }
  context.pop_back();
  split.contexts.push_back(std::move(context));
}

std::shared_ptr<QuestionDataset> open_synthetic_questions(const SyntheticQuestionsOptions& options,
                                                          const DataFolders&) {
  std::vector<QuestionSplit> splits;
  for (const auto& [name, begin, end] : synthetic_splits(options.contexts, {"train", "dev"})) {
    QuestionSplit& split = splits.emplace_back();
    split.name = name;
    for (uint64_t number = begin; number < end; ++number) add_context(options, number, split);
  }
  return std::make_shared<QuestionDataset>("synthetic_questions", options.impossible > 0,
                                           std::move(splits));
}

RETHINK_REGISTERED = datasets().add<SyntheticQuestionsOptions>(
    {.name = "synthetic_questions",
     .summary = "questions about made-up facts, answered by spans; needs no file",
     .facts = {.kind = "questions",
               .splits = {"train", "dev"},
               .metric = "f1",
               .metrics = {"f1", "exact"},
               .no_answer = true}},
    open_synthetic_questions);

}  // namespace
}  // namespace rethink
