// Describes the required form of a JSON value by small parts, and checks the whole value. For the
// files of a store, whose members other code takes on trust.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Whether an object may have members that its description does not name: a newer version may have
/// written them.
enum class UnknownMembers { refused, ignored };

/// Returns what is wrong with a value: `got "dnoe", expected done or diverged`; "" if it is right.
using JsonShape = std::function<std::string(const Json& value, UnknownMembers unknown)>;

struct JsonMember {
  std::string name;
  JsonShape shape;
  bool required = true;
};

JsonShape any_text();
JsonShape any_number();
/// A number, or "nan", "inf", "-inf": JSON has no such numbers.
JsonShape number_or_not_finite();
JsonShape true_or_false();
/// A signed integer of 64 bits.
JsonShape any_integer();
/// A non-negative integer of at least `least`.
JsonShape integer_from(uint64_t least);
JsonShape one_of_texts(std::vector<std::string> texts);
/// Exactly `digits` lower-case hexadecimal digits: 64 for a SHA-256, 20 for a trial's id.
JsonShape hex_digits(size_t digits);
JsonShape null_or(JsonShape shape);
JsonShape list_of(JsonShape each);
/// An object with any keys.
JsonShape map_of(JsonShape each);
JsonShape any_object();
/// An object with these members.
JsonShape object_with(std::vector<JsonMember> members);

/// "got VALUE, expected EXPECTED", with a long value cut short.
std::string not_expected(const Json& value, std::string_view expected);

}  // namespace rethink
