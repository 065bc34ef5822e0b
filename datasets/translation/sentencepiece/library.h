// The functions that librethink_sentencepiece.so provides from the library SentencePiece. They are looked up by name,
// so that only a program that needs pieces opens the library (datasets/files/shared_library.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rethink {

struct PieceModel;

/// A text that the library owns; null: no text. Free it with `rethink_pieces_free`.
using PieceText = char*;

extern "C" {
/// Learns a model and returns null; `model` and `size` are then the model. Returns what was wrong
/// if it fails. `arguments` are those of spm_train without input and output, such as
/// "model_type=bpe vocab_size=4000".
PieceText rethink_pieces_train(const char* arguments, const char* const* lines, size_t num_lines,
                               PieceText* model, size_t* size);
/// Returns null, and sets `error`, for an invalid `model`.
PieceModel* rethink_pieces_open(const char* model, size_t size, PieceText* error);
void rethink_pieces_close(PieceModel* model);
int rethink_pieces_count(const PieceModel* model);
/// Returns the ids of a line. Free them with `rethink_pieces_free`.
int32_t* rethink_pieces_ids(const PieceModel* model, const char* line, size_t size, size_t* count);
/// Returns null for an invalid id.
PieceText rethink_pieces_text(const PieceModel* model, const int32_t* ids, size_t count,
                              size_t* size);
PieceText rethink_pieces_piece(const PieceModel* model, int32_t id, size_t* size);
void rethink_pieces_free(void* text);
}

}  // namespace rethink
