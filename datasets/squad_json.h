// The JSON of SQuAD's files, for training (squad.h) and for scores (squad_reference.h).
#pragma once

#include <filesystem>
#include <string>

#include "core/json.h"

namespace rethink {

/// The file's value. Throws MachineError when it cannot be read, and ConfigError when it is empty, no
/// text (compressed, UTF-16) or not JSON, with the byte.
Json read_squad_json(const std::filesystem::path& file);

/// Throws ConfigError that the file lacks a part or has it in another form, and which; `place` says
/// where: ", behind question 'a'".
[[noreturn]] void refuse_squad_form(const std::filesystem::path& file, const std::string& place,
                                    const Json::exception& error);

}  // namespace rethink
