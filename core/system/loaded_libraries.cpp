#include "core/system/loaded_libraries.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "core/files/hash.h"

namespace rethink {
namespace {

struct LibrarySearch {
  const std::vector<std::string>& prefixes;
  std::map<std::string, std::string> found;
};

int take_library(dl_phdr_info* library, size_t, void* given) {
  LibrarySearch& search = *static_cast<LibrarySearch*>(given);
  const std::string name = std::filesystem::path(library->dlpi_name).filename().string();
  const bool is_wanted = std::ranges::any_of(
      search.prefixes, [&](const std::string& prefix) { return name.starts_with(prefix); });
  if (!is_wanted) return 0;
  std::string id;
  for (size_t i = 0; i < library->dlpi_phnum && id.empty(); ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(library->dlpi_addr + segment.p_vaddr);
    id = build_id_in_notes({notes, segment.p_memsz});
  }
  search.found[name] = id.empty() ? "unknown" : id;
  return 0;
}

std::map<std::string, std::string>& plugins_of_this_process() {
  static std::map<std::string, std::string> plugins;
  return plugins;
}

}  // namespace

std::map<std::string, std::string> loaded_libraries(const std::vector<std::string>& prefixes) {
  LibrarySearch search{prefixes, {}};
  dl_iterate_phdr(take_library, &search);
  return std::move(search.found);
}

std::string build_id_in_notes(std::string_view notes) {
  const auto padded = [](size_t size) { return (size + 3) / 4 * 4; };
  Elf64_Nhdr note;
  for (size_t at = 0; at + sizeof note <= notes.size();) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    const size_t name = at + sizeof note, content = name + padded(note.n_namesz);
    if (content + note.n_descsz > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, 4) == std::string_view("GNU\0", 4)) {
      std::string hex;
      for (const char byte : notes.substr(content, note.n_descsz))
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      return hex;
    }
    at = content + padded(note.n_descsz);
  }
  return "";
}

void note_opened_plugin(const std::filesystem::path& file) {
  plugins_of_this_process()[file.filename().string()] = sha256_file(file);
}

const std::map<std::string, std::string>& opened_plugins() {
  return plugins_of_this_process();
}

}  // namespace rethink
