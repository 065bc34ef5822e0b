#include "plots/latex_text.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/utf8.h"
#include "plots/renderer.h"

namespace rethink {
namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Greek letters and signs that stand in mathematics.
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

/// Whether pdflatex knows it: Latin letters with their accents, and the marks of text.
bool is_latin(std::string_view letter) {
  if (letter.size() == 1) return true;
  if (letter.size() == 2) return letter <= "\u017f";
  constexpr std::string_view kMarks = "–—…“”‘’„‚«»†‡•€™‰";
  return kMarks.find(letter) != std::string_view::npos;
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

std::string latex_first(const std::string& row) {
  const size_t first = row.find_first_not_of(' ');
  const bool is_read = first != std::string::npos && (row[first] == '[' || row[first] == '*');
  return (is_read ? "{}" : "") + row;
}

std::string latex_letters_note(const std::string& text) {
  constexpr size_t kMostShown = 8;
  std::set<std::string> letters;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(letter_bytes(rest))) {
    const std::string_view letter = rest.substr(0, letter_bytes(rest));
    if (!is_latin(letter)) letters.emplace(letter);
  }
  if (letters.empty()) return "";
  std::string shown;
  for (const std::string& letter : letters) {
    if (shown.size() < 4 * kMostShown) shown += (shown.empty() ? "" : " ") + letter;
  }
  return fmt::format(
      "% pdflatex does not know {}: compile with lualatex or xelatex, \\usepackage{{fontspec}} and "
      "\\setmainfont of a font that has them\n",
      shown);
}

}  // namespace rethink
