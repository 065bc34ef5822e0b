#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/pretrained_folder.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(AdapterWeights, AreRefusedWithTwoLinesThatMergeThem) {
  for (const char* name : {"adapter_config.json", "adapter_model.safetensors"}) {
    const TempFolder folder;
    EXPECT_NO_THROW(refuse_adapter_weights(folder.path()));
    write_text(folder / name, "{}");
    EXPECT_THAT([&] { refuse_adapter_weights(folder.path()); },
                ThrowsMessage<ConfigError>(AllOf(
                    StartsWith((folder / name).string() + ": the weights are an adapter (LoRA"),
                    HasSubstr(".merge_and_unload().save_pretrained(\"merged\")"))));
    write_text(folder / "model.safetensors", "");
    EXPECT_NO_THROW(refuse_adapter_weights(folder.path()));
  }
}

TEST(AdapterWeights, AreKnownByNames) {
  EXPECT_EQ(trouble_with_adapter_names({}), "");
  EXPECT_EQ(trouble_with_adapter_names({"base_model.model.bert.pooler.dense.weight",
                                        "bert.lora_Alpha.weight", "lora", "base_layers.weight"}),
            "");
  for (const std::string name :
       {"base_model.model.bert.encoder.layer.0.attention.self.query.lora_A.weight",
        "bert.encoder.layer.0.attention.self.query.lora_B.default.weight",
        "bert.encoder.layer.0.attention.self.query.base_layer.weight",
        "bert.embeddings.lora_embedding_A"}) {
    EXPECT_THAT(trouble_with_adapter_names({"bert.pooler.dense.weight", name}),
                AllOf(HasSubstr("not merged into its model, such as " + name),
                      HasSubstr("\n  model = model.merge_and_unload()\n")));
  }
}

}  // namespace
}  // namespace rethink
