#include "app/build_hash/code_of.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

void expect_same(const std::string& one, const std::string& other) {
  EXPECT_EQ(code_of(one), code_of(other)) << one << "\n" << other;
}

void expect_other(const std::string& one, const std::string& other) {
  EXPECT_NE(code_of(one), code_of(other)) << one << "\n" << other;
}

TEST(CodeOf, LeavesOutCommentsAndLineBreaks) {
  expect_same("int a = 1;  // one\n", "int a = 1;");
  expect_same("int a = 1; // one \\\n two\nint b;", "int a = 1;\nint b;");
  expect_same("int a /* one\n * two */ = 1;", "int a = 1;");
  expect_same("f(first,\n  second);", "f(first, second);");
  expect_same("f(\n    first);", "f(first);");
  expect_same("#include \"a.h\"\n\n// why\n#include \"b.h\"\n",
              "#include \"a.h\"\n#include \"b.h\"\n");
}

TEST(CodeOf, KeepsWhatLooksLikeAComment) {
  expect_other("const char* a = \"// one\";", "const char* a = \"// two\";");
  expect_other("auto a = R\"x(/* one )\" )x\";", "auto a = R\"x(/* two )\" )x\";");
  expect_other("char a = '\"'; f(\"// one\");", "char a = '\"'; f(\"// two\");");
  expect_other("int a = 1'000; f(2); // 'x", "int a = 1'000; f(3); // 'x");
  expect_other("double a = 0x1.8p-3;", "double a = 0x1.8p+3;");
}

TEST(CodeOf, KeepsEveryToken) {
  expect_other("a + +b", "a ++b");
  expect_other("return 1;", "return1;");
  expect_other("#define A 1\n2", "#define A 1 2");
  expect_other("#define A (x)", "#define A(x)");
  expect_other("#define A 1\\\n + 2\nint b;", "#define A 1\n + 2\nint b;");
  expect_other("x = 0.1;", "x = 0.2;");
  expect_other("pick(\"high\");", "pick(\"highest\");");
}

TEST(CodeOf, LeavesOutErrorMessages) {
  expect_same("throw TrialError(\"one\");", "throw TrialError(\"another one\");");
  expect_same("throw TrialError(fmt::format(\"one {} \"\n  \"two\", a));",
              "throw TrialError(fmt::format(\"two {}\", a));");
  expect_same("throw TrialError(text);", "throw TrialError(\"out-of-memory\", text);");
  expect_same("throw TrialError(fmt::format(\"one {}\", a));",
              "throw TrialError(\n    \"no-value\",\n    fmt::format(\"two {}\", a));");
  expect_same("TORCH_CHECK(a == b, \"one\", a);", "TORCH_CHECK(a == b, \"two\", a);");
  expect_same("events.message(\"info\", format(\"one\"));",
              "events.message(\"info\", format(\"two\"));");
  expect_same("{.name = \"lamb\", .summary = \"one\",}", "{.name = \"lamb\", .summary = \"two\",}");
}

TEST(CodeOf, KeepsLiteralsBesideErrorMessages) {
  expect_other("throw TrialError(\"x\"); pick(\"one\");",
               "throw TrialError(\"x\"); pick(\"two\");");
  expect_other("bad ? throw Error(\"x\") : pick(\"one\");",
               "bad ? throw Error(\"x\") : pick(\"two\");");
  expect_other("pick([] { throw Error(\"x\"); }, \"one\");",
               "pick([] { throw Error(\"x\"); }, \"two\");");
  expect_other("{.summary = \"x\", .name = \"one\"}", "{.summary = \"x\", .name = \"two\"}");
  expect_other("TORCH_CHECK(a, \"x\"); pick(\"one\");", "TORCH_CHECK(a, \"x\"); pick(\"two\");");
  expect_other("#define FAIL throw Error(\"x\")\nauto a = \"one\";",
               "#define FAIL throw Error(\"x\")\nauto a = \"two\";");
  expect_other("throw Error(a, 1);", "throw Error(a, 2);");
  expect_other("throw; pick(\"one\");", "throw; pick(\"two\");");
}

TEST(CodeOf, LeavesOutDescriptionsOfOptions) {
  expect_same("field(\"rate\", rate, \"one\").min(0);",
              "field(\"rate\", rate, \"two \"\n\"more\").min(0);");
  expect_other("field(\"rate\", rate, \"x\");", "field(\"lambda\", rate, \"x\");");
  expect_other("field(\"rate\", at(\"one\", 1, \"a\"), \"x\");",
               "field(\"rate\", at(\"one\", 1, \"b\"), \"x\");");
  expect_other("field(\"rate\", rate, \"x\").one_of({\"one\"});",
               "field(\"rate\", rate, \"x\").one_of({\"two\"});");
  expect_other("fields(a, b, \"one\");", "fields(a, b, \"two\");");
}

TEST(CodeOf, ReadsAnySourceToItsEnd) {
  for (const char* cut : {"", "\"", "'", "/*", "//", "\\", "R\"", "R\"x(", "throw", "field(a, ,,",
                          "#", "a\"b\\", ")))"})
    EXPECT_NO_THROW(code_of(cut)) << cut;
}

}  // namespace
}  // namespace rethink
