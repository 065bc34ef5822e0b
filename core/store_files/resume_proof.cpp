#include "core/store_files/resume_proof.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

constexpr size_t kProofDigits = 64;

std::filesystem::path proof_file(const std::filesystem::path& store, const std::string& name) {
  return store / kCodeFolder / (name + ".resume.json");
}

}  // namespace

std::string resume_proof_name(const Json& config, const std::string& device) {
  return sha256_hex(canonical_json(
      {{"code", config.at("snapshot")}, {"run", config.at("run")}, {"device", device}}));
}

bool has_resume_proof(const std::filesystem::path& store, const std::string& name) {
  static const JsonShape kProof = object_with(
      {{"proof", hex_digits(kProofDigits)}, {"trial", hex_digits(kIdDigits)}, {"at", any_text()}});
  try {
    const std::filesystem::path file = proof_file(store, name);
    if (!std::filesystem::exists(file)) return false;
    const StoredJson proof = read_stored_json(file, kProof);
    return proof.is_sound() && proof.object.at("proof") == name;
  } catch (const MachineError&) {  // an unreadable file proves nothing
    return false;
  }
}

void write_resume_proof(const std::filesystem::path& store, const std::string& name,
                        const std::string& trial) {
  const std::filesystem::path file = proof_file(store, name);
  make_folder_durably(file.parent_path());
  write_file_atomically(file,
                        stored_text({{"proof", name}, {"trial", trial}, {"at", wall_time()}}));
}

void remove_resume_proof(const std::filesystem::path& store, const std::string& name) {
  std::error_code ignored;  // the folder may be missing
  std::filesystem::remove(proof_file(store, name), ignored);
  if (std::filesystem::exists(proof_file(store, name)))
    throw MachineError("cannot-remove",
                       proof_file(store, name).string() + ": cannot be removed; remove it by hand");
}

}  // namespace rethink
