// Weights in other people's folders: names within a wrapper, other forms, NaN, sizes that config.json
// does not have.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/json.h"
#include "models/huggingface/weights.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class FieldWeights : public testing::Test {
 protected:
  FieldWeights() {
    const SafetensorsFile file(kTinyBert / "model.safetensors");
    for (const auto& [name, view] : file.tensors()) weights_[name] = tensor_over(view).clone();
    write_text(folder_ / "config.json", read_text(kTinyBert / "config.json"));
  }
  LoadedWeights loaded() {
    write_tensors(folder_ / "model.safetensors", weights_, {});
    return load_huggingface(folder_.path(), model_);
  }
  void rename(const std::function<std::string(const std::string&)>& named) {
    TensorsByName renamed;
    for (const auto& [name, tensor] : weights_) renamed[named(name)] = tensor;
    weights_ = renamed;
  }

  const TempFolder folder_;
  TensorsByName weights_;
  PretrainingModel model_{tiny_options(), kTinyVocabulary};
};

TEST_F(FieldWeights, WithAnAdapterAreRefused) {
  rename([](const std::string& name) { return "base_model.model." + name; });
  EXPECT_EQ(loaded().left_out.before, "base_model.model.");
  const std::string name =
      "base_model.model.bert.encoder.layer.0.attention.self.query.lora_A.weight";
  weights_[name] = at::ones({2, 2});
  EXPECT_THAT([&] { loaded(); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("model.safetensors: holds an adapter"),
                                               HasSubstr("such as " + name))));
}

TEST_F(FieldWeights, LoadWithAWrapperBeforeEveryName) {
  const at::Tensor words = weights_.at("bert.embeddings.word_embeddings.weight").clone();
  const TensorsByName plain = weights_;
  EXPECT_EQ(loaded().left_out.before, "");
  for (const std::string wrapper :
       {"module.", "_orig_mod.", "model.", "_forward_module.", "_fsdp_wrapped_module.",
        "_checkpoint_wrapped_module.", "module._orig_mod.", "_orig_mod.module.model.",
        "_forward_module.model._fsdp_wrapped_module."}) {
    weights_ = plain;
    rename([&](const std::string& name) { return wrapper + name; });
    weights_[wrapper + "more"] = at::ones({2});
    model_ = PretrainingModel(tiny_options(), kTinyVocabulary);
    const LoadedWeights found = loaded();
    EXPECT_EQ(found.left_out.before, wrapper);
    EXPECT_THAT(found.fresh, IsEmpty());
    EXPECT_THAT(found.unused, ElementsAre(wrapper + "more"));
    EXPECT_TRUE(at::equal(weights_of(model_).at("encoder.embedding.weight"), words));
    EXPECT_THAT(heads_in(folder_.path()),
                ElementsAre(std::pair("mlm", kTinyVocabulary), std::pair("nsp", 2),
                            std::pair("pooler", 32)));
  }
}

TEST_F(FieldWeights, LoadWithATensorBesideTheWrappedOnes) {
  const TensorsByName plain = weights_;
  for (const auto& [wrapper, beside] :
       {std::pair<std::string, std::string>{"module.", "n_averaged"},
        {"model.", "criterion.weight"},
        {"module._orig_mod.", "module.n_averaged"}}) {
    SCOPED_TRACE(wrapper);
    weights_ = plain;
    rename([&](const std::string& name) { return wrapper + name; });
    weights_[beside] = at::ones({2});
    const LoadedWeights found = loaded();
    EXPECT_EQ(found.left_out.before, wrapper);
    EXPECT_THAT(found.left_out.outside, ElementsAre(beside));
    EXPECT_THAT(found.unused, ElementsAre(beside));
    EXPECT_THAT(found.fresh, IsEmpty());
  }
}

