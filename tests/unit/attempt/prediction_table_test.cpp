#include "experiments/attempt/command/output/prediction_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A value that the bootstrap could not compare is refused with its line, and not rounded.
TEST(PredictionTable, RefusesValuesThatNoTestCanUse) {
  const TempFolder folder;
  const auto read = [&](const std::string& text) {
    write_text(folder / "predictions.csv", text);
    write_predictions(folder / "predictions.csv", folder / "predictions.safetensors");
  };
  EXPECT_NO_THROW(read("split,nll,tokens\ntest,1.5,2\r\ntest,2.5,3"));
  EXPECT_THAT([&] { read("split,nll,tokens\ntest,1.5,2\ntest,2.5,3.5\n"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("predictions.csv:3: got '3.5', expected a whole number from 0 on")));
  EXPECT_THAT([&] { read("split,nll,tokens\ntest,1.5,-2\n"); },
              ThrowsMessage<ConfigError>(HasSubstr("predictions.csv:2: got '-2'")));
  for (const char* value : {"nan", "inf", "", "1x"}) {
    EXPECT_THAT([&] { read(std::string("split,exact,f1\ntest,1,") + value + "\n"); },
                ThrowsMessage<ConfigError>(HasSubstr("expected a finite number")))
        << value;
  }
}

}  // namespace
}  // namespace rethink
