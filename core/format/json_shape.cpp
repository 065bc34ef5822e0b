#include "core/format/json_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr size_t kShownBytes = 60;

/// A shape that matches values for which `question` returns true.
template <typename Question>
JsonShape shape_where(Question question, std::string expected) {
  return [question = std::move(question), expected = std::move(expected)](const Json& value,
                                                                          UnknownMembers) {
    return question(value) ? std::string() : not_expected(value, expected);
  };
}

/// The problem inside a value with its path: "artifacts.0.sha256: ...".
std::string within(const std::string& name, const std::string& damage) {
  const bool is_deeper = !damage.starts_with("got ") && !damage.starts_with("is ");
  return damage.empty() ? "" : fmt::format("{}{}{}", name, is_deeper ? "." : ": ", damage);
}

std::string unknown_member(const Json& object, const std::vector<JsonMember>& members) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(members, name, &JsonMember::name) != members.end()) continue;
    std::vector<std::string> known;
    for (const JsonMember& member : members) known.push_back(member.name);
    return fmt::format("{}: is not known here{}", name, did_you_mean(name, known));
  }
  return "";
}

}  // namespace

std::string not_expected(const Json& value, std::string_view expected) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "...";
  return fmt::format("got {}, expected {}", text, expected);
}

JsonShape any_text() {
  return shape_where([](const Json& value) { return value.is_string(); }, "text");
}

JsonShape any_number() {
  return shape_where([](const Json& value) { return value.is_number(); }, "a number");
}

JsonShape number_or_not_finite() {
  return shape_where(
      [](const Json& value) {
        return value.is_number() || value == "nan" || value == "inf" || value == "-inf";
      },
      "a number, \"nan\", \"inf\" or \"-inf\"");
}

JsonShape true_or_false() {
  return shape_where([](const Json& value) { return value.is_boolean(); }, "true or false");
}

JsonShape any_integer() {
  return shape_where(
      [](const Json& value) {
        if (value.is_number_unsigned())
          return value.get<uint64_t>() <= std::numeric_limits<int64_t>::max();
        return value.is_number_integer();
      },
      "an integer");
}

JsonShape integer_from(uint64_t least) {
  return shape_where(
      [least](const Json& value) {
        return value.is_number_unsigned() && value.get<uint64_t>() >= least &&
               value.get<uint64_t>() <= std::numeric_limits<int64_t>::max();
      },
      fmt::format("an integer from {}", least));
}

JsonShape one_of_texts(std::vector<std::string> texts) {
  const std::string expected = "one of " + joined(texts);
  return shape_where(
      [texts = std::move(texts)](const Json& value) {
        return value.is_string() &&
               std::ranges::find(texts, value.get_ref<const std::string&>()) != texts.end();
      },
      expected);
}

JsonShape hex_digits(size_t digits) {
  return shape_where(
      [digits](const Json& value) {
        if (!value.is_string()) return false;
        const std::string& text = value.get_ref<const std::string&>();
        return text.size() == digits &&
               text.find_first_not_of("0123456789abcdef") == std::string::npos;
      },
      fmt::format("{} hexadecimal digits", digits));
}

JsonShape null_or(JsonShape shape) {
  return [shape = std::move(shape)](const Json& value, UnknownMembers unknown) {
    return value.is_null() ? std::string() : shape(value, unknown);
  };
}

JsonShape list_of(JsonShape each) {
  return [each = std::move(each)](const Json& value, UnknownMembers unknown) {
    if (!value.is_array()) return not_expected(value, "a list");
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string damage = within(std::to_string(i), each(value[i], unknown));
      if (!damage.empty()) return damage;
    }
    return std::string();
  };
}

JsonShape map_of(JsonShape each) {
  return [each = std::move(each)](const Json& value, UnknownMembers unknown) {
    if (!value.is_object()) return not_expected(value, "an object");
    for (const auto& [name, inner] : value.items()) {
      const std::string damage = within(name, each(inner, unknown));
      if (!damage.empty()) return damage;
    }
    return std::string();
  };
}

JsonShape any_object() {
  return shape_where([](const Json& value) { return value.is_object(); }, "an object");
}

JsonShape object_with(std::vector<JsonMember> members) {
  return [members = std::move(members)](const Json& value, UnknownMembers unknown) {
    if (!value.is_object()) return not_expected(value, "an object");
    for (const JsonMember& member : members) {
      const auto found = value.find(member.name);
      if (found == value.end()) {
        if (member.required) return fmt::format("{}: is missing", member.name);
        continue;
      }
      const std::string damage = within(member.name, member.shape(*found, unknown));
      if (!damage.empty()) return damage;
    }
    return unknown == UnknownMembers::refused ? unknown_member(value, members) : std::string();
  };
}

}  // namespace rethink
