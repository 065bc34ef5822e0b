#include "models/huggingface/wrapped_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.h"

namespace rethink {
namespace {

constexpr std::string_view kWrappers[] = {"module.",
                                          "model.",
                                          "_orig_mod.",
                                          "_forward_module.",
                                          "_fsdp_wrapped_module.",
                                          "_checkpoint_wrapped_module."};

/// No module of a model has these names, so inside names they can only be wrappers.
bool is_private(std::string_view wrapper) {
  return wrapper.starts_with('_');
}

/// Returns the wrappers at the start of `name`: "module._orig_mod.".
std::string wrappers_before(const std::string& name) {
  size_t end = 0;
  for (bool is_longer = true; is_longer;) {
    is_longer = false;
    for (const std::string_view wrapper : kWrappers) {
      if (!std::string_view(name).substr(end).starts_with(wrapper)) continue;
      end += wrapper.size();
      is_longer = true;
    }
  }
  return name.substr(0, end);
}

/// Returns `name` without the wrappers behind a '.'. Sets `found` to the first of them.
std::string without_inner_wrappers(std::string name, std::string& found) {
  for (const std::string_view wrapper : kWrappers) {
    if (!is_private(wrapper)) continue;
    const std::string inner = "." + std::string(wrapper);
    for (size_t at = name.find(inner); at != std::string::npos; at = name.find(inner, at)) {
      name.erase(at + 1, wrapper.size());
      if (found.empty()) found = wrapper;
    }
  }
  return name;
}

bool begins_with_any(const std::string& name, std::span<const NameBeginning> beginnings) {
  return std::ranges::any_of(
      beginnings, [&](const NameBeginning& one) { return name.starts_with(one.theirs); });
}

/// Returns whether the family has this weight, prefix included.
bool is_weight_of(const HuggingFaceFamily& family, const std::string& name) {
  return name.starts_with(family.layers) || begins_with_any(name, family.names);
}

bool lacks_prefix(const HuggingFaceFamily& family, const std::string& name) {
  return !name.starts_with(family.prefix) && is_weight_of(family, family.prefix + name);
}

bool is_bare_weight(const HuggingFaceFamily& family, const std::string& name) {
  return is_weight_of(family, name) || lacks_prefix(family, name);
}

/// Returns the wrappers at the start of all names of the family's weights, or of all names if no
/// name is a known weight.
std::string wrappers_before_weights(const std::vector<std::string>& names,
                                    const HuggingFaceFamily& family) {
  std::vector<std::string> of_weights;
  for (const std::string& name : names) {
    const std::string wrappers = wrappers_before(name);
    if (is_bare_weight(family, name.substr(wrappers.size()))) of_weights.push_back(wrappers);
  }
  if (of_weights.empty()) {
    for (const std::string& name : names) of_weights.push_back(wrappers_before(name));
  }
  return common_beginning(of_weights);
}

/// Returns the prefix of each encoder's word embeddings, such as "" and "student." for two
/// encoders.
std::set<std::string> beginnings_of_encoders(const std::vector<std::string>& names,
                                             const HuggingFaceFamily& family) {
  const std::string prefix = family.prefix, words = "embeddings.word_embeddings.weight";
  std::set<std::string> beginnings;
  for (const std::string& name : names) {
    if (!name.ends_with(words)) continue;
    std::string before = name.substr(0, name.size() - words.size());
    if (("." + before).ends_with("." + prefix)) before.resize(before.size() - prefix.size());
    const std::string positions = "embeddings.position_embeddings.weight";
    const bool is_whole = std::ranges::find(names, before + positions) != names.end() ||
                          std::ranges::find(names, before + prefix + positions) != names.end();
    if (is_whole && (before.empty() || before.ends_with('.'))) beginnings.insert(before);
  }
  return beginnings;
}

std::string trouble_with_encoders(const std::set<std::string>& beginnings) {
  std::vector<std::string> quoted;
  for (const std::string& one : beginnings) quoted.push_back("'" + one + "'");
  return fmt::format(
      "the names of {1} encoders begin with {0}; expected one encoder. These two lines of Python, "
      "run in a copy of that folder, keep the one behind '{2}' alone (pip install torch "
      "safetensors):\n"
      "  import safetensors.torch as st\n"
      "  st.save_file({{k.removeprefix(\"{2}\"): v for k, v in "
      "st.load_file(\"model.safetensors\").items() if k.startswith(\"{2}\")}}, "
      "\"model.safetensors\")",
      joined(quoted, " and "), beginnings.size(), *beginnings.begin());
}

/// Names with and without the prefix `what`.
struct MixedNames {
  std::string what;
  std::vector<std::string> with, without;

