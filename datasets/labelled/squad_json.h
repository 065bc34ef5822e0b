// The JSON of SQuAD's files, for training (squad.h) and for scores (squad_reference.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"

namespace rethink {

/// The file's value. Throws MachineError when it cannot be read, and ConfigError when it is empty, no
/// text (compressed, UTF-16) or not JSON, with the byte, or JSON Lines.
Json read_squad_json(const std::filesystem::path& file);

/// A value of a file of SQuAD, with the way to it: messages name its line and column, and the
/// question's id. Lives no longer than the values above it.
class SquadValue {
 public:
  SquadValue(const std::filesystem::path& file, const Json& root) : file_(file), json_(root) {}

  /// Each throws ConfigError where the value is of another type, or the member is missing.
  SquadValue member(const char* name) const;
  SquadValue optional_member(const char* name) const;  // null where it is missing
  size_t size() const;                                 // of a list
  SquadValue entry(size_t index) const;
  const std::string& text() const;
  int64_t whole_number() const;
  bool truth() const;  // false where it is null

  const Json& json() const { return json_; }
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  SquadValue(const SquadValue& above, const Json& json, const char* name, size_t index)
      : file_(above.file_), json_(json), above_(&above), name_(name), index_(index) {}
  [[noreturn]] void refuse_type(const std::string& expected) const;
  std::string path() const;         // "data[0].paragraphs[2]"
  std::string question_id() const;  // "" where there is none
  std::vector<Json> steps() const;  // keys and indices from the root

  const std::filesystem::path& file_;
  const Json& json_;
  const SquadValue* above_ = nullptr;
  const char* name_ = nullptr;  // null: an entry of a list
  size_t index_ = 0;
};

}  // namespace rethink
