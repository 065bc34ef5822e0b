#include "core/format/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <numeric>

#include "core/files/file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Returns a file with this header and so many bytes of data.
std::string file_of(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, 'd');
}

std::string message_for(const std::string& bytes) {
  const TempFolder folder;
  write_text(folder / "w", bytes);
  try {
    const SafetensorsFile file(folder / "w");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

std::span<const std::byte> bytes_of_text(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Safetensors, GivesBackWhatWasWritten) {
  const TempFolder folder;
  const std::string a = "abcdefgh", b = "xyz";
  write_safetensors(folder / "w",
                    {{"model.a", {Dtype::f32, {2, 1}, bytes_of_text(a)}},
                     {"b", {Dtype::u8, {3}, bytes_of_text(b)}},
                     {"empty", {Dtype::bf16, {0, 4}, {}}},
                     {"scalar", {Dtype::f64, {}, bytes_of_text(a)}}},
                    {{"format", "pt"}});
  const SafetensorsFile file(folder / "w");
  EXPECT_EQ(file.tensors().size(), 4u);
  EXPECT_EQ(file.at("model.a").dtype, Dtype::f32);
  EXPECT_EQ(file.at("model.a").shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(std::memcmp(file.at("model.a").bytes.data(), a.data(), 8), 0);
  EXPECT_EQ(std::memcmp(file.at("b").bytes.data(), b.data(), 3), 0);
  EXPECT_EQ(file.at("empty").bytes.size(), 0u);
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_TRUE(file.has("scalar"));
  EXPECT_FALSE(file.has("vector"));
}

TEST(Safetensors, TensorsAreAlignedToTheirElements) {
  const TempFolder folder;
  const std::string three = "abc", eight = "abcdefgh";
  write_safetensors(folder / "w",
                    {{"a", {Dtype::u8, {3}, bytes_of_text(three)}},
                     {"b", {Dtype::f64, {1}, bytes_of_text(eight)}}},
                    {});
  const SafetensorsFile file(folder / "w");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file.at("b").bytes.data()) % 8, 0u);
}

TEST(Safetensors, EqualTensorsGiveEqualBytes) {
  const TempFolder folder;
  const std::string values = "abcdefgh";
  const TensorViews tensors{{"a", {Dtype::f32, {2}, bytes_of_text(values)}},
                            {"b", {Dtype::i64, {1}, bytes_of_text(values)}}};
  write_safetensors(folder / "one", tensors, {{"k", "v"}, {"a", "b"}});
  write_safetensors_durably(folder / "two", tensors, {{"a", "b"}, {"k", "v"}});
  EXPECT_EQ(read_text(folder / "one"), read_text(folder / "two"));
}

TEST(Safetensors, SaysWhichTensorIsMeant) {
  const TempFolder folder;
  write_safetensors(folder / "w", {{"encoder.weight", {Dtype::u8, {0}, {}}}}, {});
  const SafetensorsFile file(folder / "w");
  EXPECT_THAT([&] { file.at("encoder.weigth"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("no tensor 'encoder.weigth'; did you mean 'encoder.weight'?")));
}

TEST(Safetensors, RefusesAFileCutAtAnyByte) {
  const TempFolder folder;
  const std::string a = "abcdefgh", b = "xy";
  write_safetensors(
      folder / "w",
      {{"a", {Dtype::f32, {2}, bytes_of_text(a)}}, {"b", {Dtype::u8, {2}, bytes_of_text(b)}}}, {});
  const std::string whole = read_text(folder / "w");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(message_for(whole.substr(0, size)), "accepted") << "cut at byte " << size;
  }
  EXPECT_EQ(message_for(whole), "accepted");
  EXPECT_THAT(message_for(whole + "x"), HasSubstr("1 bytes at the end belong to no tensor"));
}

TEST(Safetensors, RefusesARepeatedName) {
  EXPECT_THAT(
      message_for(file_of(
          "{" + entry("a", "U8", "[1]", 0, 1) + "," + entry("a", "U8", "[1]", 1, 2) + "}", 2)),
      HasSubstr("key 'a' is given twice"));
}

TEST(Safetensors, RefusesTensorsThatOverlap) {
  EXPECT_THAT(
      message_for(file_of(
          "{" + entry("a", "U8", "[2]", 0, 2) + "," + entry("b", "U8", "[2]", 1, 3) + "}", 3)),
      HasSubstr("tensor 'b' overlaps its neighbour"));
}

TEST(Safetensors, RefusesGaps) {
  EXPECT_THAT(
      message_for(file_of(
          "{" + entry("a", "U8", "[1]", 0, 1) + "," + entry("b", "U8", "[1]", 2, 3) + "}", 3)),
      HasSubstr("tensor 'b' leaves a gap after its neighbour"));
}

TEST(Safetensors, RefusesOffsetsBeyondTheFile) {
  EXPECT_THAT(message_for(file_of("{" + entry("a", "U8", "[4]", 0, 4) + "}", 3)),
              HasSubstr("tensor 'a': bytes 0 to 4 reach beyond the 3 bytes of data"));
}

TEST(Safetensors, RefusesASizeThatIsNotTheShapes) {
  EXPECT_THAT(message_for(file_of("{" + entry("a", "F32", "[2]", 0, 4) + "}", 4)),
              HasSubstr("tensor 'a': 4 bytes do not hold F32 values of shape [2]"));
  EXPECT_THAT(
      message_for(file_of("{" + entry("a", "F32", "[4611686018427387904,4]", 0, 0) + "}", 0)),
      HasSubstr("do not hold"));
}

TEST(Safetensors, RefusesUnknownTypesAndOtherShapesOfHeader) {
  EXPECT_THAT(message_for(file_of("{" + entry("a", "F33", "[1]", 0, 4) + "}", 4)),
              HasSubstr("unknown dtype 'F33'"));
  EXPECT_THAT(message_for(file_of("{\"a\":{\"dtype\":\"F32\"}}", 0)),
              HasSubstr("expected dtype, shape and data_offsets"));
  EXPECT_THAT(message_for(file_of("{" + entry("a", "U8", "[-1]", 0, 0) + "}", 0)),
              HasSubstr("expected dtype"));
  EXPECT_THAT(message_for(file_of("{\"__metadata__\":{\"k\":1}}", 0)),
              HasSubstr("must map text to text"));
  EXPECT_THAT(message_for(file_of("[]", 0)), HasSubstr("not a JSON object"));
  EXPECT_THAT(message_for(file_of("{", 0)), HasSubstr("not valid JSON"));
}

RC_GTEST_PROP(Safetensors, RoundTripIsExact,
              (const std::map<std::string, std::vector<uint8_t>>& values)) {
  const TempFolder folder;
  TensorViews tensors;
  for (const auto& [name, bytes] : values) {
    std::string key;  // a name as JSON text, here ASCII
    for (const char c : name) key += static_cast<char>('a' + (static_cast<unsigned char>(c) % 26));
    tensors["t" + key] = {
        Dtype::u8, {static_cast<int64_t>(bytes.size())}, std::as_bytes(std::span(bytes))};
  }
  write_safetensors(folder / "w", tensors, {});
  const SafetensorsFile file(folder / "w");
  RC_ASSERT(file.tensors().size() == tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const auto& read = file.at(name).bytes;
    RC_ASSERT(std::equal(read.begin(), read.end(), tensor.bytes.begin(), tensor.bytes.end()));
  }
}

}  // namespace
}  // namespace rethink
