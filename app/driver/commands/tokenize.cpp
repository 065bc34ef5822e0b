// `rethink tokenize --vocab F [FILE...]`: splits lines of text into BERT's pieces; --train makes
// the vocabulary.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iostream>

#include "app/driver/cli/note_report.h"
#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "core/format/file_kind.h"
#include "core/format/pretrained_folder.h"
#include "core/format/tokenizer_folder.h"
#include "core/message.h"
#include "core/text.h"
#include "datasets/files/text_lines.h"
#include "datasets/wordpiece/trainer.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {
namespace {

constexpr size_t kBlock = 1 << 20;

/// A file, or standard input for "".
FileDescriptor open_text(const std::string& path) {
  if (!path.empty()) refuse_git_pointer(path);
  if (!path.empty()) return open_file(path, O_RDONLY);
  const int copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw_file_error(kStandardInput, "cannot read", errno);
  return FileDescriptor(copy);
}

/// Calls `use` with each line, without its end, until it returns false; then returns false. Throws
/// ConfigError if the file is not text, with the line and column of a byte that is not UTF-8.
bool for_each_line(const std::string& path, const std::function<bool(std::string_view)>& use) {
  const FileDescriptor file = open_text(path);
  const std::string name = path.empty() ? kStandardInput : path;
  std::string buffer, block(kBlock, '\0');
  size_t number = 0;
  const auto use_checked = [&](std::string_view line) {
    if (number++ == 0) {
      refuse_git_pointer(name, buffer);
      refuse_other_kind(buffer, name, ExpectedFile::text);
      line = without_byte_order_marks(line);
    }
    require_utf8_text(line, name, number);
    return use(line);
  };
  for (;;) {
    const ssize_t count = read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_file_error(name, "cannot read", errno);
    if (count == 0) break;
    buffer.append(block, 0, static_cast<size_t>(count));
    size_t begin = 0;
    for (size_t end; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
      if (!use_checked(std::string_view(buffer).substr(begin, end - begin))) return false;
    }
    buffer.erase(0, begin);
  }
  if (number > 0) return buffer.empty() || use_checked(buffer);
  // Lines end only with \r, as on old Macs, or the text is one line.
  for (const std::string& line : lines_of(without_text_marks(buffer))) {
    if (!use_checked(line)) return false;
  }
  return true;
}

/// The files to read; one "" for standard input. Throws ConfigError before anything is printed.
std::vector<std::string> text_files(const po::variables_map& given) {
  std::vector<std::string> files = arguments_of(given);
  for (const std::string& file : files) {
    refuse_dangling_link(file);
    if (!std::filesystem::exists(file))
      throw ConfigError("file-missing", fmt::format("{}: got no such file, expected a text", file));
    if (std::filesystem::is_directory(file))
      throw ConfigError("not-a-file", fmt::format("{}: got a folder, expected a text", file));
  }
  if (files.empty()) files.emplace_back();
  return files;
}

/// A vocabulary without [PAD] is enough for texts without padding. transformers' BertTokenizer also
/// gives the token the next id.
void add_padding_token(std::vector<std::string>& pieces) {
  const std::string padding(kBertSpecials.front());
  if (std::ranges::find(pieces, padding) == pieces.end()) pieces.push_back(padding);
}

class Tokenize : public Command {
 public:
  std::string positional() const override { return "[FILE...]"; }

  bool prints_data(const po::variables_map&) const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()(
        "vocab", po::value<std::string>()->value_name("FILE"),
        "the vocabulary: a vocab.txt of BERT, one piece per line, or a tokenizer.json")(
        "cased",
        "keep case and accents (default: as tokenizer.json or the folder of vocab.txt says, else "
        "lower case)")("ids", "print numbers (lines of the vocabulary, from 0) instead of pieces")(
        "train", po::value<std::string>()->value_name("FILE"),
        "write a vocabulary for the texts to this file instead of tokenizing them")(
        "size", po::value<std::string>()->value_name("N")->default_value("8192"),
        "with --train: number of pieces, including special tokens");
  }

