#include "datasets/glue.h"

#include <algorithm>

#include "core/json.h"
#include "datasets/text_dataset.h"

namespace rethink {
namespace {

std::string below_data(const std::string& path) {
  return "glue/" + path;
}

Json glue_split_files(const GlueTask& task, const GlueFile& file) {
  Json files = Json::array({below_data(file.path)});
  for (const GlueFile& one : task.parting) files.push_back(below_data(one.path));
  return files;
}

/// The archive with what is in it, and the files that are published by themselves.
Json sources_of(const GlueTask& task) {
  Json sources = Json::array(), members = Json::array();
  const auto add = [&](const GlueFile& file) {
    Json entry = {{"file", below_data(file.path)}, {"member", file.path}, {"sha256", file.sha256}};
    if (file.url.empty()) {
      members.push_back(entry);
      return;
    }
    entry["member"] = "";
    const Json source = {{"url", file.url},
                         {"sha256", file.sha256},
                         {"bytes", file.bytes},
                         {"files", Json::array({entry})}};
    if (std::find(sources.begin(), sources.end(), source) == sources.end())
      sources.push_back(source);
  };
  for (const GlueFile& file : task.files) add(file);
  for (const GlueFile& file : task.parting) add(file);
  if (!task.archive.empty()) {
    sources.push_back({{"url", kGlueAddress + task.archive},
                       {"sha256", task.sha256},
                       {"bytes", task.bytes},
                       {"files", members}});
  }
  return sources;
}

}  // namespace

void GlueOptions::fields(Fields& field) {
  LabelledOptions::fields(field);
  field("test", test,
        "read the test splits too, whose labels only GLUE's server knows, to leave predictions for "
        "it");
}

std::shared_ptr<LabelledDataset> open_glue(const GlueTask& task, const GlueOptions& options,
                                           const DataFolders& folders, const ReadSplit& read) {
  const std::string name = "glue/" + task.name;
  const Json facts = glue_facts(task);
  std::vector<std::string> needed;
  std::vector<const GlueFile*> chosen;
  for (const GlueFile& file : task.files) {
    const bool is_test = !file.submission.empty();
    if (is_test && !options.test) continue;
    const Json& files = is_test ? facts.at("files_if").at("test") : facts.at("files");
    for (const std::string path : files.at(file.split)) needed.push_back(path);
    chosen.push_back(&file);
  }
  require_files(name, folders, needed);
  std::vector<LabelledSplit> splits;
  for (const GlueFile* file : chosen) {
    LabelledSplit& split =
        splits.emplace_back(LabelledSplit{file->split, read(*file, folders.data / "glue")});
    if (file->submission.empty()) continue;
    // MRPC's are published elsewhere, and not to be looked at.
    for (LabelledExample& example : split.examples) example.label.reset();
  }
  return std::make_shared<LabelledDataset>(name, task.task, std::move(splits), options);
}

Json glue_facts(const GlueTask& task) {
  Json facts = labelled_facts(task.task);
  Json files = Json::object(), tests = Json::object(), examples = Json::object(),
       submissions = Json::object(), server_metrics = Json::object(), splits = Json::array(),
       unlabelled = Json::array();
  for (const GlueFile& file : task.files) {
    const bool is_test = !file.submission.empty();
    (is_test ? tests : files)[file.split] = glue_split_files(task, file);
    (is_test ? unlabelled : splits).push_back(file.split);
    examples[file.split] = file.examples;
    if (!is_test) continue;
    submissions[file.split] = file.submission;
    server_metrics[file.split] = file.metric.empty() ? task.task.metrics.front() : file.metric;
  }
  splits.push_back("holdout");
  facts["columns"] = to_json(task.columns);
  facts["files"] = files;
  facts["files_if"] = {{"test", tests}};
  facts["examples"] = examples;
  facts["splits"] = splits;
  facts["unlabelled"] = unlabelled;
  facts["submissions"] = submissions;
  facts["server_metrics"] = server_metrics;
  facts["sources"] = sources_of(task);
  return facts;
}

bool add_glue(const GlueTask& task) {
  const auto read = [task](const GlueFile& file, const std::filesystem::path& glue) {
    return read_labelled_table(glue / file.path, task.columns, task.task);
  };
  return datasets().add<GlueOptions>(
      {.name = "glue/" + task.name, .summary = task.summary, .facts = glue_facts(task)},
      [task, read](const GlueOptions& options, const DataFolders& folders) {
        return open_glue(task, options, folders, read);
      });
}

}  // namespace rethink