TEST_F(FieldWeights, LoadWithAnyBeginningThatTheEncoderHas) {
  const at::Tensor words = weights_.at("bert.embeddings.word_embeddings.weight").clone();
  const TensorsByName plain = weights_;
  for (const std::string beginning :
       {"auto_model.", "encoder.", "backbone.", "student.", "module.net.encoder.", "bert_model."}) {
    SCOPED_TRACE(beginning);
    // The prefix is before "bert.", or in its place if heads are outside.
    weights_ = plain;
    rename([&](const std::string& name) { return beginning + name; });
    weights_["n_averaged"] = at::ones({2});
    model_ = PretrainingModel(tiny_options(), kTinyVocabulary);
    LoadedWeights found = loaded();
    EXPECT_EQ(found.left_out.before, beginning);
    EXPECT_THAT(found.fresh, IsEmpty());
    EXPECT_THAT(found.unused, ElementsAre("n_averaged"));
    weights_ = plain;
    rename([&](const std::string& name) {
      return name.starts_with("bert.") ? beginning + name.substr(5) : name;
    });
    model_ = PretrainingModel(tiny_options(), kTinyVocabulary);
    found = loaded();
    EXPECT_EQ(found.left_out.before, beginning);
    EXPECT_THAT(found.left_out.outside, SizeIs(7));
    EXPECT_THAT(found.fresh, IsEmpty());
    EXPECT_THAT(found.unused, IsEmpty());
    EXPECT_TRUE(at::equal(weights_of(model_).at("encoder.embedding.weight"), words));
  }
}

TEST_F(FieldWeights, OfTwoEncodersOrWithHeadsOutsideAreRefused) {
  const TensorsByName plain = weights_;
  rename([](const std::string& name) { return "student." + name; });
  for (const auto& [name, tensor] : plain) weights_["teacher." + name] = tensor;
  EXPECT_THAT([&] { loaded(); },
              ThrowsMessage<ConfigError>(
                  AllOf(HasSubstr("the names of 2 encoders begin with 'student.' and 'teacher.'; "
                                  "expected one encoder"),
                        HasSubstr("if k.startswith(\"student.\")"))));
  weights_ = plain;
  rename(
      [](const std::string& name) { return name.starts_with("bert.") ? "student." + name : name; });
  EXPECT_THAT([&] { loaded(); }, ThrowsMessage<ConfigError>(HasSubstr(
                                     "'student.' begins the names of 39 of 46 weights, but not")));
  weights_.clear();
  for (const auto& [name, tensor] : plain) weights_["text.model.part." + name.substr(8)] = tensor;
  EXPECT_THAT([&] { loaded(); }, ThrowsMessage<ConfigError>(HasSubstr(
                                     "\n  every name in the file begins with 'text.model.part.'")));
}

TEST_F(FieldWeights, LoadWithWrappersWithinNames) {
  const std::string layer = ".layer.0.";
  rename([&](std::string name) {
    if (const size_t at = name.find(layer); at != std::string::npos)
      name.insert(at + layer.size(), "_fsdp_wrapped_module._checkpoint_wrapped_module.");
    if (const size_t at = name.find("bert.encoder."); at != std::string::npos)
      name.insert(at + 5, "_orig_mod.");
    return "module." + name;
  });
  const LoadedWeights found = loaded();
  EXPECT_EQ(found.left_out.before, "module.");
  EXPECT_EQ(found.left_out.within, "_orig_mod.");
  EXPECT_EQ(found.left_out.names_within, 32u);
  EXPECT_THAT(found.fresh, IsEmpty());
  EXPECT_THAT(found.unused, IsEmpty());
}

TEST_F(FieldWeights, WithAWrapperBeforeSomeNamesAreRefused) {
  const auto refusal = [&](const std::string& what) {
    return ThrowsMessage<ConfigError>(
        AllOf(HasSubstr("model.safetensors: " + what), HasSubstr("two lines of Python")));
  };
  const TensorsByName plain = weights_;
  const size_t all = plain.size();
  // A head beside a wrapped encoder would begin with random weights, without an error.
  rename(
      [](const std::string& name) { return name.starts_with("cls.") ? "module." + name : name; });
  EXPECT_THAT([&] { loaded(); },
              refusal("'module.' begins the names of 7 of " + std::to_string(all) +
                      " weights, which are 'module.cls.predictions.bias', "
                      "'module.cls.predictions.transform.LayerNorm.bias', "
                      "'module.cls.predictions.transform.LayerNorm.weight', 4 more; expected"));
  weights_ = plain;
  rename([](const std::string& name) {
    return name == "bert.pooler.dense.bias" ? name : "_fsdp_wrapped_module." + name;
  });
  EXPECT_THAT([&] { loaded(); }, refusal("'_fsdp_wrapped_module.' begins the names of " +
                                         std::to_string(all - 1) + " of " + std::to_string(all) +
                                         " weights, but not 'bert.pooler.dense.bias'; expected"));
  weights_ = plain;
  rename([](const std::string& name) { return "module." + name; });
  rename([](const std::string& name) {
    return name.find("pooler") != std::string::npos ? "module." + name : name;
  });
  EXPECT_THAT([&] { loaded(); }, refusal("'module.' begins the names of 2 of "));
}

