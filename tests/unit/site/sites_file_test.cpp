#include "experiments/site/sites_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SitesFile : public testing::Test {
 protected:
  Site site(const std::string& text, const std::string& name = "a100") {
    write_text(file_, text);
    return site_named(name, file_);
  }
  std::string error(const std::string& text, const std::string& name = "a100") {
    try {
      site(text, name);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  }

  TempFolder folder_;
  std::filesystem::path file_ = folder_ / "sites.yaml";
};

TEST_F(SitesFile, SaysWhatAPilotNeeds) {
  const Site read = site(
      "a100:\n"
      "  engine: slurm\n"
      "  sbatch: [--partition=gpu, '--comment=two words']\n"
      "  pilots: 8\n"
      "  trials_per_pilot: 1\n"
      "  setup: |\n"
      "    module load cuda\n"
      "    export A=1\n"
      "  wrap: apptainer exec $HOME/image.sif\n"
      "  ask_every: 2min\n"
      "other: {engine: local}\n");
  EXPECT_EQ(read.name, "a100");
  EXPECT_EQ(read.engine, "slurm");
  EXPECT_THAT(read.options, ElementsAre("--partition=gpu", "--comment=two words"));
  EXPECT_EQ(read.options_where.at(1).line, 3);
  EXPECT_EQ(read.pilots, 8);
  EXPECT_EQ(read.trials_per_pilot, 1);
  EXPECT_EQ(read.setup, "module load cuda\nexport A=1\n");
  EXPECT_EQ(read.wrap, "apptainer exec $HOME/image.sif");
  EXPECT_EQ(read.ask_every_s, 120);
  EXPECT_EQ(read.file, file_);
  EXPECT_EQ(read.where.line, 1);
}

TEST_F(SitesFile, TravelsInPlanFiles) {
  const Site read = site(
      "a100: {engine: commands, submit: a, states: b, cancel: c, job: $D, setup: s, wrap: w, "
      "pilots: 3, trials_per_pilot: 4, ask_every: 5s}");
  EXPECT_EQ(to_json(site_from_json(to_json(read))), to_json(read));
  EXPECT_EQ(site_from_json(to_json(read)).commands.job, "$D");
}

TEST_F(SitesFile, NamesThePlaceOfAMistake) {
  EXPECT_THAT(error("a100:\n  engine: slurm\n  pilot: 8\n"),
              AllOf(HasSubstr("sites.yaml:3:3: error: "), HasSubstr("did you mean 'pilots'"),
                    HasSubstr("\n    pilot: 8\n")));
  EXPECT_THAT(error("a100: {engine: slrum}"), HasSubstr("expected one of slurm, local, commands"));
  EXPECT_THAT(error("a100: {pilots: 8}"), HasSubstr("'engine' is missing"));
  EXPECT_THAT(error("a100: {engine: slurm, pilots: 0}"), HasSubstr("'pilots': got '0'"));
  EXPECT_THAT(error("a100: {engine: slurm, ask_every: often}"), HasSubstr("a duration such as"));
  EXPECT_THAT(error("a100: {engine: local, sbatch: [-p gpu]}"),
              HasSubstr("'sbatch' is for engine slurm, and the engine is local; remove it"));
  EXPECT_THAT(error("a100: {engine: slurm, cancel: qdel}"),
              HasSubstr("'cancel' is for engine commands, and the engine is slurm; remove it"));
  EXPECT_THAT(error("a100: {engine: commands, submit: a, states: b, cancel: c}"),
              HasSubstr("'job' is missing; engine commands needs submit, states, cancel and job"));
  EXPECT_THAT(error("- a100\n"), HasSubstr("expected sites by their names"));
}

TEST_F(SitesFile, MistakesOfOtherSitesDoNotMatter) {
  EXPECT_EQ(site("a100: {engine: slurm}\nb: {motor: 1}\n").engine, "slurm");
}

TEST_F(SitesFile, SaysWhichSitesThereAre) {
  EXPECT_THAT(error("a100: {engine: slurm}\nboxes: {engine: local}\n", "a10"),
              HasSubstr("there is no site 'a10'; did you mean 'a100'?; the file has a100, boxes"));
  EXPECT_THAT(site_names(file_), ElementsAre("a100", "boxes", "local"));
  std::filesystem::remove(file_);
  EXPECT_THAT(site_names(file_), ElementsAre("local"));
}

TEST_F(SitesFile, LocalNeedsNoEntry) {
  EXPECT_EQ(site("a100: {engine: slurm}\n", kLocalSite).engine, "local");
  EXPECT_EQ(site("local: {engine: local, pilots: 3}\n", kLocalSite).pilots, 3);
}

TEST_F(SitesFile, LiesInTheUsersConfiguration) {
  setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
  EXPECT_EQ(usual_sites_file(), folder_ / "rethink/sites.yaml");
  EXPECT_EQ(site_named(kLocalSite, "").engine, "local");
  try {
    site_named("a100", "");
    FAIL() << "there is no file";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("since there is no file "), HasSubstr("sbatch: [")));
  }
  unsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace rethink
