#include "models/huggingface/config.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/config/problems.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/format/pretrained_folder.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "models/attention/attention.h"
#include "models/huggingface/other_weights.h"
#include "models/layers.h"

namespace rethink {
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kTokenizerConfig = "tokenizer_config.json";
constexpr const char* kOwn = "rethink";
constexpr const char* kMaxPositions = "max_position_embeddings";
constexpr const char* kRegression = "regression";
// No file of weights fits a model beyond these, which would take all memory before the file is
// read.
constexpr int64_t kMostLayers = 1000, kMostSize = 10'000'000;
constexpr double kMostWeights = 1e10;

/// "gelu_python" is the same function as "gelu".
const std::map<std::string, std::string> kActivations = {
    {"gelu", "gelu"}, {"gelu_python", "gelu"}, {"relu", "relu"}};

/// Reads members of config.json and collects errors.
class Members {
 public:
  Members(Json json, std::filesystem::path file) : json_(std::move(json)), file_(std::move(file)) {}

  bool has(const char* name) const { return json_.contains(name) && !json_.at(name).is_null(); }
  const Json& at(const char* name) const { return json_.at(name); }

  int64_t size(const char* name, int64_t most = kMostSize) {
    const int64_t given = has(name) && at(name).is_number_integer() ? at(name).get<int64_t>() : 0;
    if (given > 0 && given <= most) return given;
    refuse(name, given > most ? fmt::format("at most {}", most) : "a whole number above 0");
    return 1;
  }

  double probability(const char* name, double otherwise) {
    if (!has(name)) return otherwise;
    if (at(name).is_number() && at(name) >= 0.0 && at(name) < 1.0) return at(name);
    refuse(name, "a probability below 1");
    return otherwise;
  }

  std::string text(const char* name, const std::string& otherwise) {
    if (!has(name)) return otherwise;
    if (at(name).is_string()) return at(name);
    refuse(name, "text");
    return otherwise;
  }

  /// Requires that a member has the one value that is implemented.
  void only(const char* name, const Json& value) {
    if (has(name) && at(name) != value) refuse(name, value.dump() + ": nothing else is done here");
  }

  void refuse(const char* name, const std::string& expected) {
    problems_.add({file_.string()}, "unsupported-weights",
                  fmt::format("{} is {}, expected {}", name,
                              has(name) ? at(name).dump() : "missing", expected));
  }

  void throw_if_any() const { problems_.throw_if_any(); }

