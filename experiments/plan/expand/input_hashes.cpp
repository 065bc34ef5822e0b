#include "experiments/plan/expand/input_hashes.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <vector>

#include "core/config/schema.h"
#include "core/facts/dataset_facts.h"
#include "core/files/hash.h"
#include "core/files/named_file.h"
#include "core/files/user_folder.h"
#include "core/format/file_kind.h"
#include "core/format/text_marks.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/attempt/inputs.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/read/stage_spec.h"
#include "experiments/plan/read/written_path.h"

namespace rethink {
namespace {

struct DataFile {
  std::string name;    // below the folder of data sets, or absolute
  std::string option;  // option that names it, "path" or "paths[1]"; "" for a data set's own file
};

/// The name of a data set's own file in an identity, which does not depend on where the system has
/// the file.
std::string own_name(const std::filesystem::path& file) {
  return file.is_absolute() ? file.filename() : file;
}

/// The files in the order of the search.
std::vector<DataFile> files_of(const DatasetFacts& dataset, const Json& chosen) {
  std::vector<DataFile> files;
  std::set<std::string> own;
  const auto add_own = [&](const SplitFiles& by_split) {
    for (const auto& [split, names] : by_split) own.insert(names.begin(), names.end());
  };
  add_own(dataset.files);
  for (const auto& [option, more] : dataset.files_if) {
    if (chosen.at(option) == true) add_own(more);
  }
  for (const std::string& name : own) files.push_back({name, ""});
  for (const std::string& option : dataset.file_options) {
    const Json& value = chosen.at(option);
    if (value.is_string() && !value.get<std::string>().empty()) files.push_back({value, option});
    for (size_t i = 0; value.is_array() && i < value.size(); ++i) {
      const std::string name = value[i];
      if (!own.contains(name)) files.push_back({name, fmt::format("{}[{}]", option, i)});
    }
  }
  return files;
}

/// "data.path" for "data[1].path", the form in which positions are searched.
std::string without_indices(std::string option) {
  for (size_t at = 0; (at = option.find('[', at)) != std::string::npos;)
    option.erase(at, option.find(']', at) + 1 - at);
  return option;
}

bool holds_others(const Field& field) {
  if (field.type == FieldType::list) return holds_others(field.element());
  return field.type == FieldType::object || field.type == FieldType::plugin;
}

constexpr const char* kNoFolder =
    "no folder of data sets is named: give --data DIR or set RETHINK_DATA";

/// The advice on a missing file.
std::string how_to_get(const PluginSchema& dataset, const DataFile& file) {
  if (!file.option.empty()) {
    const bool is_parsed = std::filesystem::path(file.name).extension() == ".conllu";
    return fmt::format(
        "{}give '{}' a path relative to the file that contains it, or to the folder of data sets "
        "(--data or RETHINK_DATA), or an absolute one",
        is_parsed ? "`make trees` makes trees/wikitext_2.conllu and multi30k.en.conllu; or " : "",
        file.option);
  }
  const auto& facts = dataset.facts.as<DatasetFacts>();
  const std::string advice = how_to_get_data(dataset.name, facts);
  if (!facts.package.empty()) return advice;
  return advice + ", or name another folder with --data or RETHINK_DATA";
}

/// The same in few words, for a mark instead of an error. `is_own`: the data set provides the file.
std::string download_hint(const PluginSchema& dataset, const DataFile& file, bool is_own) {
  const auto& facts = dataset.facts.as<DatasetFacts>();
  if (is_own && (!facts.by_hand.empty() || !facts.package.empty()))
    return how_to_get_data(dataset.name, facts);
  if (is_own) return fmt::format("`rethink data get {}`", dataset.name);
  if (std::filesystem::path(file.name).extension() == ".conllu")
    return fmt::format("{} by `make trees` in a checkout", file.name);
  return fmt::format("bring {} to the folder of data sets", file.name);
}

/// The first bytes of a file, without a part of a character at the end.
std::string first_bytes(const std::filesystem::path& file) {
  constexpr size_t kMost = 1 << 16, kLongestCharacter = 4;
  std::string bytes(kMost, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  if (bytes.size() < kMost) return bytes;
  for (size_t cut = 0; cut < kLongestCharacter; ++cut) {
    const auto last = static_cast<unsigned char>(bytes.back());
    if (last < 0x80) break;
    bytes.pop_back();
    if (last >= 0xC0) break;
  }
  return bytes;
}

/// Why a file that exists cannot be read as data; "" if nothing is known against it. A user's own
/// file is text; a data set may have other files.
std::string trouble_with_data(const PluginSchema& dataset, const DataFile& file,
                              const std::filesystem::path& path) {
  const bool is_own = file.option.empty();
  const std::string bytes = first_bytes(path);
  const bool is_blank = bytes.find_first_not_of(" \t\r\n") == std::string::npos;
  if (bytes.empty() || (!is_own && is_blank && bytes.size() == std::filesystem::file_size(path)))
    return fmt::format(
        "data set '{}': {} {}; expected {}", dataset.name, path.string(),
        bytes.empty() ? "is empty" : "has nothing but white space",
        is_own ? "data: " + how_to_get(dataset, file)
               : fmt::format("text: write the file again, or name another in '{}'", file.option));
  return is_own ? "" : other_kind_of_file(bytes, path.string(), ExpectedFile::text);
}

void add(const MissingInputs& more, MissingInputs& missing) {
  missing.lacks.insert(more.lacks.begin(), more.lacks.end());
  missing.to_bring.insert(more.to_bring.begin(), more.to_bring.end());
}

/// ", since there is no folder /data": the reason if the folder of data sets itself is missing.
std::string since_no_folder(const std::filesystem::path& file, const std::filesystem::path& data) {
  const std::string trouble = trouble_of_data_folder(data);
  const bool is_within = file.is_relative() || file.string().starts_with(data.string());
  return trouble.empty() || !is_within ? "" : ", since " + trouble;
}

}  // namespace

std::map<std::string, std::string> published_files(const DatasetFacts& dataset) {
  std::map<std::string, std::string> published = dataset.installed;
  for (const DataSource& source : dataset.sources) {
    for (const SourceFile& file : source.files) {
      if (!file.sha256.empty()) published[file.file] = file.sha256;
    }
  }
  return published;
}

std::filesystem::path hash_memory_folder() {
  const std::filesystem::path cache = user_folder("XDG_CACHE_HOME", ".cache");
  return cache.empty() ? cache : cache / "rethink" / "hashes";
}

InputHashes::InputHashes(FilePlaces places, const Schema& schema)
    : places_(std::move(places)), schema_(schema) {}

const std::string* InputHashes::recorded_hash(const std::string& name) {
  if (!places_.recorded) return nullptr;
  if (!known_) known_ = places_.recorded();
  const auto found = known_->find(name);
  const size_t path = name.find('=');
  if (found != known_->end() || path == std::string::npos)
    return found == known_->end() ? nullptr : &found->second;
  const std::string* only = nullptr;
  for (const auto& [file, hash] : *known_) {
    const bool is_it =
        file.starts_with(name.substr(0, path + 1)) && file.ends_with("/" + name.substr(path + 1));
    if (!is_it) continue;
    static const std::string kSeveral;
    only = only && *only != hash ? &kSeveral : &hash;
  }
  return only;
}

std::string InputHashes::hash_of(const std::filesystem::path& file) {
  const auto known = hashes_.find(file.string());
  if (known != hashes_.end()) return known->second;
  refuse_dangling_link(file);
  refuse_git_pointer(file);
  return hashes_[file.string()] = time_.hashed(file, [this](const std::filesystem::path& one) {
    return remembered_sha256(one, places_.memory);
  });
}

InputHashes::Found InputHashes::of_dataset(const Json& chosen, const std::string& tag,
                                           const std::string& at, const Search& search) {
  const std::string name = chosen.at(tag);
  const PluginSchema* dataset = schema_.find(kDatasetRegistry, name);
  RETHINK_ASSERT(dataset, name);
  const auto& facts = dataset->facts.as<DatasetFacts>();
  const std::map<std::string, std::string> published = published_files(facts);
  const std::vector<std::string>& once_read = facts.once_read;
  Found found;
  std::map<std::string, std::string>& hashes = found.hashes;
  MissingFiles missing;
  bool is_ambiguous = false;  // several versions of a missing file are on record
  const auto brought_by = [&](const DataFile& file) {
    return download_hint(*dataset, file, file.option.empty() || published.contains(file.name));
  };
  for (const DataFile& file : files_of(facts, chosen)) {
    const std::filesystem::path path = places_.data / file.name;
    const std::string option = at + "." + (file.option.empty() ? tag : file.option);
    const std::string called = file.option.empty() ? own_name(file.name) : option;
    const auto refuse = [&](const std::string& text) {
      search.problems.add(search.place(without_indices(option)), "missing-data", text);
    };
    const bool unnamed = path.is_relative() && places_.data.empty();
    const auto pin = published.find(called);
    // The published hash that stands for a missing file. With once_read, the identity of an option's file also depends on
    // marks in its bytes, so the published hash is then not enough.
    const auto known = file.option.empty() || !once_read.empty() ? pin : published.find(file.name);
    if (!unnamed && is_file_there(path)) {
      try {
        hashes[called] = hash_of(path);
        if (const std::string trouble =
                places_.recorded ? "" : trouble_with_data(*dataset, file, path);
            !trouble.empty()) {
          search.problems.add(search.place(without_indices(option)), "wrong-file", trouble);
          continue;
        }
        const bool is_published = pin != published.end() && pin->second == hashes[called];
        if (!is_published && !once_read.empty() && has_text_marks(path, once_read, places_.memory))
          hashes[called] += kReadPlainly;
      } catch (const ConfigError& error) {
        refuse(error.what());
      }
    } else if (const std::string* hash =
                   recorded_hash(file.option.empty() ? called : called + "=" + file.name)) {
      hashes[called] = *hash;
      if (!hash->empty()) found.missing.to_bring.insert(brought_by(file));
      is_ambiguous |= hash->empty();
      if (hash->empty() && places_.may_lack) {
        found.missing.lacks.insert(
            fmt::format("name the folder with the {} that is meant by --data, since trials of this "
                        "store read several",
                        file.name));
      } else if (hash->empty()) {
        refuse(
            fmt::format("data set '{}': {} is not here, and trials of this store read several "
                        "versions of it; name the folder of the one that is meant with --data",
                        name, file.name));
      }
    } else if (places_.recorded && known != published.end()) {
      hashes[called] = known->second;
      found.missing.to_bring.insert(brought_by(file));
    } else if (places_.may_lack) {
      found.missing.lacks.insert(brought_by(file));
    } else if (const std::string trouble = unnamed ? "" : trouble_of_dangling_link(path);
               !trouble.empty()) {
      refuse(trouble);
    } else if (file.option.empty() && unnamed) {
      missing.own[path.parent_path()].push_back(path.filename());
    } else if ((file.option.empty() || published.contains(file.name)) && !unnamed &&
               !is_there(path)) {
      missing.own[path.parent_path()].push_back(path.filename());
    } else if (unnamed) {
      missing.given.push_back({option, file.name});
    } else {
      const std::string trouble_of_folder = since_no_folder(path, places_.data);
      const std::string beside =
          is_there(path) || file.option.empty()
              ? ""
              : missing_beside(path, places_.data, search.place(without_indices(option)));
      refuse(fmt::format("data set '{}' needs {}, which {}{}{}: {}", name, path.string(),
                         is_there(path) ? "is not a file" : "does not exist", trouble_of_folder,
                         beside, how_to_get(*dataset, file)));
    }
    if (pin != published.end() && hashes.count(called) && hashes.at(called) != pin->second)
      unpublished_.insert(called);
  }
  // The folder that the user is asked for has the data set's other files too; the published ones
  // may not be those that are meant.
  if (is_ambiguous) found.missing.to_bring.clear();
  report_missing_files(missing, *dataset, at + "." + tag, search);
  return found;
}

/// Reports each missing file once, however many stages read it.
void InputHashes::report_missing_files(const MissingFiles& missing, const PluginSchema& dataset,
                                       const std::string& at, const Search& search) {
  const auto say = [&](const std::string& option, const std::string& what, const std::string& why) {
    const std::string text = fmt::format("data set '{}' needs {}", dataset.name, what);
    if (said_.insert(text).second)
      search.problems.add(search.place(without_indices(option)), "missing-data", text + why);
  };
  for (const auto& [folder, names] : missing.own) {
    const bool is_one = names.size() == 1;
    const std::string why =
        folder.is_relative() && places_.data.empty()
            ? fmt::format(", but {}; to get the data set: {}", kNoFolder,
                          how_to_get_data(dataset.name, dataset.facts.as<DatasetFacts>()))
            : fmt::format(", which {}{}: {}", is_one ? "does not exist" : "are not there",
                          since_no_folder(folder, places_.data),
                          how_to_get(dataset, {names[0], ""}));
    say(at, is_one ? (folder / names[0]).string() : joined(names) + " in " + folder.string(), why);
  }
  if (missing.given.empty()) return;
  const auto& [option, name] = missing.given.front();
  const size_t others = missing.given.size() - 1;
  say(option, others == 0 ? name : fmt::format("{} and {} others", name, others),
      fmt::format(", which {} not beside the file that names {}, and {}",
                  others == 0 ? "is" : "are", others == 0 ? "it" : "them", kNoFolder));
}

void InputHashes::collect(const Json& value, const Field& field, const std::string& at,
                          const Search& search) {
  if (value.is_null() || !holds_others(field)) return;
  if (field.type == FieldType::list) {
    for (size_t i = 0; i < value.size(); ++i)
      collect(value[i], field.element(), fmt::format("{}[{}]", at, i), search);
    return;
  }
  const auto collect_inside = [&](const std::vector<Field>& fields) {
    for (const Field& inner : fields)
      collect(value.at(inner.name), inner, at + "." + inner.name, search);
  };
  collect_inside(field.fields);
  if (field.type != FieldType::plugin) return;
  collect_inside(schema_.find(field.registry, value.at(field.tag))->options.fields);
  if (field.registry != kDatasetRegistry) return;
  const std::string key = at + " " + value.dump();
  const auto known = by_dataset_.find(key);
  const Found& files = known != by_dataset_.end()
                           ? known->second
                           : by_dataset_[key] = of_dataset(value, field.tag, at, search);
  search.found.hashes.insert(files.hashes.begin(), files.hashes.end());
  add(files.missing, search.found.missing);
}

std::map<std::string, std::string> InputHashes::of_data(const Json& config,
                                                        const OptionsSchema& options,
                                                        const Place& place, MissingInputs& missing,
                                                        Problems& problems) {
  Found found;
  for (const Field& field : options.fields)
    collect(config.at(field.name), field, field.name, {place, found, problems});
  add(found.missing, missing);
  return std::move(found.hashes);
}

std::string InputHashes::of_weights(const Need& need, MissingInputs& missing, Problems& problems) {
  const std::filesystem::path& path = need.imported;
  try {
    if (!readable_.contains(path)) require_readable_weights(path);
    readable_.insert(path);
    const auto hash = sha256_of_weights(path, [&](const auto& file) { return hash_of(file); });
    if (hash) return *hash;
  } catch (const ConfigError& error) {
    problems.add(need.where, error.code(), error.what());
    return "";
  }
  if (places_.may_lack && !is_there(path)) {
    const bool is_known = !need.published.empty();
    (is_known ? missing.to_bring : missing.lacks)
        .insert(fmt::format("{} by `make weights` or `rethink import`", path.string()));
    return is_known ? read_json(need.published).at("sha256") : "";
  }
  problems.add(
      need.where, "missing-weights",
      fmt::format(
          "{} {}{}; expected a folder with .safetensors weights, or one such file, beside the file "
          "that names it or in the folder of data sets; `make weights` downloads weights/minilm_l6 "
          "and minilm_l3, `rethink import` makes others, such as weights/bert_base",
          path.string(), is_there(path) ? "holds no weights" : "does not exist",
          is_there(path) ? "" : missing_beside(path, places_.data, need.where)));
  return "";
}

}  // namespace rethink
