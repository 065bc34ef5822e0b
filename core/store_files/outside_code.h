// The fact that records code that an attempt of a user's program ran, but that no hash of its trial covers.
#pragma once

namespace rethink {

/// Its value lists, for people, the files that were loaded from the checkout and not from the kept copy.
constexpr const char* kOutsideCodeFact = "outside_code";

}  // namespace rethink
