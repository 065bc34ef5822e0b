// Pieces of words that are learned from text by byte-pair encoding (Sennrich et al., 2016), by the
// library SentencePiece: any line becomes pieces, and pieces the line again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Ids of padding, start, end and unknown are Vocabulary's.
class SentencePieces {
 public:
  /// A model of `size` pieces, special ones counted, every character of `lines` among them. A pure
  /// function. Throws TrialError when the lines have no so many, or fewer than their characters.
  static std::string train(const std::vector<std::string>& lines, int64_t size);

  /// Returns what determines pieces beside a model: the versions of the library and of ours around
  /// it. Opens both. Throws MachineError if they are not installed.
  static Json library_identity();

  /// `model` is a result of train. Throws TrialError if it is invalid.
  explicit SentencePieces(std::string model);
  ~SentencePieces();
  SentencePieces(const SentencePieces&) = delete;
  SentencePieces& operator=(const SentencePieces&) = delete;

  /// Without start and end. Thread: any.
  std::vector<int32_t> ids(std::string_view line) const;
  /// Returns the line, without special ids. Requires: ids of this model.
  std::string text(std::span<const int32_t> ids) const;
  size_t size() const;
  std::string piece(int32_t id) const;
  /// Returns the result of train.
  const std::string& serialized() const { return serialized_; }

 private:
  struct Model;
  const std::string serialized_;
  std::unique_ptr<Model> model_;
};

}  // namespace rethink
