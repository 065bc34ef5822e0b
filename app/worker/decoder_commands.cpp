#include "app/worker/decoder_commands.h"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "app/worker/memory_errors.h"
#include "app/worker/worker_words.h"
#include "core/config/note.h"
#include "core/error.h"
#include "core/message.h"
#include "core/text.h"
#include "datasets/files/text_lines.h"
#include "datasets/vocabulary.h"
#include "experiments/train/decoders/decoder_files.h"
#include "experiments/train/decoders/generator.h"

namespace rethink {
namespace {

namespace po = boost::program_options;

po::variables_map words_of(const std::string& command, const std::vector<std::string>& words) {
  po::options_description options;
  options.add_options()("model", po::value<std::string>())("out", po::value<std::string>())(
      "data", po::value<std::string>()->default_value(""))(
      "cache", po::value<std::string>()->default_value(""))("in", po::value<std::string>())(
      "prompt", po::value<std::vector<std::string>>())("seed", po::value<uint64_t>())(
      "tokens", po::value<int64_t>())("temperature", po::value<double>());
  const po::variables_map given = worker_words(command, words, options, "model");
  if (!given.count("model"))
    throw ConfigError("wrong-arguments", command + ": give a file of weights or a folder");
  return given;
}

/// Throws ConfigError, also if the trial's data are missing, from which its vocabulary is made.
DecoderFiles files_of(const po::variables_map& given) try {
  const std::filesystem::path model = given["model"].as<std::string>();
  if (std::filesystem::is_directory(model)) return read_decoder_folder(model);
  return decoder_of_trial(model,
                          {given["data"].as<std::string>(), given["cache"].as<std::string>()});
} catch (const TrialError& error) {
  throw ConfigError(error.code(), error.what());
}

int export_folder(const po::variables_map& given) {
  if (!given.count("out"))
    throw ConfigError("missing-argument", "export: give --out, the folder to make");
  const std::filesystem::path folder = given["out"].as<std::string>();
  write_decoder_folder(files_of(given), given["model"].as<std::string>(), folder);
  std::cout << folder.string() << "\n";
  return 0;
}

void write_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::cout << line << "\n";
  std::cout.flush();
}

/// "note: 3 words are not in the model's vocabulary and became <unk>: 'colour', 'grey'".
void print_unknown(const UnknownTokens& unknown) {
  if (unknown.count == 0) return;
  std::vector<std::string> shown;
  for (const std::string& token : unknown.first) shown.push_back("'" + token + "'");
  std::cerr << visible_controls(to_text(
                   Note("unknown-words",
                        fmt::format("{} {} not in the model's vocabulary and became {}: {}{}",
                                    counted(unknown.count, unknown.unit.c_str()),
                                    unknown.count == 1 ? "is" : "are",
                                    Vocabulary::kSpecialTexts[Vocabulary::kUnknown], joined(shown),
                                    shown.size() < unknown.different.size() ? ", ..." : ""))))
            << "\n";
}

int generate_lines(const po::variables_map& given) {
  GenerateOptions options;
  if (given.count("seed")) options.seed = given["seed"].as<uint64_t>();
  if (given.count("tokens")) options.tokens = given["tokens"].as<int64_t>();
  if (given.count("temperature")) options.temperature = given["temperature"].as<double>();
  const auto generator = make_generator(files_of(given), options);
  if (given.count("prompt")) {
    write_lines(generator->lines(given["prompt"].as<std::vector<std::string>>(), 0));
    print_unknown(generator->unknown());
    return 0;
  }
  if (given.count("in")) {
    uint64_t number = 0;
    for (const std::string& line : read_lines(given["in"].as<std::string>()))
      write_lines(generator->lines({line}, number++));
    print_unknown(generator->unknown());
    return 0;
  }
  uint64_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    write_lines(generator->lines({checked_text(line, "standard input")}, number++));
  }
  print_unknown(generator->unknown());
  return 0;
}

}  // namespace

int run_export(const std::vector<std::string>& words) {
  return with_memory_errors([&] { return export_folder(words_of("export", words)); });
}

int run_generate(const std::vector<std::string>& words) {
  return with_memory_errors([&] { return generate_lines(words_of("generate", words)); });
}

}  // namespace rethink
