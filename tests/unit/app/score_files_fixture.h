// Fixture that runs `rethink score WORD` on files that a test writes.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {

class ScoreFiles : public CommandTest {
 protected:
  ScoreFiles() { data_ = folder_ / "data"; }

  std::string write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
    return (folder_ / name).string();
  }
  /// Returns the output of `rethink score WORDS... --pred FILE`.
  Json scored(std::vector<std::string> words, const std::string& predictions) const {
    words.insert(words.begin(), "score");
    words.insert(words.end(), {"--pred", predictions});
    const CommandAnswer said = answer(words);
    EXPECT_EQ(said.code, kDone);
    return parse_json(said.out, "scores");
  }
  void expect_code(const std::vector<std::string>& words, const std::string& predictions,
                   const std::string& code) const {
    EXPECT_THAT([&] { scored(words, predictions); }, ThrowsCode(code));
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& predictions,
                      const std::string& message) const {
    EXPECT_THAT([&] { scored(words, predictions); },
                testing::ThrowsMessage<ConfigError>(testing::HasSubstr(message)));
  }
  /// Returns the stderr of the same command.
  std::string notes_on(std::vector<std::string> words, const std::string& predictions) const {
    words.insert(words.begin(), "score");
    words.insert(words.end(), {"--pred", predictions});
    return answer(words).err;
  }
  /// Writes MRPC as published: pairs 4 to 8 are dev's.
  void write_mrpc() const {
    std::string rows = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n", ids;
    const std::string labels = "10111100";
    for (size_t i = 0; i < labels.size(); ++i) {
      rows += fmt::format("{}\t{}\t9\tone {}\tother\n", labels[i], i, i);
      if (i >= 3) ids += fmt::format("{}\t9\n", i);
    }
    write("data/glue/MRPC/msr_paraphrase_train.txt", rows);
    write("data/glue/MRPC/dev_ids.tsv", ids);
  }
};

inline void expect_scores(const Json& found, const std::map<std::string, double>& expected) {
  EXPECT_EQ(found.size(), expected.size()) << found;
  for (const auto& [name, value] : expected) {
    ASSERT_TRUE(found.contains(name)) << name << " in " << found;
    EXPECT_NEAR(found.at(name).get<double>(), value, 1e-9) << name;
  }
}

}  // namespace rethink