// save_pretrained, sentence-transformers, DDP, torch.compile and Lightning write the prefix before all
// of the encoder or none of it.
TEST_F(FieldWeights, WithThePrefixBeforeSomeOfTheEncoderAreRefused) {
  rename([](const std::string& name) {
    return name.starts_with("bert.pooler.") ? name.substr(5) : name;
  });
  EXPECT_THAT([&] { loaded(); },
              ThrowsMessage<ConfigError>(AllOf(
                  HasSubstr("'bert.' begins the names of 37 of 39 weights, but not "
                            "'pooler.dense.bias', 'pooler.dense.weight'; expected it before every "
                            "name or none"),
                  HasSubstr("k.removeprefix(\"bert.\")"))));
}

TEST_F(FieldWeights, ThatAreOfNoPartMayBeNamedAsTheyLike) {
  for (const char* name : {"module.more", "model.head.weight", "encoder.more", "_orig_mod.x"})
    weights_[name] = at::ones({2});
  EXPECT_THAT(loaded().unused, SizeIs(4));
}

TEST_F(FieldWeights, ThatAreNanOrInfiniteAreRefused) {
  const at::Tensor before = weights_of(model_).at("encoder.embedding.weight").clone();
  at::Tensor& query = weights_.at("bert.encoder.layer.0.attention.self.query.weight");
  query[0][0] = std::numeric_limits<float>::quiet_NaN();
  query[1][2] = -std::numeric_limits<float>::infinity();
  EXPECT_THAT([&] { loaded(); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr(
                  "model.safetensors: 2 of the 1024 values of "
                  "bert.encoder.layer.0.attention.self.query.weight are NaN or infinite: the "
                  "training diverged, or the file is damaged"))));
  weights_.at("bert.pooler.dense.bias").fill_(std::numeric_limits<float>::infinity());
  EXPECT_THAT([&] { loaded(); }, ThrowsCode("not-finite"));
  EXPECT_TRUE(at::equal(weights_of(model_).at("encoder.embedding.weight"), before));
}

TEST_F(FieldWeights, ThatFloat32CannotHoldAreRefused) {
  at::Tensor& bias = weights_.at("bert.pooler.dense.bias");
  bias = bias.to(at::kDouble);
  EXPECT_NO_THROW(loaded());
  bias[3] = 1e300;
  EXPECT_THAT([&] { loaded(); }, ThrowsMessage<ConfigError>(
                                     HasSubstr("1 of the 32 values of bert.pooler.dense.bias")));
}

