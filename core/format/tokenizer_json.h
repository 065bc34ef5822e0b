// Reader of tokenizer.json, in which HF tokenizers saves a whole tokenizer. It accepts BERT's
// tokenizer and refuses all others.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace rethink {

/// Options of the normalizer. A missing member has BERT's value. null means "none", as in HF
/// tokenizers. A Sequence of one normalizer counts as this normalizer.
class TokenizerJson {
 public:
  /// Throws ConfigError when the file is not a JSON object, and, with what to do, when its tokenizer
  /// is not BERT's: another normalizer, pre-tokenizer, model, post-processor or added token.
  explicit TokenizerJson(std::filesystem::path file);

  /// Returns nothing if the normalizer is missing.
  std::optional<bool> lower_case() const { return lower_case_; }

  /// Whether the file has a vocabulary, valid or not.
  bool has_pieces() const;

  /// Returns the pieces in the order of their ids. The piece is "" if an id has none, or if its
  /// piece contains a line end or ends in white space, which no text has. Throws ConfigError if the
  /// file has no pieces, or invalid ids.
  std::vector<std::string> pieces() const;

  /// Throws ConfigError if the file has other ids than `lines`, the pieces of the vocab.txt beside
  /// it, since transformers uses those of tokenizer.json. A line lacks white space at the end of
  /// its piece. Throws if has_pieces() is false.
  void require_same_ids(const std::vector<std::string>& lines) const;

 private:
  [[noreturn]] void refuse(const std::string& name, const Json& got,
                           const std::string& expected) const;
  void allow(const std::string& name, const Json& got, const Json& only) const;
  void require_kind(const char* part, const Json& found, const char* only) const;
  std::optional<bool> checked_lower_case() const;
  void require_model() const;
  void require_added_tokens() const;
  void require_post_processor() const;
  Json id_of(const std::string& special) const;
  std::vector<std::string> whole_pieces() const;
  void add(const std::string& piece, const Json& id, size_t ids,
           std::vector<std::string>& all) const;

  const std::filesystem::path file_;
  const Json json_;
  const std::optional<bool> lower_case_;
};

/// Without Unicode's White_Space at its end, as HF tokenizers cuts it off a line of vocab.txt.
std::string_view without_trailing_space(std::string_view text);

/// Returns the member `name` of `object`; null if it is missing.
const Json& member_or_null(const Json& object, const char* name);

}  // namespace rethink
