// enwik8: the first 100,000,000 bytes of a Wikipedia dump of 2006 (Hutter Prize; Mahoney, "About
// the test data").
//
// The usual protocol is one stream of bytes, the first 90 % for training, 5 % for dev, 5 % for
// test. BET's released code reads sentences instead: NLTK's sentences of each line, 70 % of them
// for training, 10 % dev, 20 % test. We assume that these parts are contiguous and in this order.
#include <fmt/format.h>

#include "core/format/file_kind.h"
#include "core/json.h"
#include "datasets/text/text_dataset.h"

namespace rethink {
namespace {

struct Enwik8Options : TextOptions {
  std::string split = "bytes_90_5_5";

  Enwik8Options() {
    unit = "byte";
    protocol = "stream";
    stream_length = 512;
  }
  void fields(Fields& field) {
    TextOptions::fields(field);
    field("split", split,
          "how the text is split: by shares of its bytes, or by shares of its sentences (BET's "
          "released code)")
        .one_of({"bytes_90_5_5", "sentences_70_10_20"});
  }
};

std::vector<SplitText> split_bytes(const std::string& text) {
  const size_t dev = text.size() / 100 * 90 + text.size() % 100 * 90 / 100;
  const size_t test = text.size() / 100 * 95 + text.size() % 100 * 95 / 100;
  return {{"train", text.substr(0, dev)},
          {"dev", text.substr(dev, test - dev)},
          {"test", text.substr(test)}};
}

/// Every sentence becomes a line.
std::vector<SplitText> split_sentences_70_10_20(const std::string& text,
                                                const Enwik8Options& options) {
  const auto tokenizer = tokenizers().make(options.tokenizer.name, *options.tokenizer.options);
  std::vector<std::string> sentences;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    for (const std::string& sentence :
         tokenizer->sentences(std::string_view(text).substr(at, end - at))) {
      sentences.push_back(sentence + '\n');
    }
    at = end + 1;
  }
  return hold_out_tail(sentences, 0.1, 0.2);
}

std::shared_ptr<TokenDataset> open_enwik8(const Enwik8Options& options,
                                          const DataFolders& folders) {
  const auto files = require_files("enwik8", folders, {"enwik8/enwik8"});
  const auto read = [&] {
    const std::string text = read_expected(files[0], ExpectedFile::wikipedia_dump);
    return options.split == "bytes_90_5_5" ? split_bytes(text)
                                           : split_sentences_70_10_20(text, options);
  };
  return open_text({"enwik8", files, {{"split", options.split}}, read}, options, folders);
}

DatasetFacts enwik8_facts() {
  const std::string file = "enwik8/enwik8";
  DatasetFacts all = text_facts("bits_per_character");
  all.files = {{"train", {file}}};
  all.splits = {"train", "dev", "test"};
  all.once_read = {"packed"};
  all.sources = {
      {.url = "https://mattmahoney.net/dc/enwik8.zip",
       .sha256 = "547994d9980ebed1288380d652999f38a14fe291a6247c157c3d33d4932534bc",
       .files = {{.file = file,
                  .member = "enwik8",
                  .sha256 = "2b49720ec4d78c3c9fabaee6e4179a5e997302b3a70029f30f2d582218c024a8",
                  .bytes = 100'000'000}},
       .bytes = 36'445'475}};
  return all;
}

RETHINK_REGISTERED = datasets().add<Enwik8Options>(
    {.name = "enwik8",
     .summary = "enwik8, the first 100 million bytes of a Wikipedia dump (Hutter Prize)",
     .facts = enwik8_facts()},
    open_enwik8);

}  // namespace
}  // namespace rethink
