// What the source of a Python script says about it: the metrics that it prints, the defaults of its options, and the
// modules beside it. A simple scan of the text, which runs nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Returns the first million bytes of a script, since a longer file is data and slow for regular expressions.
/// Throws as read_file.
std::string script_text(const std::filesystem::path& script);

struct PrintedMetric {
  std::string name;      // "dev/acc"; without a known split: "run/acc"
  std::string pattern;   // for the option `stdout` of job command: "epoch {step}.* acc {value}"
  bool has_step = true;  // otherwise the sweep needs `step: count`
};

/// Returns the metrics that calls of print and of loggers show as "NAME value", "NAME=value" or "NAME: value", by
/// f-strings, str.format, % or several arguments, in the script's order. If the printed text names a step or an epoch,
/// every such number is a metric, else only numbers with the usual names of metrics. If a metric of the script has a
/// step, metrics without a step are left out.
std::vector<PrintedMetric> printed_metrics_in(const std::string& text);

/// Returns the literal defaults of argparse's options by key: {"batch_size", "8"} for
/// add_argument("--batch-size", default=8).
std::map<std::string, std::string> argparse_defaults_in(const std::string& text);

/// Returns entries of `code` for the modules beside the script that its `text` or these modules import: "utils.py",
/// "package/**/*.py".
std::vector<std::string> modules_beside(const std::filesystem::path& script,
                                        const std::string& text);

/// Returns whether an option of this key seems to name a file or folder that the program writes: out, save_dir.
bool is_output_key(const std::string& key);

}  // namespace rethink
