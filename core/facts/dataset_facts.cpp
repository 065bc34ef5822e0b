#include "core/facts/dataset_facts.h"

namespace rethink {

void SourceFile::fields(Fields& field) {
  field("file", file, "below the folder of data sets").required();
  field("member", member, "its name in the archive; empty: the address is the file itself")
      .required();
  field("sha256", sha256, "empty: nobody knows").required();
  field("bytes", bytes, "its size [bytes]");
}

void DataSource::fields(Fields& field) {
  field("url", url, "its address").required();
  field("sha256", sha256, "of the archive; empty: nobody knows").required();
  field("files", files, "what is wanted of it").required();
  field("bytes", bytes, "its size [bytes]").required();
}

void TableColumns::fields(Fields& field) {
  field("texts", texts, "columns of the sentence, or of the two of a pair").required();
  field("label", label, "column of the label").required();
  field("index", index, "column of the row's number").required();
  field("without_header", without_header, "columns of files that have no header").required();
  field("skips_short_rows", skips_short_rows, "rows that lack columns are left out").required();
}

void DatasetFacts::fields(Fields& field) {
  field("kind", kind,
        "text (TokenDataset), labelled (datasets/labelled/labelled.h), questions (questions.h), "
        "tagged (tagged.h), "
        "documents (datasets/pretraining/documents.h) or translations "
        "(datasets/translation/translations.h)")
      .required();
  field("splits", splits, "those that it has").required();
  field("metric", metric, "what is scored by default").required();
  field("metrics", metrics, "those that its trials record, where they are not the job's");
  field("files", files, "{train: [wikitext-2/wiki.train.tokens]}: its own files");
  field("files_if", files_if,
        "{test: {test: [glue/CoLA/test.tsv]}}: files that are read only where the option is true");
  field("file_options", file_options, "options that name files");
  field("optional_splits", optional_splits,
        "{test: test_source}: the split is there where the option is not empty");
  field("once_read", once_read,
        "marks (core/format/text_marks.h) in its files that were once read in another way: a file "
        "with one of them has "
        "another identity since");
  field("sources", sources, "what `rethink data get` downloads");
  field("installed", installed, "SHA-256 of files that come with a package");
  field("package", package, "the Debian package that brings the files");
  field("by_hand", by_hand, "what a user is to do who wants the files");
  field("examples", examples, "of each split, as published");
  field("labels", labels, "names of the classes; empty: a score, or a choice");
  field("other_names", other_names,
        "what Hugging Face's datasets call classes whose labels are numbers");
  field("choices", choices, "texts of an example, one of which is right; 1: there is no choice");
  field("no_answer", no_answer, "some questions have no answer");
  field("columns", columns, "of its tables");
  field("unlabelled", unlabelled, "splits without labels");
  field("submissions", submissions, "what GLUE's server wants the predictions of a split called");
  field("server_metrics", server_metrics, "what GLUE's server measures on a split");
}

}  // namespace rethink
