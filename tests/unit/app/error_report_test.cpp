#include "app/driver/cli/error_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

#include "app/driver/command.h"
#include "core/config/problems.h"
#include "core/json.h"

namespace rethink {
namespace {

TEST(ErrorReport, HasTheCodeTheMessageAndTheExitCodeOfAnError) {
  EXPECT_EQ(error_json(ConfigError("unknown-key", "unknown key 'a'")),
            (Json{{"error", "unknown-key"}, {"message", "unknown key 'a'"}, {"exit", kUserError}}));
  EXPECT_EQ(
      error_json(MachineError("store-in-use", "it is in use")),
      (Json{{"error", "store-in-use"}, {"message", "it is in use"}, {"exit", kMachineError}}));
  EXPECT_EQ(error_json(std::bad_alloc()).at("error"), "out-of-memory");
  EXPECT_EQ(error_json(std::runtime_error("x")).at("error"), "unexpected");
}

TEST(ErrorReport, ListsTheMistakesOfAFileInTheOrderOfTheirPlaces) {
  Problems problems;
  problems.add({"a.yaml", 3, 1}, "invalid-value", "got 'x', expected a number");
  problems.add({"a.yaml", 1, 5}, "unknown-key", "unknown key 'b'");
  try {
    problems.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const ConfigError& error) {
    const Json json = error_json(error);
    EXPECT_EQ(json.at("error"), "unknown-key");
    EXPECT_EQ(json.at("problems"), (Json::array({{{"error", "unknown-key"},
                                                  {"message", "unknown key 'b'"},
                                                  {"file", "a.yaml"},
                                                  {"line", 1},
                                                  {"column", 5}},
                                                 {{"error", "invalid-value"},
                                                  {"message", "got 'x', expected a number"},
                                                  {"file", "a.yaml"},
                                                  {"line", 3},
                                                  {"column", 1}}})));
  }
}

TEST(ErrorReport, IsJsonWhereTheCommandLineAsksForIt) {
  EXPECT_TRUE(asks_for_json({"plan", "a.yaml", "--format", "json"}));
  EXPECT_TRUE(asks_for_json({"plan", "--format=json", "a.yaml"}));
  EXPECT_FALSE(asks_for_json({"plan", "a.yaml", "--format", "csv"}));
  EXPECT_FALSE(asks_for_json({"plan", "a.yaml", "--format"}));
  EXPECT_FALSE(asks_for_json({"plan", "json"}));
  EXPECT_FALSE(asks_for_json({"bench", "--", "--format", "json"}));
}

TEST(ErrorReport, PrintsOneLineOfJsonOrTheMessage) {
  const ConfigError error("invalid-yaml", "a.yaml:1:1: error: \xFF is wrong\n  text\n  ^");
  testing::internal::CaptureStderr();
  EXPECT_EQ(report_error(error, /*as_json=*/false), kUserError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(error.what()) + "\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(report_error(error, /*as_json=*/true), kUserError);
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(parse_json(line, "the line").at("error"), "invalid-yaml");
}

}  // namespace
}  // namespace rethink
