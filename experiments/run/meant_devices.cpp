#include "experiments/run/meant_devices.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace rethink {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Quotes and brackets separate, too: they stand around what was meant.
std::vector<std::string> device_words(const std::string& list) {
  constexpr std::string_view kSeparators = " \t\n\v\f\r,;|+'\"`[](){}";
  std::vector<std::string> words;
  for (size_t at = list.find_first_not_of(kSeparators); at != std::string::npos;) {
    const size_t end = std::min(list.find_first_of(kSeparators, at), list.size());
    words.push_back(list.substr(at, end - at));
    at = list.find_first_not_of(kSeparators, end);
  }
  return words;
}

/// The whole of `text` as a number.
std::optional<int> whole_index(std::string_view text) {
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && index >= 0;
  return is_whole ? std::optional(index) : std::nullopt;
}

/// "0-3" and "0..3"; nothing for other words.
std::vector<std::string> indices_of_range(const std::string& word) {
  constexpr int kMostGpus = 64;
  for (const std::string_view mark : {"-", ".."}) {
    const size_t at = word.find(mark);
    if (at == std::string::npos) continue;
    const auto first = whole_index(std::string_view(word).substr(0, at));
    const auto last = whole_index(std::string_view(word).substr(at + mark.size()));
    if (!first || !last || *last < *first || *last - *first >= kMostGpus) continue;
    std::vector<std::string> indices;
    for (int index = *first; index <= *last; ++index) indices.push_back(std::to_string(index));
    return indices;
  }
  return {};
}

/// The name of one GPU that `word` says: "0" for "cuda:0" and "gpu0", "GPU-aa1" for "gpu-aa1"; "" for
/// other words.
std::string device_in(const std::string& word) {
  const std::string plain = lower_case(word);
  for (const std::string kind : {"gpu-", "mig-"}) {
    if (plain.starts_with(kind) && plain.size() > kind.size())
      return (kind == "gpu-" ? "GPU-" : "MIG-") + word.substr(kind.size());
  }
  for (const std::string_view before : {"cuda:", "gpu:", "cuda", "gpu", ""}) {
    if (!plain.starts_with(before)) continue;
    const std::string rest = plain.substr(before.size());
    if (whole_index(rest)) return rest;
  }
  return "";
}

}  // namespace

std::string meant_devices(const std::string& visible) {
  std::vector<std::string> devices;
  for (const std::string& word : device_words(visible)) {
    const std::vector<std::string> range = indices_of_range(word);
    devices.insert(devices.end(), range.begin(), range.end());
    if (!range.empty()) continue;
    devices.push_back(device_in(word));
    if (devices.back().empty()) return "";
  }
  const std::string meant = joined(devices, ",");
  return meant == visible ? "" : meant;
}

std::string advice_on_device_word(const std::string& visible) {
  const std::vector<std::string> words = device_words(visible);
  if (words.size() != 1) return "";
  const std::string word = lower_case(words.front());
  if (word == "all") return "unset it for all GPUs";
  if (word == "none" || word == "void" || word == "nodevfiles")
    return "write -1 if no GPU is meant";
  return "";
}

}  // namespace rethink