 private:
  const Json json_;
  const std::filesystem::path file_;
  Problems problems_;
};

void refuse_what_is_not_done(Members& config) {
  config.only("sinusoidal_pos_embds", false);
  config.only("tie_weights_", true);
  config.only("position_embedding_type", "absolute");
  config.only("is_decoder", false);
  config.only("is_encoder_decoder", false);
  config.only("add_cross_attention", false);
  config.only("tie_word_embeddings", true);
  if (config.has("pruned_heads") && !config.at("pruned_heads").empty())
    config.refuse("pruned_heads", "none: nothing else is done here");
  if (!config.has("layer_norm_eps")) return;
  const Json& epsilon = config.at("layer_norm_eps");
  if (!epsilon.is_number() || std::abs(epsilon.get<double>() - kBertEpsilon) > 1e-6 * kBertEpsilon)
    config.refuse("layer_norm_eps", "1e-12: nothing else is done here");
}

EncoderOptions options_of(Members& config, const HuggingFaceFamily& family) {
  const ConfigMembers& members = family.members;
  EncoderOptions options;
  options.layers = config.size(members.layers, kMostLayers);
  options.d_model = config.size(members.d_model);
  options.heads = config.size(members.heads);
  options.ffn = config.size(members.ffn);
  options.max_positions = config.size(kMaxPositions);
  options.token_types = *members.token_types ? config.size(members.token_types) : 0;
  if (options.token_types == 0) options.pooled = "relu";
  options.dropout = config.probability(members.dropout, 0.1);
  const double of_attention = config.probability(members.attention_dropout, 0.1);
  if (of_attention != options.dropout) options.attention_dropout = of_attention;
  const auto activation = kActivations.find(config.text(members.activation, "gelu"));
  if (activation == kActivations.end()) {
    config.refuse(members.activation, "gelu or relu");
  } else {
    options.activation = activation->second;
  }
  if (options.d_model % options.heads != 0)
    config.refuse(members.heads, fmt::format("a divisor of {}", options.d_model));
  return options;
}

/// Options that the family's own members also have.
Json of_family(const EncoderOptions& options) {
  const ConfigMembers& members = family_of(options).members;
  Json config = {{members.layers, options.layers},
                 {members.d_model, options.d_model},
                 {members.heads, options.heads},
                 {members.ffn, options.ffn},
                 {kMaxPositions, options.max_positions},
                 {members.activation, options.activation},
                 {members.dropout, options.dropout},
                 {members.attention_dropout, options.attention_dropout.value_or(options.dropout)}};
  if (*members.token_types) config[members.token_types] = options.token_types;
  return config;
}

/// Returns the options in our member "rethink", or else those of the family's members.
EncoderOptions complete_options(Members& config, const HuggingFaceFamily& family,
                                const std::filesystem::path& file) {
  const EncoderOptions plain = options_of(config, family);
  config.throw_if_any();
  if (!config.has(kOwn)) return plain;
  EncoderOptions options;
  try {
    options = read_options<EncoderOptions>(config.at(kOwn).at("model"));
  } catch (const Json::exception&) {
    throw ConfigError("wrong-file",
                      fmt::format("{}: rethink is {}, expected {{\"model\": {{...}}}}",
                                  file.string(), config.at(kOwn).dump()));
  } catch (const ConfigError& error) {
    throw ConfigError("invalid-value",
                      fmt::format("{}: rethink.model: {}", file.string(), error.what()));
  }
  const Json own = of_family(options), theirs = of_family(plain);
  for (const auto& [name, value] : own.items()) {
    const Json said = theirs.value(name, Json());
    if (value != said) {
      throw ConfigError("conflicting-values",
                        fmt::format("{}: {} is {}, but rethink.model says {}: they must agree",
                                    file.string(), name, said.dump(), value.dump()));
    }
  }
  return options;
}

std::vector<std::string> labels_of(Members& config) {
  std::vector<std::string> labels;
  if (!config.has("id2label")) return labels;
  const Json& names = config.at("id2label");
  for (size_t i = 0; names.is_object() && i < names.size(); ++i) {
    const Json name = names.value(std::to_string(i), Json());
    if (!name.is_string()) break;
    labels.push_back(name);
  }
  if (labels.size() != names.size()) config.refuse("id2label", "names of 0, 1, ...");
  return labels;
}

TokenizerCasing casing_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kTokenizerConfig;
  if (!std::filesystem::exists(file)) return read_casing(folder);
  Members config(read_json_object(file), file);
  for (const char* name : {"do_lower_case", "do_basic_tokenize", "tokenize_chinese_chars"}) {
    if (config.has(name) && !config.at(name).is_boolean()) config.refuse(name, "true or false");
  }
  config.only("do_basic_tokenize", true);
  config.only("tokenize_chinese_chars", true);
  config.throw_if_any();
  const TokenizerCasing casing = read_casing(folder);
  config.only("strip_accents", casing.lower_case);
  config.throw_if_any();
  return casing;
}

/// Returns the family's class for a class of BERT: "DistilBertModel" for "BertModel".
std::string class_of(const EncoderFolder& facts) {
  const bool is_bert = (facts.options.token_types > 0);
  if (is_bert || !facts.architecture.starts_with("Bert")) return facts.architecture;
  return facts.architecture == "BertForPreTraining" ? "DistilBertForMaskedLM"
                                                    : "Distil" + facts.architecture;
}

void write_json(const std::filesystem::path& file, const Json& json) {
  write_file_durably(file, json.dump(2) + "\n");
}

