// Pieces of words, learned from text by byte-pair encoding (Sennrich et al., 2016) with the library
// SentencePiece. Any line becomes pieces, and the pieces become the line again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Ids of padding, start, end and unknown are those of Vocabulary.
class SentencePieces {
 public:
  /// Returns a model of `size` pieces, special pieces included, with every character of `lines`. A pure function.
  /// Throws TrialError if the lines yield fewer pieces, or if `size` is too small for their characters.
  static std::string train(const std::vector<std::string>& lines, int64_t size);

  /// Returns what determines pieces beside a model: the versions of the library and of ours around
  /// it. Opens both. Throws MachineError if they are not installed.
  static Json library_identity();

  /// `model` is a result of train. Throws TrialError if it is invalid.
  explicit SentencePieces(std::string model);
  ~SentencePieces();
  SentencePieces(const SentencePieces&) = delete;
  SentencePieces& operator=(const SentencePieces&) = delete;

  /// Returns the ids of a line, without start and end. Thread: any.
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
