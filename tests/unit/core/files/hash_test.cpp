#include "core/files/hash.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(Hash, AgreesWithTheStandardsExamples) {
  // These are FIPS 180-2, appendix B.1, and the empty message.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // These are RFC 3720, B.4 (32 bytes of zeros) and the usual check value.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
}

TEST(Hash, DoesNotDependOnHowTheBytesArrive) {
  Sha256 parts;
  parts.add("a");
  parts.add("");
  parts.add("bc");
  EXPECT_EQ(parts.hex(), sha256_hex("abc"));
}

TEST(Hash, OfAFileIsTheHashOfItsBytes) {
  TempFolder folder;
  const std::string bytes(3'000'001, 'x');
  write_text(folder / "f", bytes);
  EXPECT_EQ(sha256_file(folder / "f"), sha256_hex(bytes));
  EXPECT_THROW(sha256_file(folder / "none"), MachineError);
}

}  // namespace
}  // namespace rethink
