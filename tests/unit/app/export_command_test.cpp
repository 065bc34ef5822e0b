// `rethink export` of a trial's encoder.
#include <gmock/gmock.h>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const std::map<std::string, std::string> kEncoder = {
    {"model.safetensors", "weights"},
    {"config.json", R"({"rethink": {"model": {"attention": {"kind": "dense", "at": []}}}})"},
    {"tokenizer_config.json", "{}"},
    {"vocab.txt", "[PAD]\n"}};

class ExportCommand : public CommandTest {
 protected:
  /// Adds a done trial with these files, all of them weights.
  std::string add_with(const std::map<std::string, std::string>& files) {
    TrialMaker trial(folder_.path(), "a", {{"rate", 1}});
    trial.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    Json result = trial.result_json();
    for (const auto& [name, text] : files) {
      write_text(trial.folder() / "artifacts" / name, text);
      result["artifacts"].push_back({{"name", name},
                                     {"kind", "weights"},
                                     {"file", "artifacts/" + name},
                                     {"sha256", sha256_hex(text)},
                                     {"bytes", text.size()},
                                     {"facts", Json::object()}});
    }
    trial.set_result(result);
    sweep_.members.push_back({trial.id(), "lm", "", {}});
    artifacts_ = trial.folder() / "artifacts";
    finish();
    return trial.id();
  }

  std::string exported() const { return (out_ / "model").string(); }

  std::filesystem::path artifacts_;
  const TempFolder out_;
};

TEST_F(ExportCommand, CopiesTheEncoderThatATrialLeft) {
  const std::string id = add_with(kEncoder);
  const CommandAnswer said = answer({"export", id, exported()});
  EXPECT_EQ(said.out, exported() + "\n");
  EXPECT_THAT(said.err, IsEmpty());
  for (const auto& [name, text] : kEncoder)
    EXPECT_EQ(read_text(out_ / ("model/" + name)), text) << name;
  EXPECT_THAT([&] { answer({"export", id, exported()}); }, ThrowsCode("file-exists"));
}

TEST_F(ExportCommand, SaysWhatTransformersCannotKnow) {
  std::map<std::string, std::string> files = kEncoder;
  files["config.json"] = R"({"rethink": {"model": {"attention": {"kind": "masked", "at": []}}}})";
  EXPECT_THAT(answer({"export", add_with(files), exported()}).err,
              HasSubstr("the model's attention is masked, which transformers lacks"));
}

TEST_F(ExportCommand, RefusesDamagedFiles) {
  const std::string id = add_with(kEncoder);
  write_text(artifacts_ / "vocab.txt", "[pad]\n");
  EXPECT_THAT(
      [&] {
        answer({"export", id, exported()});
      },
      ThrowsMessage<ConfigError>(HasSubstr("vocab.txt is damaged; to restore it: " +
                                           on_store("rm " + id) + ", then run its sweep")));
  std::filesystem::remove(artifacts_ / "vocab.txt");
  EXPECT_THAT(
      [&] {
        answer({"export", id, exported()});
      },
      ThrowsMessage<ConfigError>(HasSubstr("vocab.txt is missing")));
  EXPECT_FALSE(std::filesystem::exists(exported()));
}

TEST_F(ExportCommand, NamesWhatASelectChose) {
  TrialMaker best(folder_.path(), "5e", Json::object());
  const Json seeds = {{{"seed", 0}, {"trial", id_of("a1")}}, {{"seed", 1}, {"trial", id_of("a2")}}};
  best.seed(nullptr)
      .attempt(1, {start_event(1, 0), {{"event", "selected"}, {"seeds", seeds}}, end_event("done")})
      .result(1);
  Json result = best.result_json();
  result["selected"] = {{"group", 0},
                        {"labels", Json::array()},
                        {"by", "dev/score"},
                        {"score", 0.5},
                        {"seeds", seeds}};
  for (const int64_t seed : {0, 1}) {
    result["artifacts"].push_back(
        {{"name", "model"},
         {"kind", "weights"},
         {"file", "../" + seeds[seed]["trial"].get<std::string>() + "/artifacts/model.safetensors"},
         {"sha256", sha256_hex("")},
         {"bytes", 0},
         {"facts", Json::object()},
         {"seed", seed}});
  }
  best.set_result(result);
  finish();
  EXPECT_THAT(
      [&] {
        answer({"export", best.id(), exported()});
      },
      ThrowsMessage<ConfigError>(
          HasSubstr("is a select, which trains nothing; give one of its winners: " + id_of("a1") +
                    ", " + id_of("a2"))));
}

TEST_F(ExportCommand, SaysWhyATrialHasNothingToExport) {
  programs_ = folder_of_programs();
  const std::string id = add_with({});
  EXPECT_THAT(
      [&] {
        answer({"export", id, exported()});
      },
      ThrowsMessage<ConfigError>(HasSubstr("has no model of ours: it is of job noop")));
  const std::string decoder = add_with({{"mask.safetensors", "x"}});
  EXPECT_THAT([&] { answer({"export", decoder, exported()}); }, ThrowsCode("artifact-missing"));
  std::filesystem::remove(artifacts_.parent_path() / "result.json");
  EXPECT_THAT([&] { answer({"export", decoder, exported()}); }, ThrowsCode("missing-result"));
  EXPECT_THAT([&] { answer({"export", decoder}); }, ThrowsCode("wrong-arguments"));
}

}  // namespace
}  // namespace rethink