Members members_in(const std::filesystem::path& folder) {
  refuse_adapter_weights(folder);
  const std::filesystem::path file = folder / kConfig;
  refuse_dangling_link(file);
  if (!std::filesystem::is_regular_file(file)) {
    const std::string advice = config_of_google(folder);
    throw ConfigError(
        "missing-weights",
        fmt::format("{} {}; expected a folder as transformers saves them, with {}, "
                    "model.safetensors and vocab.txt{}{}",
                    folder.string(),
                    std::filesystem::is_directory(folder) ? std::string("has no ") + kConfig
                                                          : "is not a folder",
                    kConfig, advice.empty() ? "" : "; ", advice));
  }
  Json config = read_json_object(file);
  if (const Json* job = find_path(config, "rethink.job")) {
    throw ConfigError(
        "wrong-weights",
        fmt::format("{} holds a language or translation model (job {}), expected an encoder; "
                    "`rethink generate` reads this model",
                    folder.string(), job->is_string() ? job->get<std::string>() : job->dump()));
  }
  return {std::move(config), file};
}

void require_possible_size(const EncoderFolder& facts, const std::filesystem::path& file) {
  const EncoderOptions& options = facts.options;
  const auto width = static_cast<double>(options.d_model);
  const auto rows =
      static_cast<double>(facts.vocabulary + options.max_positions + options.token_types);
  const double of_layer = 4 * width * width + 2 * width * static_cast<double>(options.ffn);
  const double weights = rows * width + static_cast<double>(options.layers) * of_layer;
  if (weights <= kMostWeights) return;
  throw ConfigError(
      "too-large",
      fmt::format("{}: its sizes make a model of {:.3g} weights, expected at most {:.0e}",
                  file.string(), weights, kMostWeights));
}

const HuggingFaceFamily& family_in(Members& config) {
  const std::string name = config.text("model_type", "bert");
  config.throw_if_any();
  const HuggingFaceFamily* family = find_family(name);
  if (!family) config.refuse("model_type", family_names() + ": nothing else is done here");
  config.throw_if_any();
  return *family;
}

}  // namespace

const HuggingFaceFamily& read_family(const std::filesystem::path& folder) {
  Members config = members_in(folder);
  return family_in(config);
}

EncoderFolder read_encoder_folder(const std::filesystem::path& folder) {
  Members config = members_in(folder);
  const HuggingFaceFamily& family = family_in(config);
  refuse_what_is_not_done(config);
  EncoderFolder facts;
  facts.vocabulary = config.size("vocab_size");
  facts.labels = labels_of(config);
  if (config.has("architectures")) {
    const Json& classes = config.at("architectures");
    if (classes.is_array() && !classes.empty() && classes[0].is_string()) {
      facts.architecture = classes[0];
    } else {
      config.refuse("architectures", "the name of a class in a list");
    }
  }
  facts.options = complete_options(config, family, folder / kConfig);
  require_possible_size(facts, folder / kConfig);
  require_word_pieces(folder);
  const TokenizerCasing casing = casing_of(folder);
  facts.lower_case = casing.lower_case;
  if (!casing.note.empty()) facts.notes.push_back(casing.note);
  return facts;
}

void write_encoder_config(const std::filesystem::path& folder, const EncoderFolder& facts) {
  EncoderOptions options = facts.options;
  options.attention.options =
      attentions().completed(options.attention.name, *options.attention.options);
  Json config = of_family(options);
  config.update({{"model_type", family_of(options).model_type},
                 {"architectures", {class_of(facts)}},
                 {"vocab_size", facts.vocabulary},
                 {"initializer_range", kBertDeviation},
                 {"layer_norm_eps", kBertEpsilon},
                 {"pad_token_id", 0},
                 {"position_embedding_type", "absolute"},
                 {"tie_word_embeddings", true},
                 {"torch_dtype", "float32"},
                 {kOwn, {{"model", write_options(options)}}}});
  for (size_t i = 0; i < facts.labels.size(); ++i) {
    config["id2label"][std::to_string(i)] = facts.labels[i];
    config["label2id"][facts.labels[i]] = i;
  }
  if (facts.labels.size() == 1) config["problem_type"] = kRegression;
  write_json(folder / kConfig, config);
  write_json(folder / kTokenizerConfig, {{"tokenizer_class", family_of(options).tokenizer},
                                         {"do_lower_case", facts.lower_case},
                                         {"model_max_length", options.max_positions}});
}

}  // namespace rethink
