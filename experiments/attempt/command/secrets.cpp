#include "experiments/attempt/command/secrets.h"

#include <algorithm>
#include <utility>

namespace rethink {
namespace {

/// Shorter values hide nothing: they could be guessed, and every 1 would become ***.
constexpr size_t kLeastSecret = 6;

}  // namespace

SecretFilter::SecretFilter(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](const std::string& secret) { return secret.size() < kLeastSecret; });
  std::ranges::sort(secrets_, std::ranges::greater(), &std::string::size);
}

std::string SecretFilter::hidden(std::string text) const {
  for (const std::string& secret : secrets_) {
    for (size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += 3)
      text.replace(at, secret.size(), "***");
  }
  return text;
}

std::string SecretFilter::take(std::string_view bytes) {
  std::string text = hidden(std::exchange(held_, "").append(bytes));
  size_t held = 0;
  for (const std::string& secret : secrets_) {
    for (size_t length = std::min(secret.size() - 1, text.size()); length > held; --length) {
      if (text.ends_with(std::string_view(secret).substr(0, length))) held = length;
    }
  }
  held_ = text.substr(text.size() - held);
  text.resize(text.size() - held);
  return text;
}

std::string SecretFilter::rest() {
  return std::exchange(held_, "");
}

}  // namespace rethink
