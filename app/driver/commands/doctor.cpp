// `rethink doctor`: checks the installation, the machine, the store's disk, and a site.
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/run/site_check.h"
#include "app/driver/show/bug_report.h"
#include "core/clock.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/json.h"
#include "core/message.h"
#include "core/system/mps.h"
#include "core/system/process.h"
#include "core/system/processor.h"
#include "experiments/run/attempts/libtorch_here.h"
#include "experiments/run/gpu.h"
#include "experiments/run/slots.h"
#include "experiments/site/sites_file.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "results/database/connection.h"
#include "results/database/database_place.h"
#include "results/folders/linked_folders.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// The result of a check, or the reason why it failed.
template <typename Check>
Finding finding(const std::string& what, Check check) {
  try {
    return {what, check(), false};
  } catch (const std::exception& error) {
    return {what, error.what(), true};
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string worker_text(const CommandContext& context) {
  const std::string build = context.schema().build_id;
  const auto worker = context.programs / "rethink-worker";
  if (!std::filesystem::exists(worker))
    throw MachineError("missing-program", worker.string() + " is missing: build it with make");
  require_libtorch("every job except 'command'");
  const double begun_s = monotonic_seconds();
  ProgramRun schema;
  schema.words = {worker.string(), "schema"};
  const ProgramResult said = run_program(schema);
  if (said.status != 0)
    throw MachineError("worker-failed",
                       worker.string() + " cannot start: " + first_line(said.error));
  const std::string own = parse_json(said.output, worker.string()).at("build_id");
  if (own != build) {
    throw MachineError(
        "other-build",
        "schema.json belongs to another build of rethink-worker; build them again (make)");
  }
  return fmt::format("build {}, schema fits, starts in {:.2f} s", own,
                     monotonic_seconds() - begun_s);
}

std::string cpu_text() {
  const std::string model = processor_fact("model name");
  const std::string flags = " " + processor_fact("flags") + " ";
  std::string features;
  for (const char* feature : {"avx2", "avx512f", "avx512_bf16", "amx_bf16"}) {
    if (flags.find(fmt::format(" {} ", feature)) != std::string::npos)
      features += fmt::format(" {}", feature);
  }
  const std::optional<double> quota = cpu_quota();
  const std::string less = quota ? fmt::format(", and a CPU quota that pays for {:g}: {} at once",
                                               *quota, counted(usable_cpus(), "slot"))
                                 : "";
  return fmt::format("{}, {} for us{};{}", model.empty() ? "unknown" : model,
                     counted(usable_cores().size(), "core"), less,
                     features.empty() ? " no AVX2" : features);
}

std::string gpu_text(const CommandContext& context) {
  const VisibleGpus visible = find_gpus();
  const std::string trouble = trouble_with_gpus(visible, context.programs);
  if (visible.gpus.empty()) return trouble.empty() ? "none" : "none; " + trouble;
  std::string text;
  for (const Gpu& gpu : visible.gpus) {
    text += fmt::format("{}{} {} with {:.1f} of {:.1f} GiB free", text.empty() ? "" : "; ",
                        gpu.name, gpu.uuid, static_cast<double>(gpu.free_bytes) / (1 << 30),
                        static_cast<double>(gpu.total_bytes) / (1 << 30));
  }
  text += is_mps_running() ? "; MPS runs: trials that share a GPU compute at the same time"
                           : "; without MPS, trials that share a GPU take turns";
  return trouble.empty() ? text : text + "; " + trouble;
}

std::string disk_text(const CommandContext& context) {
  constexpr uint64_t kLeast = uint64_t{1} << 30;
  const uint64_t free = free_disk_bytes(context.place_on_disk());
  std::string text = fmt::format("{:.1f} GiB free at {}", static_cast<double>(free) / (1 << 30),
                                 context.store.string());
  if (free < kLeast)
    throw MachineError("disk-full", text + ", but trials start only with 1 GiB or more");
  return text;
}

std::string lock_text(const CommandContext& context) {
  const LockProbe locks = probe_locks(context.place_on_disk());
  switch (locks.support) {
    case LockSupport::works:
      return "open-file-description locks work";
    case LockSupport::keeps_nobody_out:
    case LockSupport::refuses_everybody:
    case LockSupport::unsupported:
      throw MachineError("locks-unsupported",
                         fmt::format("the disk at {} {}; put the store on a local one (--store)",
                                     context.place_on_disk().string(), locks.problem));
    case LockSupport::not_tried:
      break;
  }
  throw MachineError("locks-unsupported", "could not be tried: " + locks.problem);
}

std::string database_text(const CommandContext& context) {
  const std::string trouble = trouble_of_database_place(context.store);
  if (!trouble.empty()) throw MachineError("store-unusable", trouble);
  database_path(context.store);  // throws for a link
  if (const std::string linked = link_to_another_store(context.store); !linked.empty())
    throw MachineError("linked-file", linked);
  return is_network_disk(context.place_on_disk())
             ? "on a local disk, as the store is on a network one"
             : "beside the trials, on a local disk";
}

/// Only the user knows whether such a store was removed: an unmounted disk looks the same.
std::string unused_text(const UnusedPlace& unused) {
  uint64_t bytes = 0;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(unused.place, gone)) {
    if (entry.is_regular_file(gone)) bytes += entry.file_size(gone);
  }
  return fmt::format(
      "{:.1f} MB: the database of a store that is no longer at {}: it was removed, renamed or "
      "replaced, or its disk is not mounted; if it was removed, give: rm -r {}",
      static_cast<double>(bytes) / 1e6, unused.store.string(), for_a_shell(unused.place.string()));
}

std::string sync_text(const CommandContext& context) {
  const std::filesystem::path path =
      context.place_on_disk() / fmt::format(".rethink-doctor-{}", getpid());
  constexpr int kTimes = 20;
  const double begun_s = monotonic_seconds();
  for (int time = 0; time < kTimes; ++time) write_file_durably(path, "x");
  const double each_ms = (monotonic_seconds() - begun_s) / kTimes * 1e3;
  std::filesystem::remove(path);
  return fmt::format("a durable write takes {:.2f} ms", each_ms);
}

std::string data_text(const CommandContext& context) {
  if (context.data.empty())
    return "no data folder (--data or RETHINK_DATA); synthetic data sets need none";
  if (!std::filesystem::is_directory(context.data))
    throw ConfigError(
        "not-a-folder",
        context.data.string() +
            " is not a folder; name the folder of the data sets (--data or RETHINK_DATA)");
  return context.data.string();
}

/// The findings of a site's job on its node.
std::vector<Finding> node_findings(const CommandContext& context) {
  return {
      finding("GLIBC", [] { return std::string(gnu_get_libc_version()); }),
      finding("programs", [&] { return worker_text(context); }),
      finding("processor", [] { return cpu_text(); }),
      finding("GPUs", [&] { return gpu_text(context); }),
      finding("disk", [&] { return disk_text(context); }),
      finding("data", [&] { return data_text(context); }),
  };
}

/// The command of the site's job without the folder for its answers.
std::vector<std::string> words_of_site_job(const CommandContext& context) {
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "doctor", "--store", whole_path(context.store).string()};
  if (!context.data.empty()) {
    words.push_back("--data");
    words.push_back(whole_path(context.data).string());
  }
  words.push_back("--answer");
  return words;
}

