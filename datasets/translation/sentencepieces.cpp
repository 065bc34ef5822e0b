#include "datasets/translation/sentencepieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/json.h"
#include "core/system/loaded_libraries.h"
#include "datasets/files/shared_library.h"
#include "datasets/translation/sentencepiece/library.h"
#include "datasets/vocabulary.h"

namespace rethink {
namespace {

/// SentencePiece skips longer lines by default [bytes].
constexpr size_t kLongestByDefault = 4192;

std::filesystem::path pieces_library_file() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() /
         "librethink_sentencepiece.so";
}

/// The functions by their names.
struct Library {
  SharedLibrary library{pieces_library_file(), "libsentencepiece0"};
  decltype(&rethink_pieces_train) train = library["rethink_pieces_train"];
  decltype(&rethink_pieces_open) open = library["rethink_pieces_open"];
  decltype(&rethink_pieces_close) close = library["rethink_pieces_close"];
  decltype(&rethink_pieces_count) count = library["rethink_pieces_count"];
  decltype(&rethink_pieces_ids) ids = library["rethink_pieces_ids"];
  decltype(&rethink_pieces_text) text = library["rethink_pieces_text"];
  decltype(&rethink_pieces_piece) piece = library["rethink_pieces_piece"];
  decltype(&rethink_pieces_free) free = library["rethink_pieces_free"];

  /// Returns the contents and frees the original.
  std::string taken(PieceText owned, size_t bytes) const {
    std::string copy(owned, bytes);
    free(owned);
    return copy;
  }
  std::string taken(PieceText owned) const { return taken(owned, std::string_view(owned).size()); }
};

const Library& library() {
  static const Library opened = [] {
    Library library;
    note_opened_plugin(pieces_library_file());
    return library;
  }();
  return opened;
}

/// The advice if a text cannot have so many pieces, which SentencePiece reports with a line of its
/// source; otherwise SentencePiece's message.
std::string advice(const std::string& error, int64_t size) {
  const auto number_behind = [&](const std::string& words) {
    const size_t at = error.find(words);
    if (at == std::string::npos) return std::string();
    const std::string rest = error.substr(at + words.size());
    return rest.substr(0, rest.find_first_not_of("0123456789"));
  };
  const std::string most = number_behind("to a value <= "),
                    least = number_behind(fmt::format("required_chars. {} vs ", size));
  if (!most.empty()) return fmt::format("lower data.vocabulary to at most {}", most);
  if (!least.empty()) {
    return fmt::format("every character is a piece: raise data.vocabulary to at least {}", least);
  }
  return error;
}

}  // namespace

struct SentencePieces::Model {
  explicit Model(PieceModel* opened) : pieces(opened) {}
  ~Model() { library().close(pieces); }
  PieceModel* const pieces;
};

Json SentencePieces::library_identity() {
  library();
  return {{"ours", opened_plugins().at(pieces_library_file().filename())},
          {"theirs", loaded_libraries({"libsentencepiece"})}};
}

std::string SentencePieces::train(const std::vector<std::string>& lines, int64_t size) {
  // Text stays unchanged except for repeated and outer spaces. One thread, since a model must not
  // depend on their number.
  std::string arguments = fmt::format(
      "model_type=bpe vocab_size={} character_coverage=1.0 normalization_rule_name=identity "
      "pad_id={} bos_id={} eos_id={} unk_id={} pad_piece={} bos_piece={} eos_piece={} unk_piece={} "
      "num_threads=1 minloglevel=2",
      size, Vocabulary::kPadding, Vocabulary::kStart, Vocabulary::kEnd, Vocabulary::kUnknown,
      Vocabulary::kSpecialTexts[Vocabulary::kPadding],
      Vocabulary::kSpecialTexts[Vocabulary::kStart], Vocabulary::kSpecialTexts[Vocabulary::kEnd],
      Vocabulary::kSpecialTexts[Vocabulary::kUnknown]);
  std::vector<const char*> texts;
  texts.reserve(lines.size());
  size_t longest = 0;
  for (const std::string& line : lines) {
    texts.push_back(line.c_str());
    longest = std::max(longest, line.size());
  }
  // A model contains its arguments, so models of shorter lines keep theirs.
  if (longest > kLongestByDefault) arguments += fmt::format(" max_sentence_length={}", longest + 1);
  PieceText model = nullptr;
  size_t bytes = 0;
  PieceText error = library().train(arguments.c_str(), texts.data(), texts.size(), &model, &bytes);
  if (error != nullptr) {
    throw TrialError("too-little-text",
                     fmt::format("{} pieces cannot be learned from {} lines: {}", size,
                                 lines.size(), advice(library().taken(error), size)));
  }
  return library().taken(model, bytes);
}

SentencePieces::SentencePieces(std::string model) : serialized_(std::move(model)) {
  PieceText error = nullptr;
  PieceModel* const opened = library().open(serialized_.data(), serialized_.size(), &error);
  if (opened == nullptr)
    throw TrialError("wrong-file", "not a model of SentencePiece: " + library().taken(error));
  model_ = std::make_unique<Model>(opened);
}

SentencePieces::~SentencePieces() = default;

std::vector<int32_t> SentencePieces::ids(std::string_view line) const {
  size_t count = 0;
  int32_t* const found = library().ids(model_->pieces, line.data(), line.size(), &count);
  std::vector<int32_t> ids(found, found + count);
  library().free(found);
  return ids;
}

std::string SentencePieces::text(std::span<const int32_t> ids) const {
  size_t size = 0;
  PieceText const text = library().text(model_->pieces, ids.data(), ids.size(), &size);
  RETHINK_ASSERT(text != nullptr, "ids of another model");
  return library().taken(text, size);
}

size_t SentencePieces::size() const {
  return static_cast<size_t>(library().count(model_->pieces));
}

std::string SentencePieces::piece(int32_t id) const {
  size_t size = 0;
  PieceText const piece = library().piece(model_->pieces, id, &size);
  return library().taken(piece, size);
}

}  // namespace rethink
