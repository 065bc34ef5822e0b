// The fact by which an attempt of a user's program records code that it ran and that no hash of its trial covers.
#pragma once

namespace rethink {

/// Its value: the files that were loaded from the checkout and not from the kept copy, for people.
constexpr const char* kOutsideCodeFact = "outside_code";

}  // namespace rethink
