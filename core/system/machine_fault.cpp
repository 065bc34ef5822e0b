#include "core/system/machine_fault.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/store_command.h"
#include "core/system/file.h"

namespace rethink {
namespace {

/// "cannot create directories" of "filesystem error: cannot create directories: No space ... [x]".
std::string what_failed(const std::filesystem::filesystem_error& error) {
  constexpr std::string_view kBefore = "filesystem error: ";
  std::string text = error.what();
  if (text.starts_with(kBefore)) text.erase(0, kBefore.size());
  return text.substr(0, text.find(": "));
}

/// Libraries put the system's text into errors of their own.
MachineFault fault_in_text(const std::string& text) {
  for (const int number : {EAGAIN, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO, EROFS}) {
    if (text.find(std::strerror(number)) != std::string::npos) return machine_fault(number);
  }
  return MachineFault::none;
}

}  // namespace

MachineFault machine_fault(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return MachineFault::disk_full;
    case EIO:
    case EROFS:
    case ENXIO:
    case ENODEV:
    case ESTALE:
    case EUCLEAN:
      return MachineFault::disk;
    case EMFILE:
    case ENFILE:
    case EAGAIN:
    case ENOMEM:
      return MachineFault::resources;
    default:
      return MachineFault::none;
  }
}

MachineFault machine_fault(const std::exception& error) {
  if (dynamic_cast<const DiskFullError*>(&error)) return MachineFault::disk_full;
  if (dynamic_cast<const DiskError*>(&error)) return MachineFault::disk;
  if (dynamic_cast<const ResourceError*>(&error)) return MachineFault::resources;
  if (const auto* of_system = dynamic_cast<const std::system_error*>(&error))
    return machine_fault(of_system->code().value());
  const bool is_ours = dynamic_cast<const MachineError*>(&error) ||
                       dynamic_cast<const ConfigError*>(&error) ||
                       dynamic_cast<const TrialError*>(&error);
  return is_ours ? MachineFault::none : fault_in_text(error.what());
}

std::string machine_message(const std::exception& error) {
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    try {
      throw_file_error(of_file->path1(), what_failed(*of_file), of_file->code().value());
    } catch (const MachineError& ours) {
      return ours.what();
    }
  }
  const auto* of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system && machine_fault(error) == MachineFault::resources)
    return text_of_resource_error("cannot start a thread", of_system->code().value());
  return error.what();
}

std::string advice_on(MachineFault fault, const std::filesystem::path& store) {
  switch (fault) {
    case MachineFault::disk_full:
      return fmt::format(
          "make room (`{}` says whether the store has any to give), then give the same command "
          "again",
          store_command("gc --dry-run", store));
    case MachineFault::disk:
      return "look at the disk (`dmesg`, `mount`), then give the same command again";
    case MachineFault::resources:
      return "raise the limit or run fewer at once (--slots), then give the same command again";
    case MachineFault::none:
      break;
  }
  return "";
}

}  // namespace rethink
