// docs/commands.md equals the help of the program's commands. RETHINK_UPDATE_GOLDEN=1 writes the page.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>

#include "app/driver/command.h"
#include "core/json.h"
#include "tests/support/golden.h"

namespace rethink {
namespace {

constexpr const char* kReferenceHead =
    R"(# Commands

All commands with their options. A test writes this page from the program
(`tests/unit/app/command_reference_test.cpp`) and fails if the page differs. `rethink COMMAND --help` prints the same
texts. [Tasks and their commands](how_to/commands.md) has examples; [exit codes](sweeps.md#exit-codes) are the same for
all commands.
)";

/// Returns `text` as a cell of a Markdown table.
std::string as_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string option_row(const po::option_description& option) {
  const bool has_value = option.semantic()->max_tokens() > 0;
  const std::string kind = option.semantic()->name();  // "DIR (=store)"
  const size_t begin = has_value ? kind.find("(=") : std::string::npos;
  const std::string value =
      begin == std::string::npos ? "" : kind.substr(begin + 2, kind.size() - begin - 3);
  const std::string name =
      option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  const bool has_short_name = name.size() == 2 && name.front() == '-';
  return fmt::format("| `{}--{}{}` | {} | {} |\n", has_short_name ? name + ", " : "",
                     option.long_name(), has_value ? " " + kind.substr(0, kind.find(" (=")) : "",
                     value.empty() ? "" : "`" + value + "`", as_cell(option.description()));
}

/// Whether the help shows the option with the library's own word for a value.
bool is_unnamed(const po::option_description& option) {
  return option.semantic()->max_tokens() > 0 && option.semantic()->name().starts_with("arg");
}

std::string options_table(const po::options_description& options) {
  if (options.options().empty()) return "";
  std::string table = "\n| option | default | meaning |\n|---|---|---|\n";
  for (const auto& option : options.options()) {
    EXPECT_FALSE(is_unnamed(*option)) << option->long_name() << " has no value_name";
    table += option_row(*option);
  }
  return table;
}

std::string section_of(const std::string& name, const CommandContext& context) {
  const std::shared_ptr<Command> command = commands().make(name, Json::object());
  std::string help = "Usage: rethink " + name;
  if (!command->positional().empty()) help += " " + command->positional();
  help += "\n\n" + command->more_help(context);
  while (help.ends_with('\n')) help.pop_back();
  po::options_description options;
  command->declare(options);
  std::string summary = commands().schema(name).summary;
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  return fmt::format("\n## {}\n\n{}.\n\n```text\n{}\n```\n{}", name, summary, help,
                     options_table(options));
}

TEST(CommandReference, IsWhatTheProgramSays) {
  CommandContext context;
  context.paths = {RETHINK_SOURCE_DIR};
  context.programs = RETHINK_BINARY_DIR "/bin";
  if (!std::filesystem::exists(context.programs / "rethink-worker"))
    GTEST_SKIP() << "the options of `rethink bench` are the worker's, which is not built";
  std::string list = "\n| command | does |\n|---|---|\n", sections;
  for (const std::string& name : commands().names()) {
    list +=
        fmt::format("| [`{0}`](#{0}) | {1} |\n", name, as_cell(commands().schema(name).summary));
    sections += section_of(name, context);
  }
  const std::string page = kReferenceHead + list + "\n## Options of every command\n" +
                           options_table(common_options()) + sections;
  EXPECT_EQ(page, kept_text("docs/commands.md", page));
}

}  // namespace
}  // namespace rethink
