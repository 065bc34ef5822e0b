// Explains common mistakes in YAML: yaml-cpp only reports that something is wrong, often lines
// later.
#pragma once

#include <optional>
#include <string>

#include "core/yaml/lookalike_characters.h"

namespace rethink {

constexpr size_t kDeepestYaml = 100;
constexpr size_t kLongestKey = 1024;  // of YAML [bytes]

/// The error that stopped the parser.
enum class YamlTrouble { colon, end_of_block, end_of_flow, letter, other };

/// Line and column count from 1.
struct YamlMistake {
  int line = 0;
  int column = 0;
  std::string text;
};

/// Returns a bracket that begins up to `line` and stays open, closes nothing or closes another
/// kind, or nesting deeper than kDeepestYaml. Requires: `text` is known to be invalid, since plain
/// words with brackets may look like a mistake.
std::optional<YamlMistake> bracket_mistake(const std::string& text, int line);

/// Returns the probable cause of `trouble` at this position: a bracket, a tab, indentation, a
/// colon. Returns nothing if no better explanation is known.
std::optional<YamlMistake> likely_mistake(const std::string& text, int line, int column,
                                          YamlTrouble trouble);

/// Returns a key of more than kLongestKey bytes before a ':' within brackets or braces of the line.
std::optional<YamlMistake> long_key_in_flow(const std::string& text, int line);

/// Returns whether the quoted text that begins at `begin` of `text` ends.
bool is_closed_quote(const std::string& text, size_t begin);

/// Returns the message on a value or key without quotes that begins or ends with `blank`.
std::string text_of_outer_blank(const std::string& value, const FoundBlank& blank);

/// Returns the message on `word`, a key with neither ':' nor a value.
std::string text_of_missing_colon(const std::string& word);
/// The same for a word that braces hold alone: to YAML, {config.lr} is a map.
std::string text_of_unquoted_placeholder(const std::string& word);

}  // namespace rethink
