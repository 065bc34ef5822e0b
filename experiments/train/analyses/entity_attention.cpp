// The attention of an encoder between the entities of sentences: A3's case study, "NER
// Visualization". Metrics (split entity_attention), over all sentences: `cross_layer_1` ...,
// `self_layer_1` ..., `other_layer_1` ..., the connections of each kind (entity_connections.h) in a
// layer; `cross`, `self`, `other`, those of all layers; `pairs_cross`, `pairs_self`, `pairs_other`,
// the largest possible numbers in a layer.
//
// Artifact `attention_map`, for pictures. Sentence 1 has `weights_1` f32 [L,T,T], the mean over
// heads, and `connections_1` u8 [L,T,T], each 0 none, 1 other, 2 self, 3 cross; sentence 2 has
// `weights_2` and `connections_2`, and so on. The metadata has `sentences`, a JSON list of {"text", "tokens", "entities": for each
// token, 0 = no entity, -1 = special, "names": of the entities, from 1, "attention": the variant of
// each layer}.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/jobs/analyze.h"
#include "experiments/train/analyses/entity_connections.h"
#include "experiments/train/batches/encoder_input.h"
#include "experiments/train/device/device.h"
#include "models/huggingface/weights.h"
#include "models/tensors/random.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

constexpr const char* kSplit = "entity_attention";
constexpr std::pair<Connection, const char*> kNames[] = {
    {Connection::cross, "cross"}, {Connection::self, "self"}, {Connection::other, "other"}};

struct EntityAttentionOptions {
  /// The sentences of the slides, read as one text, and the entities in their picture.
  std::vector<MarkedSentence> sentences = {
      {"The old writer is the father of the doctor. The doctor is the mother of the policeman on "
       "duty at the door.",
       {{"writer", {}}, {"doctor", {}}, {"policeman", {}}}}};
  ConnectionOptions connected;
  std::optional<AttentionChoice> attention;

  void fields(Fields& field) {
    field("sentences", sentences, "texts and their entities").not_empty();
    field("threshold", connected.threshold,
          "token i is connected with token j if the mean weight over heads exceeds threshold/n, "
          "where n is the number of tokens that i may attend to")
        .min(0);
    field("diagonal", connected.diagonal,
          "count a token's attention to itself as a connection, although it relates no two tokens");
    field("attention", attention,
          "attention of the model; null = the attention that the weights were trained with");
  }
};

/// The connections of all sentences.
struct Counts {
  std::vector<std::map<Connection, int64_t>> layers;
  std::map<Connection, int64_t> pairs;  // possible connections of a layer

  /// found     u8 [L,T,T]  of one sentence
  /// possible  u8 [T,T]    if every token were connected with every other one
  void add(const at::Tensor& found, const at::Tensor& possible) {
    layers.resize(static_cast<size_t>(found.size(0)));
    for (size_t layer = 0; layer < layers.size(); ++layer) {
      for (const auto& [kind, count] : count_connections(found[static_cast<int64_t>(layer)]))
        layers[layer][kind] += count;
    }
    for (const auto& [kind, count] : count_connections(possible)) pairs[kind] += count;
  }
};

/// The attention variant of each layer.
std::vector<std::string> variants_by_layer(const EncoderOptions& model) {
  std::vector<std::string> variants(static_cast<size_t>(model.layers), model.attention.name);
  for (const auto& placed : model.attention.common.at) {
    for (const int64_t layer : placed.common.layers)
      variants[static_cast<size_t>(layer - 1)] = placed.name;
  }
  return variants;
}

Json description(const MarkedSentence& sentence, const MarkedTokens& tokens,
                 const EncoderOptions& model) {
  Json names = Json::array();
  for (const MarkedEntity& entity : sentence.entities) names.push_back(entity.name);
  return {{"text", sentence.text},
          {"tokens", tokens.pieces},
          {"entities", tokens.entities},
          {"names", names},
          {"attention", variants_by_layer(model)}};
}

class EntityAttention : public Analysis {
 public:
  explicit EntityAttention(const EntityAttentionOptions& options) : options_(options) {}

