// The library librethink_sentencepiece.so (library.h).
#include "datasets/translation/sentencepiece/library.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

/// A copy made with malloc, as the header says, with a null byte at the end.
char* copied(const void* bytes, size_t size) {
  char* const text = static_cast<char*>(std::malloc(size + 1));
  if (text != nullptr) {
    std::memcpy(text, bytes, size);
    text[size] = '\0';
  }
  return text;
}

char* copied(const std::string& text) {
  return copied(text.data(), text.size());
}

/// "key=value key=value". SentencePiece would write a command line to standard error.
std::unordered_map<std::string, std::string> options_of(const char* arguments) {
  std::unordered_map<std::string, std::string> options;
  std::istringstream words(arguments);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return options;
}

class Lines : public sentencepiece::SentenceIterator {
 public:
  Lines(const char* const* lines, size_t count) : lines_(lines), count_(count) { read(); }
  bool done() const override { return at_ >= count_; }
  void Next() override {
    ++at_;
    read();
  }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void read() {
    if (at_ < count_) line_ = lines_[at_];
  }

  const char* const* const lines_;
  const size_t count_;
  size_t at_ = 0;
  std::string line_;
};

}  // namespace

namespace rethink {

struct PieceModel {
  sentencepiece::SentencePieceProcessor processor;
};

PieceText rethink_pieces_train(const char* arguments, const char* const* lines, size_t num_lines,
                               PieceText* model, size_t* size) {
  Lines iterator(lines, num_lines);
  std::string trained;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(options_of(arguments), &iterator, &trained);
  if (!status.ok()) return copied(status.ToString());
  *model = copied(trained);
  *size = trained.size();
  return nullptr;
}

PieceModel* rethink_pieces_open(const char* model, size_t size, PieceText* error) {
  auto* const opened = new PieceModel;
  const auto status = opened->processor.LoadFromSerializedProto({model, size});
  if (status.ok()) return opened;
  *error = copied(status.ToString());
  delete opened;
  return nullptr;
}

void rethink_pieces_close(PieceModel* model) {
  delete model;
}

int rethink_pieces_count(const PieceModel* model) {
  return model->processor.GetPieceSize();
}

int32_t* rethink_pieces_ids(const PieceModel* model, const char* line, size_t size, size_t* count) {
  std::vector<int> ids;
  static_cast<void>(model->processor.Encode({line, size}, &ids));
  *count = ids.size();
  return reinterpret_cast<int32_t*>(copied(ids.data(), ids.size() * sizeof(int32_t)));
}

PieceText rethink_pieces_text(const PieceModel* model, const int32_t* ids, size_t count,
                              size_t* size) {
  std::string text;
  if (!model->processor.Decode(std::vector<int>(ids, ids + count), &text).ok()) return nullptr;
  *size = text.size();
  return copied(text);
}

PieceText rethink_pieces_piece(const PieceModel* model, int32_t id, size_t* size) {
  const std::string& piece = model->processor.IdToPiece(id);
  *size = piece.size();
  return copied(piece);
}

void rethink_pieces_free(void* text) {
  std::free(text);
}

}  // namespace rethink
