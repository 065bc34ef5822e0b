#include "core/facts/dataset_facts.h"

namespace rethink {

void SourceFile::fields(Fields& field) {
  field("file", file, "path below the folder of data sets").required();
  field("member", member, "name in the archive; empty: the address is the file itself").required();
  field("sha256", sha256, "SHA-256 of the file; empty: unknown").required();
  field("bytes", bytes, "size of the file [bytes]");
}

void DataSource::fields(Fields& field) {
  field("url", url, "address").required();
  field("sha256", sha256, "SHA-256 of the archive; empty: unknown").required();
  field("files", files, "files that are taken from the archive").required();
  field("bytes", bytes, "size of the archive [bytes]").required();
}

void TableColumns::fields(Fields& field) {
  field("texts", texts, "columns of the sentence, or of the two sentences of a pair").required();
  field("label", label, "column of the label").required();
  field("index", index, "column of the row's number").required();
  field("without_header", without_header, "column names of files without a header").required();
  field("skips_short_rows", skips_short_rows, "skip rows with too few columns").required();
}

void PackedText::fields(Fields& field) {
  field("lines", lines, "lines of all splits").required();
  field("words", words, "words of all splits").required();
  field("characters", characters, "characters of all splits").required();
  field("dev", dev, "share of dev").required();
  field("test", test, "share of test").required();
}

void DatasetFacts::fields(Fields& field) {
  field("kind", kind,
        "text (TokenDataset), labelled (datasets/labelled/labelled.h), questions (questions.h), "
        "tagged (tagged.h), "
        "documents (datasets/pretraining/documents.h) or translations "
        "(datasets/translation/translations.h)")
      .required();
  field("splits", splits, "splits of the data set").required();
  field("metric", metric, "metric that is the score by default").required();
  field("metrics", metrics, "metrics of its trials, if they differ from the job's");
  field("files", files, "files of each split: {train: [wikitext-2/wiki.train.tokens]}");
  field("files_if", files_if,
        "files that are read only if an option is true: {test: {test: [glue/CoLA/test.tsv]}}");
  field("file_options", file_options, "options that name files");
  field("optional_splits", optional_splits,
        "splits that exist only if an option is not empty: {test: test_source}");
  field("once_read", once_read,
        "marks (core/format/text_marks.h) that earlier versions read in another way: a file with "
        "such a mark has a new identity");
  field("sources", sources, "files that `rethink data get` downloads");
  field("installed", installed, "SHA-256 of files that a package installs");
  field("package", package, "Debian package that installs the files");
  field("by_hand", by_hand, "what a user must do to get the files");
  field("packed", packed, "size of the text in a packed file");
  field("examples", examples, "published number of examples of each split");
  field("labels", labels, "names of the classes; empty: the label is a score or a choice");
  field("other_names", other_names,
        "names of the classes in Hugging Face's datasets, if labels are numbers there");
  field("choices", choices, "texts per example, one of them right; 1: no multiple choice");
  field("no_answer", no_answer, "some questions have no answer");
  field("columns", columns, "columns of the data set's tables");
  field("unlabelled", unlabelled, "splits without labels");
  field("submissions", submissions,
        "file names that GLUE's server expects for the predictions of a split");
  field("server_metrics", server_metrics, "metrics that GLUE's server reports for a split");
}

}  // namespace rethink