  std::string more_help(const CommandContext&) const override {
    return "Splits each line of the files, or of standard input, into BERT's WordPieces, as "
           "HF\ntokenizers does. Each line gives a line of pieces, separated by one space.\n[CLS], "
           "[SEP], [MASK], [PAD] and [UNK] in the text stay whole.\n\n"
           "  rethink tokenize --vocab vocab.txt text.txt\n"
           "  rethink tokenize --train vocab.txt --size 8192 text.txt\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    if (given.count("vocab") + given.count("train") != 1) {
      throw ConfigError("wrong-arguments",
                        fmt::format("rethink tokenize: got {}, expected one of them",
                                    given.count("vocab") ? "--vocab and --train"
                                                         : "neither --vocab nor --train"));
    }
    return given.count("train") ? train(context, given) : tokenize(context, given);
  }

 private:
  /// Takes the casing from the folder's files, if the vocabulary is a folder's vocab.txt.
  static void take_casing_of_folder(TokenizerVocabulary& vocabulary) {
    if (vocabulary.lower_case || vocabulary.file.filename() != "vocab.txt") return;
    const TokenizerCasing casing = read_casing(vocabulary.file.parent_path());
    if (casing.source == CasingSource::none) return;
    vocabulary.lower_case = casing.lower_case;
    if (!casing.note.empty())
      vocabulary.note += (vocabulary.note.empty() ? "" : "; ") + casing.note;
  }

  static bool keeps_case(const TokenizerVocabulary& vocabulary, const po::variables_map& given) {
    if (!given.count("cased")) return !vocabulary.lower_case.value_or(true);
    if (vocabulary.lower_case.value_or(false)) {
      throw ConfigError("conflicting-arguments",
                        fmt::format("--cased: the normalizer of {} lower-cases; leave --cased out",
                                    vocabulary.file.string()));
    }
    return true;
  }

  static int tokenize(const CommandContext& context, const po::variables_map& given) {
    if (!given["size"].defaulted())
      throw ConfigError("conflicting-arguments",
                        "--size is for --train; an existing vocabulary keeps its size");
    const std::filesystem::path vocab = given["vocab"].as<std::string>();
    if (is_file_there(vocab)) require_word_pieces(vocab.parent_path());
    TokenizerVocabulary vocabulary = read_vocabulary_file(vocab);
    if (!given.count("cased")) take_casing_of_folder(vocabulary);
    if (!vocabulary.note.empty() && !context.quiet)
      print_note(Note("tokenizer-files", vocabulary.note));
    add_padding_token(vocabulary.pieces);
    const WordPiece wordpiece(std::move(vocabulary.pieces), keeps_case(vocabulary, given),
                              vocabulary.file.string());
    const bool wants_ids = given.count("ids") > 0;
    std::vector<int32_t> ids;
    std::string line;
    const auto print = [&](std::string_view text) {
      ids.clear();
      line.clear();
      wordpiece.encode(text, ids);
      for (const int32_t id : ids) {
        if (!line.empty()) line += ' ';
        line += wants_ids ? std::to_string(id) : wordpiece.piece(id);
      }
      line += '\n';
      std::cout.write(line.data(), static_cast<std::streamsize>(line.size()));
      return static_cast<bool>(std::cout);
    };
    for (const std::string& file : text_files(given)) {
      // The reader of the output has ended; main reports this.
      if (!for_each_line(file, print)) break;
    }
    return kDone;
  }

  static int train(const CommandContext& context, const po::variables_map& given) {
    if (given.count("ids"))
      throw ConfigError("conflicting-arguments", "--ids is for --vocab; --train prints no ids");
    const int64_t size = number_given(given, "size", {.least = 1}).value();
    const std::filesystem::path vocab = given["train"].as<std::string>();
    const std::vector<std::string> files = text_files(given);
    WordPieceTrainer trainer(
        {.size = static_cast<size_t>(size), .cased = given.count("cased") > 0});
    bool has_text = false;
    for (const std::string& file : files) {
      for_each_line(file, [&](std::string_view text) {
        has_text = has_text || !trimmed(text).empty();
        trainer.add(text);
        return true;
      });
    }
    if (!has_text) {
      throw ConfigError("empty-file",
                        fmt::format("{}: no word is in {}; expected text",
                                    files[0].empty() ? "standard input" : joined(files),
                                    files.size() > 1 ? "these files" : "it"));
    }
    const WordPiece wordpiece = trainer.train();
    write_file_atomically(vocab, wordpiece.to_text());
    if (context.quiet) return kDone;
    const bool is_smaller = wordpiece.size() < static_cast<size_t>(size);
    std::cerr << fmt::format("{}: {}{}\n", vocab.string(), counted(wordpiece.size(), "piece"),
                             is_smaller ? "; the texts repeat no more than these" : "");
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Tokenize>("tokenize", "split text into BERT's WordPieces, or train a vocabulary");

}  // namespace
}  // namespace rethink
