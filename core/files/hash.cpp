#include "core/files/hash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"

namespace rethink {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  // Looked up once: EVP_sha256() would look it up for every hash.
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  RETHINK_ASSERT(EVP_DigestInit_ex(state_->context, algorithm, nullptr) == 1,
                 "OpenSSL has no SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_DigestFinal_ex(state_->context, digest.data(), &size);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  const FileDescriptor file = open_store_file(path, O_RDONLY);
  Sha256 hash;
  std::vector<char> buffer(1 << 20);
  for (ssize_t got; (got = read(file.get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(path, "reading failed", errno);
    hash.add({buffer.data(), static_cast<size_t>(got)});
  }
  return hash.hex();
}

uint32_t crc32c(std::string_view bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> entries{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = (value & 1) ? (value >> 1) ^ 0x82F63B78u : value >> 1;
      entries[i] = value;
    }
    return entries;
  }();
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

namespace {

constexpr size_t kHexDigits = 64;

/// Failing to write the cache only costs time.
void remember(const std::filesystem::path& memory, const std::string& found) {
  std::error_code failed;
  std::filesystem::create_directories(memory.parent_path(), failed);
  try {
    if (!failed) write_file_atomically(memory, found);
  } catch (const MachineError&) {
  }
}

/// Empty if nothing can be read.
std::string recalled(const std::filesystem::path& memory) {
  std::error_code unknown;
  if (!std::filesystem::exists(memory, unknown)) return "";
  try {
    return read_store_file(memory);
  } catch (const MachineError&) {
    return "";
  } catch (const DamagedFile&) {
    return "";
  }
}

}  // namespace

std::string remembered(const std::filesystem::path& file, const std::filesystem::path& folder,
                       const std::string& what, size_t length,
                       const std::function<std::string()>& find) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw_file_error(file, "cannot read it", errno);
  if (folder.empty()) return find();
  const std::string identity =
      fmt::format("{} {} {} {}.{:09}", std::filesystem::absolute(file).string(), status.st_size,
                  status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  const std::filesystem::path memory =
      folder / fmt::format("{:.32}.{}", sha256_hex(identity), what);
  if (const std::string known = recalled(memory); known.size() == length) return known;
  const std::string found = find();
  // A file that was written just now may be written again within the clock's resolution, with equal
  // size and time.
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (now - status.st_mtim.tv_sec > 2) remember(memory, found);
  return found;
}

std::string remembered_sha256(const std::filesystem::path& file,
                              const std::filesystem::path& folder) {
  return remembered(file, folder, "sha256", kHexDigits, [&] { return sha256_file(file); });
}

}  // namespace rethink
