// `rethink data list|get NAME|verify [NAME]|path NAME`: lists, downloads and verifies the files of
// datasets.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/dataset.h"
#include "datasets/files/data_files.h"

namespace rethink {
namespace {

const char* file_state_text(FileState state) {
  switch (state) {
    case FileState::missing:
      return "missing";
    case FileState::whole:
      return "whole";
    case FileState::other:
      return "sample or changed";
    case FileState::pointer:
      return "a pointer of Git LFS or git-annex, not the file itself";
    case FileState::unpinned:
      return "there, no checksum known";
  }
  return "";
}

/// Whether an option names a required file. Hints are optional and have no default.
bool needs_own_file(const std::string& name) {
  const PluginSchema schema = datasets().schema(name);
  return std::ranges::any_of(datasets().facts(name).file_options, [&](const std::string& option) {
    const Field* const field = schema.options.find(option);
    return field && (field->required || (field->default_value.is_string() &&
                                         !field->default_value.get<std::string>().empty()));
  });
}

/// The state of a whole data set in one or two words: the worst state of its files. Files that only
/// an option needs may be missing.
std::string state_of(const std::string& name, const std::vector<FileStatus>& files) {
  if (files.empty()) return needs_own_file(name) ? "file of your own" : "needs no file";
  for (const FileState state :
       {FileState::missing, FileState::pointer, FileState::other, FileState::unpinned}) {
    for (const FileStatus& file : files) {
      const bool is_wanted = !file.on_request || file.state != FileState::missing;
      if (is_wanted && file.state == state) return file_state_text(state);
    }
  }
  return file_state_text(FileState::whole);
}

/// Names archives that are downloaded without a checksum, since their contents have checksums.
void print_unpinned_archives(const std::string& name) {
  for (const DataSource& source : datasets().facts(name).sources) {
    if (source.sha256.empty()) {
      std::cout << fmt::format("{:<20} {:<26} {}; the files in it are checked\n", "",
                               "no checksum known", source.url);
    }
  }
}

Json data_set_json(const std::string& name, const std::vector<FileStatus>& files) {
  Json list = Json::array();
  for (const FileStatus& file : files) {
    list.push_back({{"file", file.file},
                    {"path", file.path.string()},
                    {"state", file_state_text(file.state)}});
  }
  Json archives = Json::array();
  for (const DataSource& source : datasets().facts(name).sources) {
    archives.push_back(
        {{"url", source.url}, {"sha256", source.sha256.empty() ? Json() : Json(source.sha256)}});
  }
  return {
      {"name", name}, {"state", state_of(name, files)}, {"files", list}, {"archives", archives}};
}

std::string how_to_get(const std::string& name) {
  return how_to_get_data(name, datasets().facts(name));
}

const std::filesystem::path& require_folder(const CommandContext& context) {
  if (context.data.empty())
    throw ConfigError("no-data-folder",
                      "no folder of data sets is named: give --data DIR or set RETHINK_DATA");
  return context.data;
}

/// The address of --from, if it can be the address of a file.
std::string address_given(const std::string& from) {
  const std::string path = from.substr(0, from.find('?'));
  const size_t host = path.find("://");
  const bool is_web = path.starts_with("http://") || path.starts_with("https://");
  const bool names_file = is_web && path.find('/', host + 3) != path.npos && !path.ends_with('/');
  if (names_file) return from;
  throw ConfigError(
      "invalid-argument",
      fmt::format(
          "--from: got '{}', expected the address of the archive, such as https://HOST/FILE.zip; "
          "unpack a local file into the folder of data sets instead (`rethink data "
          "path`)",
          from));
}

/// Progress on standard error: on a terminal in place, elsewhere one line for each tenth.
class DownloadProgress {
 public:
  explicit DownloadProgress(std::string name) : name_(std::move(name)) {}
  ~DownloadProgress() {
    if (is_terminal_ && shown_ >= 0) std::cerr << "\n";
  }
  DownloadProgress(const DownloadProgress&) = delete;
  DownloadProgress& operator=(const DownloadProgress&) = delete;

  void show(uint64_t done, uint64_t total) {
    const auto percent = total > 0 ? static_cast<int>(done * 100 / total) : 0;
    if (percent == shown_ || (!is_terminal_ && percent / 10 == shown_ / 10 && shown_ >= 0)) return;
    shown_ = percent;
    const std::string text =
        fmt::format("{}{}: {:.1f} of {:.1f} MB ({} %){}", is_terminal_ ? "\r" : "", name_,
                    static_cast<double>(done) / 1e6, static_cast<double>(total) / 1e6, percent,
                    is_terminal_ ? "" : "\n");
    std::fputs(text.c_str(), stderr);
  }

 private:
  std::string name_;
  bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  int shown_ = -1;
};

class Data : public Command {
 public:
  std::string positional() const override { return "list | get NAME | verify [NAME] | path NAME"; }

