#include "app/driver/cli/script_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/attempt/command/output/stdout_pattern.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

/// Names and patterns.
std::vector<std::pair<std::string, std::string>> printed(const std::string& script) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const PrintedMetric& one : printed_metrics_in(script))
    all.emplace_back(one.name, one.pattern);
  return all;
}

TEST(PrintedMetrics, AreFoundInFStrings) {
  EXPECT_THAT(printed(R"py(print(f"epoch {epoch} loss {total / len(d['a']):.4f} acc {right}"))py"),
              ElementsAre(Pair("run/loss", "epoch {step} loss {value}"),
                          Pair("run/acc", "epoch {step}.* acc {value}")));
  EXPECT_THAT(
      printed(R"py(print(f"[step={i}/{n}] val_loss: {a:8.3f}, test acc={b:.1%} ({t:.1f}s)"))py"),
      ElementsAre(Pair("dev/loss", R"py(\[step={step}.*\] val_loss:  *{value})py"),
                  Pair("test/acc", R"py(\[step={step}.*, test acc={value})py")));
  EXPECT_THAT(printed("print(f'loss {loss} at '\n      f'step {step}', flush=True)"),
              ElementsAre(Pair("run/loss", "loss {value} at step {step}")));
  EXPECT_THAT(printed(R"py(print(f"epoch {e} {acc=}"))py"),
              ElementsAre(Pair("run/acc", "epoch {step} acc={value}")));
}

TEST(PrintedMetrics, AreFoundInOtherFormats) {
  EXPECT_THAT(printed(R"py(print("epoch", epoch, "train loss", loss.item(), "lr", lr))py"),
              ElementsAre(Pair("train/loss", "epoch {step} train loss {value}")));
  EXPECT_THAT(printed(R"py(print("Epoch %3d loss=%.3f" % (epoch, loss)))py"),
              ElementsAre(Pair("run/loss", "Epoch  *{step} loss={value}")));
  EXPECT_THAT(printed(R"py(print("Epoch: {} loss: {:.3f}".format(epoch, loss)))py"),
              ElementsAre(Pair("run/loss", "Epoch: {step} loss: {value}")));
}

TEST(PrintedMetrics, WithoutAStepHaveUsualNames) {
  const auto found =
      printed_metrics_in(R"py(print(f"test accuracy: {x:.3f}, took {t:.1f}s, n={n}"))py");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pattern, "test accuracy: {value}");
  EXPECT_FALSE(found[0].has_step);
}

TEST(PrintedMetrics, AreNotSettingsCountsOrErrors) {
  EXPECT_THAT(printed(R"py(print(f"model with {n} parameters on {device}"))py"), IsEmpty());
  EXPECT_THAT(printed(R"py(print(f"epoch {e} tokens {n:,}"))py"), IsEmpty());
  EXPECT_THAT(printed(R"py(print(f"epoch {e} loss {x}", file=sys.stderr))py"), IsEmpty());
  EXPECT_THAT(printed(R"py(# print(f"epoch {e} loss {x}"))py"), IsEmpty());
  EXPECT_THAT(printed("print(f\"epoch {e"), IsEmpty());
}

TEST(PrintedMetrics, HavePatternsThatReadTheirLines) {
  const auto found = printed_metrics_in(
      R"py(print(f"Epoch {e}/{n} | loss {a:7.3f} | val acc: {b:.2f}% | speed {c:.1f}it"))py");
  const char* line = "Epoch 3/10 | loss   0.500 | val acc: 91.30% | speed 12.5it";
  ASSERT_EQ(found.size(), 3U);
  const double expected[] = {0.5, 91.3, 12.5};
  for (size_t i = 0; i < found.size(); ++i) {
    const auto read = StdoutPattern(found[i].pattern).find(line);
    ASSERT_TRUE(read) << found[i].pattern;
    EXPECT_EQ(read->value, expected[i]);
    EXPECT_EQ(read->step, 3);
  }
}

TEST(ArgparseDefaults, AreLiterals) {
  EXPECT_THAT(
      argparse_defaults_in(R"py(
p.add_argument("--lr", type=float, default=1e-3, help="the rate, (default=2)")
p.add_argument('-b', '--batch-size', default=8)
p.add_argument("--out", default="model.pkl")
p.add_argument("--none", default=None)
p.add_argument("--home", default=os.environ.get("HOME", "x"))
p.add_argument("--verbose", action="store_true")
p.add_argument("data", default="d"))py"),
      UnorderedElementsAre(Pair("lr", "1e-3"), Pair("batch_size", "8"), Pair("out", "model.pkl")));
}

TEST(ScriptText, IsTheFirstMillionBytesOfALongFile) {
  const TempFolder folder;
  write_text(folder / "short.py", "import os\n");
  write_text(folder / "long.py", std::string(1'000'000, '#') + "import os\n");
  EXPECT_EQ(script_text(folder / "short.py"), "import os\n");
  EXPECT_EQ(script_text(folder / "long.py"), std::string(1'000'000, '#'));
}

TEST(ModulesBeside, AreFollowed) {
  const TempFolder folder;
  const std::string text =
      "import os, utils\nfrom package.part import x\nfrom . import no\nimport torch.nn as nn\n";
  write_text(folder / "utils.py", "    from deeper import y\nimport train\n");
  write_text(folder / "deeper.py", "");
  write_text(folder / "package" / "part.py", "");
  write_text(folder / "unused.py", "");
  EXPECT_THAT(modules_beside(folder / "train.py", text),
              UnorderedElementsAre("utils.py", "package/**/*.py", "deeper.py"));
}

TEST(OutputKeys, AreRecognised) {
  for (const char* key :
       {"out", "output", "output_dir", "save", "save_path", "checkpoint", "ckpt_dir", "log_dir"})
    EXPECT_TRUE(is_output_key(key)) << key;
  for (const char* key : {"lr", "model", "log_every", "output_size", "dropout", "save_every"})
    EXPECT_FALSE(is_output_key(key)) << key;
}

}  // namespace
}  // namespace rethink