  JobOutcome run(JobContext& context) override {
    const at::NoGradGuard no_gradient;
    const at::Device device = prepare_device(context, "float32");
    const EncoderStart start = start_of(context);
    EncoderModel model(start, static_cast<uint64_t>(context.trial.seed.value_or(0)));
    load_start(start, model, context);
    model.to(device);
    model.eval();
    TensorsByName tensors;
    Json described = Json::array();
    Counts counts;
    for (size_t number = 1; number <= options_.sentences.size(); ++number) {
      if (context.stop) return JobOutcome::interrupted;
      const MarkedSentence& sentence = options_.sentences[number - 1];
      const MarkedTokens tokens = marked_tokens(sentence, start.pieces);
      const at::Tensor weights_LTT = attention_of(*model.encoder, tokens, device);
      const at::Tensor found_LTT = connections(weights_LTT, tokens.entities, options_.connected);
      const at::Tensor all_TT = at::ones_like(weights_LTT[0]);
      counts.add(found_LTT, connections(all_TT, tokens.entities,
                                        {.threshold = 0, .diagonal = options_.connected.diagonal}));
      tensors[fmt::format("weights_{}", number)] = weights_LTT;
      tensors[fmt::format("connections_{}", number)] = found_LTT;
      described.push_back(description(sentence, tokens, start.model));
    }
    report(counts, context.events);
    leave(tensors, described, context);
    return JobOutcome::done;
  }

 private:
  EncoderStart start_of(const JobContext& context) const {
    const Artifact* init = context.input("init");
    if (!init) {
      throw ConfigError("missing-need",
                        "analysis 'entity_attention' needs the weights of an encoder: write needs: "
                        "{init: STAGE}, or "
                        "{init: {file: DIR}} for an imported encoder");
    }
    const std::filesystem::path folder = weights_folder(*init);
    EncoderFolder facts = read_encoder_folder(folder);
    require_sizes(folder, facts);
    if (options_.attention) facts.options.attention = *options_.attention;
    return {facts.options, read_pieces(folder, facts), facts.vocabulary, folder};
  }

  /// f32 [L,T,T], on the CPU.
  static at::Tensor attention_of(Encoder& encoder, const MarkedTokens& tokens,
                                 const at::Device& device) {
    const at::Tensor ids_1T = at::tensor(tokens.ids, at::kLong).unsqueeze(0).to(device);
    Recorder record{.keep_maps = true};
    encoder.forward({.input_ids = ids_1T}, evaluation_key(0, 0, 0), &record);
    return head_means(record, encoder.options().layers, encoder.options().d_model);
  }

  static void report(const Counts& counts, EventLog& events) {
    const auto write = [&](const std::string& name, int64_t count) {
      events.metric(kSplit, name + "@last", 0, static_cast<double>(count));
    };
    for (const auto& [kind, name] : kNames) {
      int64_t sum = 0;
      for (size_t layer = 0; layer < counts.layers.size(); ++layer) {
        const int64_t count = counts.layers[layer].at(kind);
        write(fmt::format("{}_layer_{}", name, layer + 1), count);
        sum += count;
      }
      write(name, sum);
      write(fmt::format("pairs_{}", name), counts.pairs.at(kind));
    }
  }

  static void leave(const TensorsByName& tensors, const Json& described, JobContext& context) {
    const std::filesystem::path file = context.artifact_file("attention_map.safetensors");
    write_tensors(file, tensors, {{"sentences", described.dump()}});
    context.add_artifact("attention_map", "attention_map", file);
  }

  const EntityAttentionOptions options_;
};

RETHINK_REGISTERED = analyses().add<EntityAttentionOptions>(
    {.name = "entity_attention",
     .summary = "connections within entities, between entities and of other tokens, in each layer "
                "of an encoder (A3, NER visualization)",
     .facts = {.reads = {"init"}, .weights_of = "encoder", .leaves = {"attention_map"}}},
    [](const EntityAttentionOptions& options) {
      return std::make_shared<EntityAttention>(options);
    });

}  // namespace
}  // namespace rethink
