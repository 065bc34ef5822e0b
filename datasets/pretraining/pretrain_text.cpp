// Plain text for pretraining, read into documents of sentences. By default, eight novels of Project
// Gutenberg replace BERT's BooksCorpus, and the training text of WikiText-2 replaces its Wikipedia.
#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/files/text_lines.h"
#include "datasets/pretraining/documents.h"
#include "datasets/text/wikitext.h"

namespace rethink {
namespace {

/// A novel in GITenberg: repository, commit, file, SHA-256, size.
struct Novel {
  std::string name, commit, file, sha256;
  int64_t bytes;

  std::string path() const { return "pretrain_text/gutenberg/" + name + ".txt"; }
  std::string url() const {
    return fmt::format("https://raw.githubusercontent.com/GITenberg/{}/{}/{}", name, commit, file);
  }
};

const std::vector<Novel>& novels() {
  static const std::vector<Novel> known = {
      {"Dracula_345", "5216d6ea255fbf8966426a160b68251b18f16907", "345.txt",
       "c802711470ddb2aaca81432fc101ed29c154e7c3d32df4172478695c33f68eae", 883'158},
      {"Frankenstein_84", "c98a483bd1f34e7366126b81bcedd1a6faee636e", "84-0.txt",
       "c29a4f56dd91aa894a3f17d5f96b356ccb499e3e2c5a27964de911845e39efab", 450'783},
      {"Great-Expectations_1400", "889db0e100928a957f469bf834c564d04065c8e6", "1400-0.txt",
       "b58ce42c630e06314f2442d5937fa8a8556b6e3c5c16f4713c7332a4bb50b420", 1'049'619},
      {"Middlemarch_145", "39add53d31f10ba5cecdcbe8c095f90b25fd4b3f", "145.txt",
       "f499b77eb0e4e34edc3bae6b968e3241c8327384631bd26e8eec76b726915a7d", 1'847'708},
      {"Moby-Dick--Or-The-Whale_2701", "bdf1948e6cd00963730971e5624e764a35f238c3", "2701-0.txt",
       "baf9b04fcf6e0008f30eaaa6697277751448c1070b20175e0082f28cbb161fd3", 1'276'201},
      {"Pride-and-Prejudice_1342", "81db45c9c48c592f0b77f01fc59e677ad0a5634e", "1342-0.txt",
       "48e0522844402a86a3ea98f0947ba85ea54838db3c59022299298ed968a5a163", 724'725},
      {"The-Adventures-of-Sherlock-Holmes_1661", "7e5dd2703fbf503c004063e96ab7c61262375e5f",
       "1661.txt", "2a0ce5568625a304f54fbb6bfdeeadf527a1437254b5f0e06b5a9e233d4784a2", 594'941},
      {"War-and-Peace_2600", "fa22ab90f00f627e83d14acabe32d91602d2365d", "2600-0.txt",
       "6cbcc5ca5e590fb9ace161a5b93e4ecf280d7118104be0d63b686c004cfa70ae", 3'359'542},
  };
  return known;
}

const char* const kWikitext = "wikitext-2/wiki.train.tokens";

std::vector<std::string> default_paths() {
  std::vector<std::string> paths;
  for (const Novel& novel : novels()) paths.push_back(novel.path());
  paths.emplace_back(kWikitext);
  return paths;
}

struct PretrainTextOptions {
  std::vector<std::string> paths = default_paths();
  std::string layout = "auto";
  std::string vocabulary;
  double dev = 0.05;

  void fields(Fields& field) {
    std::vector<std::string> layouts = document_layouts();
    layouts.insert(layouts.begin(), "auto");
    // Files count by their content.
    field("paths", paths,
          "the files, in order; relative paths start at the sweep's file or at the folder of data "
          "sets")
        .not_empty()
        .not_hashed();
    field(
        "layout", layout,
        "layout of every file: one sentence per line with empty lines between documents, a book of "
        "Project Gutenberg, WikiText or WikiExtractor; auto = recognize each file by its marks")
        .one_of(layouts);
    field("vocabulary", vocabulary,
          "a BERT's vocab.txt or tokenizer.json to use; empty: learn WordPieces from the training "
          "text")
        .not_hashed();
    field("dev", dev,
          "share of each document's sentences that becomes dev, taken from the document's end")
        .above(0)
        .below(0.5);
  }
};

std::shared_ptr<DocumentDataset> open_pretrain_text(const PretrainTextOptions& options,
                                                    const DataFolders& folders) {
  std::vector<Document> documents;
  for (const std::filesystem::path& file : require_files("pretrain_text", folders, options.paths)) {
    const std::string text = read_running_text(file);
    std::vector<Document> found;
    try {
      found = documents_in(text, options.layout == "auto" ? layout_of(text) : options.layout);
    } catch (const ConfigError& error) {
      throw ConfigError(error.code(), fmt::format("{}: {}", file.string(), error.what()));
    }
    if (found.empty())
      throw ConfigError("empty-file",
                        fmt::format("{}: no sentence found; expected text", file.string()));
    std::move(found.begin(), found.end(), std::back_inserter(documents));
  }
  std::filesystem::path vocabulary;
  if (!options.vocabulary.empty())
    vocabulary = require_files("pretrain_text", folders, {options.vocabulary}).front();
  return std::make_shared<DocumentDataset>(
      "pretrain_text", hold_out_ends(std::move(documents), options.dev), vocabulary);
}

std::vector<DataSource> sources() {
  std::vector<DataSource> all;
  for (const Novel& novel : novels())
    all.push_back(plain_source(novel.url(), novel.path(), novel.sha256, novel.bytes));
  DataSource wikitext = wikitext_facts("wikitext-2", {.archive = kWikitext2Sha256,
                                                      .train = kWikitext2TrainSha256,
                                                      .archive_bytes = kWikitext2Bytes})
                            .sources.front();
  wikitext.files.resize(1);  // the training text
  all.push_back(wikitext);
  return all;
}

RETHINK_REGISTERED = datasets().add<PretrainTextOptions>(
    {.name = "pretrain_text",
     .summary = "plain text as documents of sentences: novels and WikiText-2, or your own files",
     .facts = {.kind = "documents",
               .splits = {"train", "dev"},
               .metric = "loss",
               .file_options = {"paths", "vocabulary"},
               .once_read = {"cr", "stray", "old_book"},
               .sources = sources()}},
    open_pretrain_text);

}  // namespace
}  // namespace rethink
