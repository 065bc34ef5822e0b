#include "plots/render/latex_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Greek letters and symbols that need math mode.
const Replacements& signs() {
  static const Replacements kSigns = {{"α", "\\alpha"},
                                      {"β", "\\beta"},
                                      {"γ", "\\gamma"},
                                      {"δ", "\\delta"},
                                      {"ε", "\\varepsilon"},
                                      {"ϵ", "\\epsilon"},
                                      {"ζ", "\\zeta"},
                                      {"η", "\\eta"},
                                      {"θ", "\\theta"},
                                      {"ϑ", "\\vartheta"},
                                      {"ι", "\\iota"},
                                      {"κ", "\\kappa"},
                                      {"λ", "\\lambda"},
                                      {"μ", "\\mu"},
                                      {"µ", "\\mu"},
                                      {"ν", "\\nu"},
                                      {"ξ", "\\xi"},
                                      {"ο", "o"},
                                      {"π", "\\pi"},
                                      {"ρ", "\\rho"},
                                      {"σ", "\\sigma"},
                                      {"ς", "\\varsigma"},
                                      {"τ", "\\tau"},
                                      {"υ", "\\upsilon"},
                                      {"φ", "\\varphi"},
                                      {"ϕ", "\\phi"},
                                      {"χ", "\\chi"},
                                      {"ψ", "\\psi"},
                                      {"ω", "\\omega"},
                                      {"Γ", "\\Gamma"},
                                      {"Δ", "\\Delta"},
                                      {"Θ", "\\Theta"},
                                      {"Λ", "\\Lambda"},
                                      {"Ξ", "\\Xi"},
                                      {"Π", "\\Pi"},
                                      {"Σ", "\\Sigma"},
                                      {"Υ", "\\Upsilon"},
                                      {"Φ", "\\Phi"},
                                      {"Ψ", "\\Psi"},
                                      {"Ω", "\\Omega"},
                                      {"±", "\\pm"},
                                      {"∓", "\\mp"},
                                      {"×", "\\times"},
                                      {"÷", "\\div"},
                                      {"·", "\\cdot"},
                                      {"⋅", "\\cdot"},
                                      {"∗", "\\ast"},
                                      {"∘", "\\circ"},
                                      {"°", "^{\\circ}"},
                                      {"¬", "\\neg"},
                                      {"−", "-"},
                                      {"≤", "\\le"},
                                      {"≥", "\\ge"},
                                      {"≠", "\\ne"},
                                      {"≈", "\\approx"},
                                      {"≡", "\\equiv"},
                                      {"∼", "\\sim"},
                                      {"∝", "\\propto"},
                                      {"≪", "\\ll"},
                                      {"≫", "\\gg"},
                                      {"∈", "\\in"},
                                      {"∉", "\\notin"},
                                      {"⊂", "\\subset"},
                                      {"⊆", "\\subseteq"},
                                      {"∪", "\\cup"},
                                      {"∩", "\\cap"},
                                      {"∅", "\\emptyset"},
                                      {"∀", "\\forall"},
                                      {"∃", "\\exists"},
                                      {"∑", "\\sum"},
                                      {"∏", "\\prod"},
                                      {"∫", "\\int"},
                                      {"√", "\\surd"},
                                      {"∞", "\\infty"},
                                      {"∂", "\\partial"},
                                      {"∇", "\\nabla"},
                                      {"⊕", "\\oplus"},
                                      {"⊗", "\\otimes"},
                                      {"⊙", "\\odot"},
                                      {"∥", "\\parallel"},
                                      {"∧", "\\wedge"},
                                      {"∨", "\\vee"},
                                      {"→", "\\rightarrow"},
                                      {"←", "\\leftarrow"},
                                      {"↔", "\\leftrightarrow"},
                                      {"⇒", "\\Rightarrow"},
                                      {"⇐", "\\Leftarrow"},
                                      {"⇔", "\\Leftrightarrow"},
                                      {"↑", "\\uparrow"},
                                      {"↓", "\\downarrow"},
                                      {"′", "'"},
                                      {"⟨", "\\langle"},
                                      {"⟩", "\\rangle"},
                                      {"⁰", "^{0}"},
                                      {"¹", "^{1}"},
                                      {"²", "^{2}"},
                                      {"³", "^{3}"},
                                      {"⁴", "^{4}"},
                                      {"⁵", "^{5}"},
                                      {"⁶", "^{6}"},
                                      {"⁷", "^{7}"},
                                      {"⁸", "^{8}"},
                                      {"⁹", "^{9}"},
                                      {"⁻", "^{-}"},
                                      {"⁺", "^{+}"},
                                      {"ⁿ", "^{n}"},
                                      {"₀", "_{0}"},
                                      {"₁", "_{1}"},
                                      {"₂", "_{2}"},
                                      {"₃", "_{3}"},
                                      {"₄", "_{4}"},
                                      {"₅", "_{5}"},
                                      {"₆", "_{6}"},
                                      {"₇", "_{7}"},
                                      {"₈", "_{8}"},
                                      {"₉", "_{9}"},
                                      {"ℓ", "\\ell"}};
  return kSigns;
}

