#include "kernels/attention/attention_path.h"

#include <atomic>

namespace rethink {
namespace {

constexpr PathReason kReasons[] = {
    PathReason::fits,  PathReason::asked_for, PathReason::diagonal_rate, PathReason::bias_precision,
    PathReason::dtype, PathReason::size,      PathReason::empty};

std::atomic<AttentionPreference> preference{AttentionPreference::library};
std::atomic<unsigned> taken{0};  // bit i: reason i

unsigned bit_of(PathReason reason) {
  return 1u << static_cast<unsigned>(reason);
}

}  // namespace

std::string to_text(PathReason reason) {
  switch (reason) {
    case PathReason::fits:
      return "library";
    case PathReason::asked_for:
      return "kernels: asked for";
    case PathReason::diagonal_rate:
      return "kernels: the diagonal has a rate";
    case PathReason::bias_precision:
      return "kernels: a float32 bias beside bfloat16";
    case PathReason::dtype:
      return "kernels: neither float32 nor bfloat16";
    case PathReason::size:
      return "kernels: more weights than the library counts";
    case PathReason::empty:
      return "kernels: nothing to compute";
  }
  return "";
}

void prefer_attention(AttentionPreference preferred) {
  preference = preferred;
}

AttentionPreference preferred_attention() {
  return preference;
}

std::vector<std::string> attention_paths_taken() {
  std::vector<std::string> texts;
  for (const PathReason reason : kReasons) {
    if (reason != PathReason::empty && (taken & bit_of(reason)) != 0)
      texts.push_back(to_text(reason));
  }
  return texts;
}

void forget_attention_paths() {
  taken = 0;
}

void note_attention_path(PathReason reason) {
  taken |= bit_of(reason);
}

}  // namespace rethink
