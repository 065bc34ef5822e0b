#include "core/config/note.h"

#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

TEST(Note, NamesThePlaceThatItKnows) {
  EXPECT_EQ(to_text(Note("a-code", "a text")), "note: a text");
  EXPECT_EQ(to_text(Note("a-code", "a text", Position{"--slots"})), "--slots: note: a text");
  EXPECT_EQ(to_text(Note("a-code", "a text", Position{"s.yaml", 3, 5})),
            "s.yaml:3:5: note: a text");
}

TEST(Note, HasItsCodeAndPlaceInJson) {
  EXPECT_EQ(to_json(Note("a-code", "a text")), (Json{{"note", "a-code"}, {"message", "a text"}}));
  EXPECT_EQ(to_json(Note("a-code", "a text", Position{"s.yaml", 3, 5})),
            (Json{{"note", "a-code"},
                  {"message", "a text"},
                  {"file", "s.yaml"},
                  {"line", 3},
                  {"column", 5}}));
}

}  // namespace
}  // namespace rethink
