// What to do about files of a data set that are not there.
#pragma once

#include <filesystem>
#include <string>

#include "core/json_fwd.h"

namespace rethink {

/// "run `rethink data get NAME`"; or, by the data set's facts, the Debian package that brings the
/// files ("package"), or what to do by hand ("by_hand").
std::string how_to_get_data(const std::string& dataset, const Json& facts);

/// "there is no folder /data" or "/data is not a folder", of the folder of data sets; "" where it is
/// a folder, or none is named.
std::string trouble_of_data_folder(const std::filesystem::path& data);

}  // namespace rethink
