// Values that a sweep file gives by rule: ranges, and random draws that stay the same when more are
// asked for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/config/yaml.h"

namespace rethink {

/// {from, to, step}: from, from + step, ... up to to. {from, to, count, log}: count values, both
/// ends among them, evenly spaced, or in ratio with log: true. Rounded to 12 digits, so that 0.1
/// steps stay decimal.
std::vector<Yaml> values_of_range(const std::string& key, const Yaml& given, Problems& problems);

/// One draw of every key.
using RandomDraw = std::vector<std::pair<std::string, Yaml>>;

/// The count of {count: 20, seed: 1, KEY: DRAW...}; 0 after a problem.
size_t num_draws(const Yaml& given, Problems& problems);

/// The first `count` draws of {count: 20, seed: 1, KEY: DRAW...}; a draw is {log: [low, high]}, {uniform: [low, high]},
/// {integer: [low, high]} (both ends included) or {choice: [...]}, which also gives whole numbers
/// in steps or in ratio. Draw i of a key is a function of (seed, key, i) alone: more draws keep the
/// earlier ones, another key changes nothing. Rounded to 6 digits. Random: Philox, stream = the
/// first 8 bytes of the key's SHA-256.
std::vector<RandomDraw> read_draws(const Yaml& given, size_t count, Problems& problems);

}  // namespace rethink
