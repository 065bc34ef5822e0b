#include "models/masks/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_set>

#include "core/config/check.h"
#include "core/config/schema.h"
#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/philox.h"

namespace rethink {

MaskRegistry& masks() {
  static MaskRegistry registry("mask", "models/masks");
  return registry;
}

namespace {

struct MaskOption {
  MaskChoice mask{.name = "none"};
  void fields(Fields& field) { field("mask", mask, "which positions see which"); }
};

}  // namespace

MaskChoice read_mask_choice(const Yaml& given, const std::string& path, Problems& problems) {
  const Field field = describe_options<MaskOption>().fields.front();
  Problems found;
  const Json checked = check_value(given, field, schema_of_this_program(""), path, found);
  problems.take(found);
  return found.empty() ? mask_choice(checked) : MaskChoice{};
}

MaskChoice mask_choice(const Json& checked) {
  return read_options<MaskOption>({{"mask", checked}}).mask;
}

Mask make_mask(const MaskChoice& choice, int64_t heads, int64_t n) {
  RETHINK_ASSERT(heads >= 1 && n >= 1, fmt::format("{} heads, n = {}", heads, n));
  if (!choice.common.diagonal && masks().facts(choice.name).sees_itself_alone)
    throw ConfigError(
        "conflicting-values",
        fmt::format("mask '{}' without its diagonal hides everything; remove diagonal: false",
                    choice.name));
  MaskCells cells = masks().make(choice.name, *choice.options)->cells(n);
  RETHINK_ASSERT(std::ssize(cells) == n * n, choice.name);
  if (!choice.common.diagonal) {
    for (int64_t i = 0; i < n; ++i) cells[static_cast<size_t>(i * n + i)] = 0;
  }
  Mask mask{heads, n, {}};
  mask.cells.reserve(cells.size() * static_cast<size_t>(heads));
  for (int64_t head = 0; head < heads; ++head)
    mask.cells.insert(mask.cells.end(), cells.begin(), cells.end());
  return mask;
}

double sparsity(const Mask& mask) {
  const auto attended = std::accumulate(mask.cells.begin(), mask.cells.end(), int64_t{0});
  return 1 - static_cast<double>(attended) / static_cast<double>(mask.cells.size());
}

void write_mask(const std::filesystem::path& file, const Mask& mask) {
  const std::vector<int64_t> shape = {mask.heads, mask.positions, mask.positions};
  write_safetensors(file, {{"mask", {Dtype::u8, shape, std::as_bytes(std::span(mask.cells))}}}, {});
}

Mask read_mask(const std::filesystem::path& file) {
  const SafetensorsFile tensors(file);
  const TensorView& view = tensors.at("mask");
  const std::vector<int64_t>& shape = view.shape;
  if (view.dtype != Dtype::u8 || shape.size() != 3 || shape[1] != shape[2] || view.bytes.empty()) {
    throw ConfigError("wrong-file",
                      fmt::format("{}: mask must be U8 of shape [heads, n, n], got {} [{}]",
                                  file.string(), to_text(view.dtype), fmt::join(shape, ", ")));
  }
  Mask mask{shape[0], shape[1], std::vector<uint8_t>(view.bytes.size())};
  std::transform(view.bytes.begin(), view.bytes.end(), mask.cells.begin(),
                 [](std::byte byte) { return std::to_integer<uint8_t>(byte); });
  const auto wrong =
      std::find_if(mask.cells.begin(), mask.cells.end(), [](uint8_t cell) { return cell > 1; });
  if (wrong != mask.cells.end()) {
    throw ConfigError("wrong-file", fmt::format("{}: mask has a cell of {}, expected 0 or 1",
                                                file.string(), *wrong));
  }
  return mask;
}

MaskDraw::MaskDraw(int64_t seed, const std::string& pattern)
    : seed_(static_cast<uint64_t>(seed)), stream_(crc32c("mask/" + pattern)) {}

int64_t MaskDraw::below(int64_t bound) {
  RETHINK_ASSERT(bound >= 1, std::to_string(bound));
  const uint64_t range = static_cast<uint64_t>(bound);
  // The last, incomplete round of the range is drawn again.
  const uint64_t end = std::numeric_limits<uint64_t>::max() / range * range;
  for (;;) {
    const PhiloxBlock block = philox({seed_, stream_}, counter_++);
    const uint64_t number = (static_cast<uint64_t>(block.word[0]) << 32) | block.word[1];
    if (number < end) return static_cast<int64_t>(number % range);
  }
}

std::vector<int64_t> MaskDraw::distinct(int64_t count, int64_t bound) {
  RETHINK_ASSERT(count <= bound, fmt::format("{} of {}", count, bound));
  std::vector<int64_t> drawn;
  std::unordered_set<int64_t> seen;
  while (static_cast<int64_t>(drawn.size()) < count) {
    const int64_t number = below(bound);
    if (seen.insert(number).second) drawn.push_back(number);
  }
  return drawn;
}

}  // namespace rethink
