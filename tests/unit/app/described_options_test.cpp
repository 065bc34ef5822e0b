#include "app/driver/show/described_options.h"

#include <gmock/gmock.h>

#include "core/config/schema.h"
#include "core/facts/mask_facts.h"
#include "core/json.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;

Field number(const std::string& name, double value) {
  Field field;
  field.name = name;
  field.type = FieldType::real;
  field.default_value = value;
  return field;
}

Field choice(const std::string& name, const std::string& registry, const Json& value) {
  Field field;
  field.name = name;
  field.type = FieldType::plugin;
  field.registry = registry;
  field.tag = "kind";
  field.default_value = value;
  return field;
}

PluginSchema plugin(const std::string& registry, const std::string& name,
                    std::vector<Field> fields) {
  return {registry, name, "does " + name, 3, {std::move(fields), {}}, MaskFacts{.crops = true}};
}

/// Returns a schema of jobs lm and finetune with an optimizer each, adam by default; attention dam has a penalty.
Schema example() {
  Field model;
  model.name = "model";
  model.type = FieldType::object;
  model.default_value = {{"layers", 6}, {"attention", {{"kind", "dense"}}}};
  model.fields = {number("layers", 2), choice("attention", "attention", {{"kind", "dense"}})};
  Schema schema;
  const auto add = [&](PluginSchema one) { schema.plugins[one.registry][one.name] = one; };
  add(plugin(
      "job", "lm",
      {number("batch", 1), choice("optimizer", "optimizer", {{"kind", "adam"}, {"lr", 0.5}})}));
  add(plugin("job", "finetune", {number("batch", 8), model}));
  add(plugin("optimizer", "adam", {number("lr", 0.1)}));
  add(plugin("optimizer", "sgd", {number("lr", 0.2)}));
  add(plugin("attention", "dense", {}));
  add(plugin("attention", "dam", {number("penalty", 1)}));
  schema.plugins["job"]["finetune"].options.rules = {at_most("batch", "steps", "few"),
                                                     at_most("steps", "epochs", "other")};
  return schema;
}

/// Returns each option with this name, and its default: "job/lm.batch=1".
std::vector<std::string> found(const std::string& name) {
  std::vector<std::string> all;
  for (const auto& [registry, plugins] : options_named(example(), name).plugins) {
    for (const auto& [plugin_name, plugin] : plugins) {
      for (const Field& field : plugin.options.fields)
        all.push_back(registry + "/" + plugin_name + "." + field.name + "=" +
                      field.default_value.dump());
    }
  }
  return all;
}

using Names = std::vector<std::string>;

TEST(OptionsNamed, AreOfThePlugInThatIsNamedOrOfEveryJob) {
  EXPECT_EQ(found("finetune.batch"), (Names{"job/finetune.batch=8.0"}));
  EXPECT_EQ(found("job/lm.batch"), (Names{"job/lm.batch=1.0"}));
  EXPECT_EQ(found("batch"), (Names{"job/finetune.batch=8.0", "job/lm.batch=1.0"}));
  EXPECT_EQ(found("model.layers"), (Names{"job/finetune.model.layers=6"}));
  EXPECT_THAT(found("finetune.bach"), IsEmpty());
  EXPECT_THAT(found("sgd.batch"), IsEmpty());
}

TEST(OptionsNamed, OfAPlugInHaveTheDefaultOfTheJobThatChoosesIt) {
  EXPECT_EQ(found("lm.optimizer.lr"), (Names{"job/lm.optimizer.lr=0.5", "optimizer/sgd.lr=0.2"}));
  EXPECT_EQ(found("optimizer.lr"),
            (Names{"job/lm.optimizer.lr=0.5", "optimizer/adam.lr=0.1", "optimizer/sgd.lr=0.2"}));
  EXPECT_EQ(found("model.attention.penalty"), (Names{"attention/dam.penalty=1.0"}));
  EXPECT_EQ(found("attention.penalty"), (Names{"attention/dam.penalty=1.0"}));
  EXPECT_EQ(found("finetune.model.attention.kind").size(), 1u);
}

TEST(OptionsNamed, AreOfAnyPlugInWhereNoJobHasOneCalledSo) {
  EXPECT_EQ(found("penalty"), (Names{"attention/dam.penalty=1.0"}));
  EXPECT_EQ(found("lr"), (Names{"optimizer/adam.lr=0.1", "optimizer/sgd.lr=0.2"}));
}

TEST(OptionsNamed, ComeWithTheirRulesAndNothingElseOfThePlugIn) {
  const Schema schema = options_named(example(), "finetune.batch");
  const PluginSchema& job = schema.plugins.at("job").at("finetune");
  EXPECT_EQ(job.summary, "does finetune");
  EXPECT_EQ(job.options.rules.size(), 1u);
  EXPECT_TRUE(job.facts.json().empty());
}

TEST(NamesOfOptions, AreWithAndWithoutTheJob) {
  EXPECT_THAT(names_of_options(example()),
              AllOf(Contains("finetune.batch"), Contains("batch"), Contains("lm.optimizer.lr"),
                    Contains("model.attention.penalty"), Contains("model.attention.kind")));
}

}  // namespace
}  // namespace rethink