const Replacements& replacements() {
  static const Replacements kReplacements = [] {
    Replacements all = {{"\\", "\\textbackslash{}"},
                        {"&", "\\&"},
                        {"%", "\\%"},
                        {"$", "\\$"},
                        {"#", "\\#"},
                        {"_", "\\_"},
                        {"{", "\\{"},
                        {"}", "\\}"},
                        {"~", "\\textasciitilde{}"},
                        {"^", "\\textasciicircum{}"},
                        {"<", "$<$"},
                        {">", "$>$"},
                        {"|", "\\textbar{}"},
                        {"`", "\\textasciigrave{}"},
                        {" - ", " $-$ "},
                        {" to -", " to $-$"},
                        {"--", "-{}-"}};
    for (const auto& [sign, command] : signs()) all.emplace_back(sign, "$" + command + "$");
    return all;
  }();
  return kReplacements;
}

enum class Known { always, with_t1, never };

/// What pdflatex needs for a letter. It knows Latin-1 and punctuation; other Latin letters need the
/// encoding T1; other scripts are never known.
Known known_to_pdflatex(std::string_view letter) {
  constexpr std::string_view kOfT1 = "ÐðÞþŊŋĐđ«»„‚", kNotOfT1 = "ĦħĸŉŦŧſĿŀ",
                             kPrintedMarks = "–—…“”‘’†‡•€™‰";
  if (kOfT1.find(letter) != std::string_view::npos) return Known::with_t1;
  if (kNotOfT1.find(letter) != std::string_view::npos) return Known::never;
  if (letter.size() == 1 || kPrintedMarks.find(letter) != std::string_view::npos)
    return Known::always;
  if (letter.size() > 2 || letter > "\u017f") return Known::never;
  return letter <= "\u00ff" ? Known::always : Known::with_t1;
}

bool is_letter_of_ascii(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_in_word(char c) {
  return is_letter_of_ascii(c) || (c >= '0' && c <= '9');
}

/// Whether the text has ASCII letters, and each of them by itself: "k = 8", not "5" or "and".
bool has_variables(std::string_view text) {
  bool has_letter = false, follows_letter = false;
  for (const char c : text) {
    const bool is_letter = is_letter_of_ascii(c);
    if (is_letter && follows_letter) return false;
    has_letter |= is_letter;
    follows_letter = is_letter;
  }
  return has_letter;
}

/// Whether the text between two dollar signs is mathematics that LaTeX can read within a table.
bool is_mathematics(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  if (text.find_first_of("\\^_") == std::string_view::npos && !has_variables(text)) return false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size()) return false;
      continue;
    }
    if (std::string_view("%#&").find(text[i]) != std::string_view::npos) return false;
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

/// The end of the mathematics that begins with the dollar sign at `begin`, behind its second dollar
/// sign; npos if the first is only a sign.
size_t end_of_mathematics(std::string_view text, size_t begin) {
  if (begin > 0 && (is_in_word(text[begin - 1]) || text[begin - 1] == '\\'))
    return std::string_view::npos;
  size_t close = begin + 1;
  while (close < text.size() && text[close] != '$') close += text[close] == '\\' ? 2 : 1;
  if (close >= text.size()) return std::string_view::npos;
  const bool is_apart = close + 1 == text.size() || !is_in_word(text[close + 1]);
  return is_apart && is_mathematics(text.substr(begin + 1, close - begin - 1))
             ? close + 1
             : std::string_view::npos;
}