TEST_F(FieldWeights, ThatNobodyReadsMayBeNan) {
  weights_["more"] = at::full({2}, std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(loaded().unused, ElementsAre("more"));
}

TEST_F(FieldWeights, OfTrainersAndOfGoogleAreConvertedInTwoLines) {
  const auto asking = [&] { heads_in(folder_.path()); };
  for (const char* name : {"optimizer.pt", "rng_state_0.pth", "a.ckpt", "b.ckpt", "c \"d\".pt"})
    write_text(folder_ / name, "x");
  EXPECT_THAT(asking, ThrowsMessage<ConfigError>(
                          AllOf(HasSubstr("are in PyTorch's form"),
                                HasSubstr(R"(d = torch.load("b.ckpt", "cpu", weights_only=True))"),
                                HasSubstr(R"(d.get("state_dict", d.get("model", d)))"))));
  for (const char* name : {"a.ckpt", "b.ckpt"}) std::filesystem::remove(folder_ / name);
  EXPECT_THAT(asking, ThrowsMessage<ConfigError>(HasSubstr(R"(torch.load("c \"d\".pt")")));
  write_text(folder_ / "bert_model.ckpt.index", "x");
  EXPECT_THAT(
      asking,
      ThrowsMessage<ConfigError>(AllOf(
          HasSubstr("are in the form of Google's BERT"), HasSubstr("config.json and model"),
          HasSubstr(R"(from_json_file("config.json"))"), HasSubstr(R"("bert_model.ckpt"))"))));
  std::filesystem::remove(folder_ / "config.json");
  write_text(folder_ / "bert_config.json", "{}");
  const auto reading = [&] { read_encoder_folder(folder_.path()); };
  EXPECT_THAT(reading, ThrowsMessage<ConfigError>(
                           AllOf(HasSubstr("has no config.json; expected a folder"),
                                 HasSubstr(R"(from_json_file("bert_config.json"))"))));
  std::filesystem::remove(folder_ / "bert_model.ckpt.index");
  EXPECT_THAT(reading, ThrowsMessage<ConfigError>(
                           HasSubstr("vocab.txt; bert_config.json is Google's name of it: cp ")));
}

TEST_F(FieldWeights, InOtherFormsAreConvertedInTwoLines) {
  const auto asking = [&] { heads_in(folder_.path()); };
  EXPECT_THAT(asking, ThrowsCode("unsupported-weights"));
  write_text(folder_ / "pytorch_model-00001-of-00002.bin", "x");
  EXPECT_THAT(asking, ThrowsMessage<ConfigError>(
                          AllOf(HasSubstr("are in PyTorch's form"),
                                HasSubstr("\n  import glob, torch, safetensors.torch as st; files"),
                                HasSubstr("glob(\"pytorch_model*.bin\")"))));
  write_text(folder_ / "model-00001-of-00002.safetensors", "x");
  EXPECT_THAT(asking, ThrowsMessage<ConfigError>(
                          AllOf(HasSubstr("are in several files"), Not(HasSubstr("PyTorch")),
                                HasSubstr("glob(\"model-*.safetensors\")"))));
}

TEST_F(FieldWeights, InOtherFormsMayBePointersOfGitLfs) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, '0') +
      "\nsize 440473133\n";
  for (const char* name : {"pytorch_model.bin", "model-00002-of-00003.safetensors", "tf_model.h5",
                           "flax_model.msgpack"}) {
    write_text(folder_ / name, pointer);
    EXPECT_THAT(
        [&] { heads_in(folder_.path()); },
        ThrowsMessage<ConfigError>(AllOf(HasSubstr(std::string(name) + ": is a Git LFS pointer"),
                                         HasSubstr("git lfs pull"), Not(HasSubstr("Python")))));
    std::filesystem::remove(folder_ / name);
  }
}

TEST_F(FieldWeights, FewerThanTheConfigurationSaysAreRefusedBeforeAModelIsMade) {
  loaded();
  const EncoderFolder facts = read_encoder_folder(folder_.path());
  EXPECT_NO_THROW(require_sizes(folder_.path(), facts));
  const auto error_of = [&](const std::function<void(EncoderFolder&)>& change) {
    EncoderFolder changed = facts;
    change(changed);
    try {
      require_sizes(folder_.path(), changed);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(
      error_of([](EncoderFolder& folder) { folder.vocabulary = 9'000'000; }),
      HasSubstr("config.json:\n  bert.embeddings.word_embeddings.weight is of shape [48, 32], "
                "expected [9000000, 32]"));
  EXPECT_THAT(error_of([](EncoderFolder& folder) { folder.options.max_positions = 9'000'000; }),
              HasSubstr("bert.embeddings.position_embeddings.weight is of shape [24, 32]"));
  EXPECT_THAT(error_of([](EncoderFolder& folder) { folder.options.ffn = 9'000'000; }),
              HasSubstr("bert.encoder.layer.1.intermediate.dense.weight is of shape [48, 32]"));
  EXPECT_THAT(error_of([](EncoderFolder& folder) { folder.options.layers = 900; }),
              HasSubstr("bert.encoder.layer.899.intermediate.dense.weight is missing"));
}

}  // namespace
}  // namespace rethink