  std::string trouble() const {
    constexpr size_t kShown = 3;
    const bool few_have_it = with.size() <= without.size();
    const std::vector<std::string>& odd = few_have_it ? with : without;
    std::vector<std::string> shown(odd.begin(),
                                   odd.begin() + static_cast<long>(std::min(kShown, odd.size())));
    for (std::string& name : shown) name = "'" + name + "'";
    if (odd.size() > kShown) shown.push_back(fmt::format("{} more", odd.size() - kShown));
    return fmt::format(
        "'{0}' begins the names of {1} of {2} weights, {3} {4}; expected it before every name or "
        "none. If all are weights of one model, these two lines of Python, run in that folder, "
        "remove it (pip install torch safetensors):\n"
        "  import safetensors.torch as st\n"
        "  st.save_file({{k.removeprefix(\"{0}\"): v for k, v in "
        "st.load_file(\"model.safetensors\").items()}}, \"model.safetensors\")",
        what, with.size(), with.size() + without.size(), few_have_it ? "which are" : "but not",
        joined(shown));
  }
};

}  // namespace

std::string common_beginning(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string common = names.front().substr(0, names.front().rfind('.') + 1);  // npos + 1 is 0
  for (const std::string& name : names) {
    while (!name.starts_with(common)) {
      common.pop_back();
      common.resize(common.rfind('.') + 1);
    }
  }
  return common;
}

BareNames bare_names(const std::vector<std::string>& names, const HuggingFaceFamily& family) {
  BareNames result;
  std::vector<std::string> plain;  // names without wrappers inside them
  for (const std::string& name : names) {
    std::string found;
    plain.push_back(without_inner_wrappers(name, found));
  }
  std::string& before = result.left_out.before;
  before = wrappers_before_weights(names, family);
  const std::set<std::string> beginnings = beginnings_of_encoders(plain, family);
  const bool is_known = std::ranges::any_of(
      beginnings, [](const std::string& one) { return wrappers_before(one) == one; });
  const bool is_unknown = !beginnings.empty() && !is_known;
  if (is_unknown && beginnings.size() > 1) result.trouble = trouble_with_encoders(beginnings);
  if (is_unknown) before = *beginnings.begin();
  MixedNames mixed{before, {}, {}};
  bool has_prefix = false;  // "student.bert.", and not "student." instead of "bert."
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    std::string found;
    // An unknown prefix was found in names without wrappers.
    const std::string& whole = is_unknown ? plain[i] : name;
    const bool has_it = whole.starts_with(before);
    const std::string rest = has_it ? whole.substr(before.size()) : whole;
    result.bare[name] = without_inner_wrappers(rest, found);
    if (is_unknown) without_inner_wrappers(name, found);
    if (!has_it) result.left_out.outside.push_back(name);
    has_prefix = has_prefix || (has_it && rest.starts_with(family.prefix));
    if (is_bare_weight(family, rest)) (has_it ? mixed.with : mixed.without).push_back(name);
    if (found.empty()) continue;
    ++result.left_out.names_within;
    if (result.left_out.within.empty()) result.left_out.within = found;
  }
  const bool is_mixed = is_unknown && has_prefix && !mixed.without.empty();
  if (is_mixed && result.trouble.empty()) result.trouble = mixed.trouble();
  return result;
}

std::string trouble_with_mixed_names(const std::vector<std::string>& bare,
                                     const HuggingFaceFamily& family) {
  MixedNames wrapped, prefixed{family.prefix, {}, {}};
  for (const std::string& name : bare) {
    const std::string wrapper = wrappers_before(name), rest = name.substr(wrapper.size());
    if (!is_bare_weight(family, rest)) continue;
    if (wrapped.what.empty()) wrapped.what = wrapper;
    const bool has_it = !wrapped.what.empty() && wrapper == wrapped.what;
    (has_it ? wrapped.with : wrapped.without).push_back(name);
    if (lacks_prefix(family, rest)) prefixed.without.push_back(name);
    if (rest.starts_with(family.prefix)) prefixed.with.push_back(name);
  }
  if (!wrapped.with.empty() && !wrapped.without.empty()) return wrapped.trouble();
  if (!prefixed.with.empty() && !prefixed.without.empty()) return prefixed.trouble();
  return "";
}

}  // namespace rethink
