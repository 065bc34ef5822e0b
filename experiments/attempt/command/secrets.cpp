#include "experiments/attempt/command/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/json.h"
#include "core/message.h"

namespace rethink {
namespace {

/// Shorter values hide nothing: they could be guessed, and every 1 would become ***.
constexpr size_t kLeastSecret = 6;

/// The inner part of the JSON string of `text`.
std::string escaped_as_json(const std::string& text, bool only_ascii) {
  const std::string quoted = Json(text).dump(-1, ' ', only_ascii, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string without_blanks_around(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace

std::vector<std::string> secret_values(const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names) {
    if (std::ranges::count(kPublicVariables, name) > 0) continue;
    const char* value = std::getenv(name.c_str());
    if (value && *value) values.emplace_back(value);
  }
  return values;
}

std::string problem_of_passed(const std::string& name) {
  for (const std::string& value : secret_values({name})) {
    const size_t bytes = without_blanks_around(value).size();
    if (bytes < kLeastSecret)
      return fmt::format(
          "'pass': the value of {} has {}, expected at least {}: a shorter value cannot be hidden "
          "in logs and events; set values that are not secret with `env`",
          name, counted(bytes, "byte"), kLeastSecret);
  }
  return "";
}

SecretFilter::SecretFilter(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    for (const std::string& form : {secret, without_blanks_around(secret)}) {
      for (const std::string& written :
           {form, escaped_as_json(form, true), escaped_as_json(form, false)})
        secrets_.push_back(written);
    }
  }
  std::erase_if(secrets_, [](const std::string& secret) { return secret.size() < kLeastSecret; });
  std::ranges::sort(secrets_);
  secrets_.erase(std::ranges::unique(secrets_).begin(), secrets_.end());
  std::ranges::stable_sort(secrets_, std::ranges::greater(), &std::string::size);
}

std::string SecretFilter::hidden(std::string text) const {
  for (const std::string& secret : secrets_) {
    for (size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += 3)
      text.replace(at, secret.size(), "***");
  }
  return text;
}

void SecretFilter::hide(Json& value) const {
  if (!has_secrets()) return;
  if (value.is_string()) value = hidden(value.get<std::string>());
  if (!value.is_structured()) return;
  for (Json& member : value) {
    if (member.is_object()) {
      Json named = Json::object();
      for (const auto& [name, inner] : member.items()) named[hidden(name)] = inner;
      member = std::move(named);
    }
    hide(member);
  }
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
