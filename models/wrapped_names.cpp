#include "models/wrapped_names.h"

#include <fmt/format.h>

#include <algorithm>
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

/// No module of a model is called so: within names they can only be wrappers.
bool is_private(std::string_view wrapper) {
  return wrapper.starts_with('_');
}

/// The wrappers that `name` begins with: "module._orig_mod.".
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

/// The wrappers that all names begin with.
std::string wrappers_before_all(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string common = wrappers_before(names.front());
  for (const std::string& name : names) {
    while (!name.starts_with(common)) {
      common.pop_back();
      common.resize(common.rfind('.') + 1);  // npos + 1 is 0
    }
  }
  return common;
}

/// `name` without the wrappers behind a '.'; the first of them goes to `found`.
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

/// Whether the family has such a weight, its prefix included.
bool is_weight_of(const HuggingFaceFamily& family, const std::string& name) {
  return name.starts_with(family.layers) || begins_with_any(name, family.names);
}

bool lacks_prefix(const HuggingFaceFamily& family, const std::string& name) {
  return !name.starts_with(family.prefix) && is_weight_of(family, family.prefix + name);
}

/// Names with and without the beginning `what`.
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
        "take "
        "it away (pip install torch safetensors):\n"
        "  import safetensors.torch as st\n"
        "  st.save_file({{k.removeprefix(\"{0}\"): v for k, v in "
        "st.load_file(\"model.safetensors\").items()}}, \"model.safetensors\")",
        what, with.size(), with.size() + without.size(), few_have_it ? "which are" : "but not",
        joined(shown));
  }
};

}  // namespace

BareNames bare_names(const std::vector<std::string>& names) {
  BareNames result;
  result.left_out.before = wrappers_before_all(names);
  for (const std::string& name : names) {
    std::string found;
    result.bare[name] = without_inner_wrappers(name.substr(result.left_out.before.size()), found);
    if (found.empty()) continue;
    ++result.left_out.names_within;
    if (result.left_out.within.empty()) result.left_out.within = found;
  }
  return result;
}

std::string trouble_with_mixed_names(const std::vector<std::string>& bare,
                                     const HuggingFaceFamily& family) {
  MixedNames wrapped, prefixed{family.prefix, {}, {}};
  for (const std::string& name : bare) {
    const std::string wrapper = wrappers_before(name), rest = name.substr(wrapper.size());
    const bool is_bare_weight = is_weight_of(family, rest) || lacks_prefix(family, rest);
    if (!is_bare_weight) continue;
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