  void declare(po::options_description& options) const override {
    declare_format(options, "list, verify: text or json");
    options.add_options()("from", po::value<std::string>()->value_name("URL"),
                          "get: another address of the same archive; its checksum must match");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    const std::string verb = words.empty() ? "list" : words[0];
    const std::string name = words.size() > 1 ? words[1] : "";
    as_json_ = wants_json(given);
    if (words.size() > 2)
      throw ConfigError(
          "wrong-arguments",
          fmt::format("rethink data {}: got {} names, expected one", verb, words.size() - 1));
    if (verb == "list" && name.empty()) return list(context);
    if (verb == "verify") return verify(context, name);
    if (verb == "get" && !name.empty()) return get(context, name, given);
    if (verb == "path" && !name.empty()) return print_paths(context, name);
    throw ConfigError("wrong-arguments", fmt::format("rethink data: got '{}', expected {}",
                                                     joined(words, " "), positional()));
  }

 private:
  int list(const CommandContext& context) {
    Json all = Json::array();
    for (const std::string& name : datasets().names()) {
      const PluginSchema schema = datasets().schema(name);
      const auto files = data_file_status(name, context.data);
      all.push_back(data_set_json(name, files));
      if (as_json_) continue;
      std::cout << fmt::format("{:<20} {:<26} {}\n", name, state_of(name, files), schema.summary);
      for (const FileStatus& file : files) {
        std::cout << fmt::format("{:<20} {:<26} {}\n", "", file_state_text(file.state), file.file);
      }
      print_unpinned_archives(name);
    }
    if (as_json_) std::cout << all.dump(2) << "\n";
    note_on_folder(context);
    return kDone;
  }

  /// Says why all data sets are missing, if the folder is the reason.
  static void note_on_folder(const CommandContext& context) {
    if (context.data.empty())
      std::cerr << "no folder of data sets is named (--data DIR or RETHINK_DATA)\n";
    if (const std::string trouble = trouble_of_data_folder(context.data); !trouble.empty())
      std::cerr << fmt::format("--data or RETHINK_DATA: {}\n", trouble);
  }

  /// A data set that is named must be complete; without a name, missing data sets are not an error.
  int verify(const CommandContext& context, const std::string& name) {
    Json all = Json::array();
    int code = kDone;
    for (const std::string& one :
         name.empty() ? datasets().names() : std::vector<std::string>{name}) {
      const auto files = data_file_status(one, context.data);
      all.push_back(data_set_json(one, files));
      for (const FileStatus& file : files) {
        const bool is_wrong =
            file.state == FileState::other || file.state == FileState::pointer ||
            (file.state == FileState::missing && !name.empty() && !file.on_request);
        if (is_wrong) code = kSomeFailed;
        if (!as_json_) {
          const std::string advice = is_wrong ? fmt::format("; {}", how_to_get(one)) : "";
          std::cout << fmt::format("{:<20} {}: {}{}\n", one, file.file, file_state_text(file.state),
                                   advice);
        }
      }
      if (!as_json_) print_unpinned_archives(one);
    }
    if (as_json_) std::cout << all.dump(2) << "\n";
    note_on_folder(context);
    return code;
  }

  int get(const CommandContext& context, const std::string& name, const po::variables_map& given) {
    const std::vector<FileStatus> before = data_file_status(name, context.data);
    const auto is_there = [](const FileStatus& file) {
      return file.state == FileState::whole || file.state == FileState::unpinned;
    };
    if (std::all_of(before.begin(), before.end(), is_there)) {
      std::cerr << fmt::format("{}: {}, nothing to get\n", name, state_of(name, before));
      return kDone;
    }
    std::vector<DataSource> sources = datasets().facts(name).sources;
    if (sources.empty()) {
      throw ConfigError("no-download", fmt::format("data set '{}' is not downloaded; instead {}",
                                                   name, how_to_get(name)));
    }
    const std::filesystem::path& folder = require_folder(context);
    if (given.count("from")) {
      if (sources.size() != 1)
        throw ConfigError("conflicting-arguments",
                          fmt::format("--from: '{}' has several archives", name));
      sources.front().url = address_given(given["from"].as<std::string>());
    }
    const auto is_complete = [&](const SourceFile& wanted) {
      return std::any_of(before.begin(), before.end(), [&](const FileStatus& file) {
        return file.file == wanted.file && is_there(file);
      });
    };
    for (const DataSource& source : sources) {
      if (std::all_of(source.files.begin(), source.files.end(), is_complete)) continue;
      DownloadProgress progress(name);
      DownloadOptions options;
      if (!context.quiet)
        options.progress = [&](uint64_t done, uint64_t total) { progress.show(done, total); };
      get_source(source, folder, options);
    }
    return print_paths(context, name);
  }

  int print_paths(const CommandContext& context, const std::string& name) {
    const auto files = data_file_status(name, context.data);
    for (const FileStatus& file : files) {
      if (file.state == FileState::missing && !file.on_request) {
        require_folder(context);
        throw ConfigError("missing-data", fmt::format("{} does not exist; {}", file.path.string(),
                                                      how_to_get(name)));
      }
    }
    for (const FileStatus& file : files) {
      if (file.state != FileState::missing)
        std::cout << std::filesystem::absolute(file.path).string() << "\n";
    }
    return kDone;
  }

  bool as_json_ = false;
};

RETHINK_REGISTERED = add_command<Data>("data", "list, download and verify datasets");

}  // namespace
}  // namespace rethink
