// tokenizer.json, in which HF tokenizers saves a whole tokenizer: read where the tokenizer is
// BERT's, refused where it is another one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace rethink {

/// A missing member has BERT's value; null means "none", as it does for HF tokenizers. A Sequence of
/// one normalizer counts as that normalizer.
class TokenizerJson {
 public:
  /// Throws ConfigError when the file is not a JSON object, and, with what to do, when its tokenizer
  /// is not BERT's: another normalizer, pre-tokenizer, model, post-processor or added token.
  explicit TokenizerJson(std::filesystem::path file);

  /// None where the normalizer is missing.
  std::optional<bool> lower_case() const { return lower_case_; }

  /// Whether the file has a vocabulary, valid or not.
  bool has_pieces() const;

  /// In the order of their ids; "" where an id has no piece, or a piece that ends in white space or
  /// has a line end, which no text has. Throws ConfigError when the file has no pieces, or their ids
  /// are invalid.
  std::vector<std::string> pieces() const;

  /// Throws ConfigError when the file gives other ids than `lines`, the pieces of the vocab.txt
  /// beside it: transformers takes those of tokenizer.json. A line lacks the white space at the end
  /// of its piece. Throws where has_pieces() is false.
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

/// Member `name` of `object`; null when it is missing.
const Json& member_or_null(const Json& object, const char* name);

}  // namespace rethink