/// The label with its text and its mathematics, which has its dollar signs, each changed.
std::string changed_label(const std::string& label, std::string (*of_text)(const std::string&),
                          std::string (*of_mathematics)(const std::string&)) {
  const std::string line = one_line(label);
  std::string out;
  size_t begin = 0;  // of the text before the next mathematics
  for (size_t at = line.find('$'); at != std::string::npos; at = line.find('$', at)) {
    const size_t end = end_of_mathematics(line, at);
    if (end == std::string::npos) {
      ++at;
      continue;
    }
    out += of_text(line.substr(begin, at - begin)) + of_mathematics(line.substr(at, end - at));
    begin = at = end;
  }
  return out + of_text(line.substr(begin));
}

/// The sign of a command without its backslash; the command's name if there is no such sign.
std::string sign_of(const std::string& command) {
  for (const auto& [sign, known] : signs()) {
    if (known == "\\" + command) return sign;
  }
  constexpr std::string_view kOfFonts[] = {"mathrm",       "mathbf", "mathit", "mathcal",
                                           "mathbb",       "text",   "textbf", "textit",
                                           "operatorname", "left",   "right"};
  return std::ranges::count(kOfFonts, command) > 0 ? "" : command;
}

/// "λ_1" for "$\lambda_1$".
std::string plain_mathematics(const std::string& text) {
  std::string out;
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '}') continue;
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    size_t end = at + 1;
    while (is_letter_of_ascii(text[end])) ++end;
    if (end > at + 1) {
      out += sign_of(text.substr(at + 1, end - at - 1));
      at = end - 1;
    } else {  // a space such as \, or a sign such as \{
      ++at;
      out += std::string_view(",;:! ").find(text[at]) == std::string_view::npos ? text[at] : ' ';
    }
  }
  return out;
}

std::string unchanged_text(const std::string& text) {
  return text;
}

/// The bytes of the letter at the beginning of `text`, which is UTF-8.
size_t letter_bytes(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
  return bytes;
}

}  // namespace

std::string latex_text(const std::string& text) {
  return escaped(one_line(text), replacements());
}

std::string latex_label(const std::string& text) {
  return changed_label(text, latex_text, unchanged_text);
}

std::string without_mathematics(const std::string& text) {
  if (text.find('$') == std::string::npos) return text;
  return changed_label(text, unchanged_text, plain_mathematics);
}

std::string latex_key(const std::string& name) {
  constexpr std::string_view kPlain = " -./:=@_";
  std::string key;
  for (const char c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || kPlain.find(c) != std::string_view::npos;
    key += is_plain ? std::string(1, c) : fmt::format("+{:02X}", static_cast<unsigned char>(c));
  }
  return key;
}

std::string latex_first(const std::string& row) {
  const size_t first = row.find_first_not_of(' ');
  const bool is_read = first != std::string::npos && (row[first] == '[' || row[first] == '*');
  return (is_read ? "{}" : "") + row;
}

std::string latex_tabular(const std::string& columns, const std::string& header,
                          const std::vector<std::string>& rows) {
  std::string text = "\\begin{tabular}{" + columns + "}\n\\toprule\n" + header + "\\midrule\n";
  for (const std::string& row : rows) text += latex_first(row) + " \\\\\n";
  return text + "\\bottomrule\n\\end{tabular}";
}

std::string latex_letters_note(const std::string& text) {
  std::map<Known, std::set<std::string>> letters;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(letter_bytes(rest))) {
    const std::string_view letter = rest.substr(0, letter_bytes(rest));
    letters[known_to_pdflatex(letter)].emplace(letter);
  }
  const auto shown = [&](Known known) {
    constexpr size_t kMost = 12;
    std::vector<std::string> some(letters[known].begin(), letters[known].end());
    if (some.size() > kMost) some.resize(kMost), some.emplace_back("...");
    return joined(some, " ");
  };
  std::string note;
  if (!letters[Known::with_t1].empty())
    note += fmt::format("% \\usepackage[T1]{{fontenc}} for {}\n", shown(Known::with_t1));
  if (!letters[Known::never].empty()) {
    note += fmt::format(
        "% pdflatex does not know {}: compile with lualatex or xelatex, \\usepackage{{fontspec}} "
        "and "
        "\\setmainfont of a font that has them\n",
        shown(Known::never));
  }
  return note;
}

}  // namespace rethink
