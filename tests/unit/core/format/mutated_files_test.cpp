// Random mutations of YAML, JSON, events and safetensors. RETHINK_MUTATIONS is their number, RETHINK_SEED
// selects them.
#include <gtest/gtest.h>

#include "core/format/file_kind.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/yaml/yaml.h"
#include "tests/support/mutations.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class MutatedFiles : public testing::Test {
 protected:
  /// Writes each of `times` mutated files and reads it.
  void try_reading(size_t times, ErrorPlace place,
                   const std::function<std::string(RandomChoices&)>& mutate,
                   const std::function<void(const std::filesystem::path&)>& read) const {
    const std::filesystem::path file = folder_ / "given";
    try_mutations(times, mutate, [&](const std::string& text) {
      write_text(file, text);
      return fault_of_reading(file, place, [&] { read(file); });
    });
  }

  TempFolder folder_{memory_folder()};
};

TEST_F(MutatedFiles, OfYamlAreReadOrRefusedWithTheirPlace) {
  const std::vector<std::string> texts = {
      "a: &a {b: [1, \"two\", 'three'], c: ~}\nd: *a\ne:\n  - f: |\n      text\n      more\n  - g: "
      ">\n      folded\n\"quoted key\": {x: {y: {z: 1e-5}}} # a comment\n",
      "# comment\nlist:\n- 1\n- [2, {three: 3}]\n-\n  four: 4\n  five:\nlong: \"a \\\n  line\"\n"};
  try_reading(
      3000, ErrorPlace::line,
      [&](RandomChoices& choices) { return mutated_text(choices.one_of(texts), texts, choices); },
      [](const std::filesystem::path& file) { read_yaml(file); });
}

TEST_F(MutatedFiles, OfJsonAreReadOrRefusedWithTheirFile) {
  const std::string json =
      R"({"a": [1, -2.5e-3, "text \u00e9 \ud83d\ude00", null, true], "b": {"c": {}, "d": [[]]}})";
  try_reading(
      3000, ErrorPlace::file,
      [&](RandomChoices& choices) { return mutated_text(json, {json}, choices); },
      [](const std::filesystem::path& file) { canonical_json(read_json(file)); });
}

TEST_F(MutatedFiles, OfTensorsAreReadWholeOrRefusedWithTheirFile) {
  const std::string values(80, '\x01');
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(values.data()), 80);
  write_safetensors(folder_ / "sound",
                    {{"weight", {Dtype::f32, {3, 4}, bytes.subspan(0, 48)}},
                     {"bias", {Dtype::f64, {2}, bytes.subspan(48, 16)}},
                     {"steps", {Dtype::i64, {}, bytes.subspan(64, 8)}},
                     {"empty", {Dtype::u8, {0, 5}, {}}}},
                    {{"format", "pt"}});
  const std::string sound = read_text(folder_ / "sound");
  uint64_t sum = 0;
  const auto mutate = [&](RandomChoices& choices) {
    if (choices.below(2) == 0) return mutated_bytes(sound, choices);
    // The header is mutated as text, with a length that fits it.
    uint64_t length = 0;
    std::memcpy(&length, sound.data(), sizeof length);
    const std::string header = mutated_text(sound.substr(8, length), {sound}, choices);
    const uint64_t now = header.size();
    return std::string(reinterpret_cast<const char*>(&now), sizeof now) + header +
           sound.substr(8 + length);
  };
  try_reading(4000, ErrorPlace::file, mutate, [&](const std::filesystem::path& file) {
    const SafetensorsFile tensors(file);
    for (const auto& [name, view] : tensors.tensors()) {
      for (const std::byte value : view.bytes) sum += static_cast<uint64_t>(value);
    }
  });
  EXPECT_GT(sum, 0u);
}

TEST_F(MutatedFiles, OfEventsGiveTheEventsBeforeTheDamage) {
  std::vector<Json> events;
  std::string sound;
  for (int step = 0; step < 5; ++step) {
    events.push_back({{"event", "metric"}, {"split", "dev"}, {"step", step}, {"value", 0.5}});
    sound += event_line(events.back());
  }
  const auto mutate = [&](RandomChoices& choices) {
    return choices.below(2) == 0 ? mutated_bytes(sound, choices)
                                 : mutated_text(sound, {sound}, choices);
  };
  try_mutations(3000, mutate, [&](const std::string& text) -> std::string {
    const std::filesystem::path file = folder_ / "events.jsonl";
    write_text(file, text);
    std::string fault;
    const std::string thrown = fault_of_reading(file, ErrorPlace::file, [&] {
      const EventRead read = read_events(file, 0, [&](const Json& event) {
        if (std::ranges::find(events, event) == events.end()) fault = "an event that none wrote";
      });
      if (read.offset > text.size()) fault = "an offset behind the end";
      const bool has_rest = text.find('\n', read.offset) != std::string::npos;
      if (has_rest != read.damaged) fault = "a line that was neither taken nor named damaged";
    });
    return thrown.empty() ? fault : thrown;
  });
}

}  // namespace
}  // namespace rethink