class Doctor : public Command {
 public:
  void declare(po::options_description& options) const override {
    declare_format(options);
    options.add_options()(
        "site", po::value<std::string>()->value_name("SITE"),
        "also run a job of a minute on a site of sites.yaml, which checks a node, "
        "and the disk that this machine shares with the node");
    options.add_options()("sites", po::value<std::string>()->value_name("FILE"),
                          "sites.yaml (default: ~/.config/rethink/sites.yaml)");
    options.add_options()("answer", po::value<std::string>()->value_name("FILE"),
                          "internal: where the job of --site writes its findings");
    options.add_options()("report",
                          "print Markdown to attach to a bug report: these checks, versions and "
                          "the store's last errors, without your names and paths");
  }
  bool prints_data(const po::variables_map& given) const override {
    return given.count("report") > 0 || Command::prints_data(given);
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const bool as_json = wants_json(given);
    if (given.count("answer")) {
      answer_site_check(given["answer"].as<std::string>(), node_findings(context));
      return kDone;
    }
    std::optional<Site> site;  // its mistakes are reported before slow checks
    if (given.count("site")) {
      const std::string file = given.count("sites") ? given["sites"].as<std::string>() : "";
      site = site_named(given["site"].as<std::string>(), file);
    }
    std::vector<Finding> findings = {
        finding("programs", [&] { return worker_text(context); }),
        finding("processor", [] { return cpu_text(); }),
        finding("GPUs", [&] { return gpu_text(context); }),
        finding("SQLite", [] { return sqlite_text(); }),
        finding("gnuplot", gnuplot_version),
        finding("disk", [&] { return disk_text(context); }),
        finding("locks", [&] { return lock_text(context); }),
        finding("database", [&] { return database_text(context); }),
        finding("fsync", [&] { return sync_text(context); }),
        finding("data", [&] { return data_text(context); }),
    };
    for (const UnusedPlace& unused : unused_database_places(context.store))
      findings.push_back({"unused", unused_text(unused)});
    bool interrupted = false;
    if (site) {
      const SignalCounter counter;
      const std::atomic<int>& signals = counter.seen();
      for (Finding& one : check_site(*site, context.place_on_disk(), words_of_site_job(context),
                                     context.quiet, signals))
        findings.push_back(std::move(one));
      interrupted = signals > 0;
    }
    size_t width = 10;
    for (const Finding& one : findings) width = std::max(width, one.what.size());
    bool bad = false;
    Json all = Json::array();
    std::string lines;
    for (const Finding& one : findings) {
      all.push_back({{"what", one.what}, {"good", !one.bad}, {"text", one.text}});
      lines += fmt::format("{} {:<{}} {}\n", one.bad ? "!!" : "ok", one.what, width, one.text);
      bad = bad || one.bad;
    }
    if (given.count("report"))
      std::cout << bug_report(context, lines);
    else
      std::cout << (as_json ? all.dump(2) + "\n" : lines);
    if (interrupted) return kInterrupted;
    return bad ? kMachineError : kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Doctor>("doctor", "check the installation, the machine and the disk of the store");

}  // namespace
}  // namespace rethink
