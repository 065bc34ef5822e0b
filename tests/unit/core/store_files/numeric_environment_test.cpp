#include "core/store_files/numeric_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;

Json worker_facts(const Json& changes = Json::object()) {
  Json facts = {{"host", "ada"},
                {"pid", 7},
                {"threads", 4},
                {"device", "cpu"},
                {"cpu_capability", "AVX2"},
                {"deterministic", true},
                {"numeric_build", "0123"},
                {"processor", "Xeon"},
                {"settings", ""},
                {"libraries", {{"libm.so.6", "aa"}, {"libtorch_cpu.so", "bb"}}},
                {"plugins", {{"librethink_cuda.so", "cc"}}}};
  facts.update(changes);
  return facts;
}

EnvironmentChange change_to(const Json& before, const Json& now) {
  return environment_change(numeric_environment_of(before), numeric_environment_of(now));
}

TEST(NumericEnvironment, HasTheFactsThatNumbersDependOnAndNoOthers) {
  EXPECT_THAT(numeric_environment_of(worker_facts()),
              ElementsAre(Key("cpu_capability"), Key("deterministic"), Key("device"),
                          Key("libraries.libm.so.6"), Key("libraries.libtorch_cpu.so"),
                          Key("numeric_build"), Key("plugins.librethink_cuda.so"), Key("processor"),
                          Key("settings"), Key("threads")));
}

TEST(NumericEnvironment, OfAnotherHostIsTheSame) {
  EXPECT_TRUE(change_to(worker_facts(), worker_facts({{"host", "bob"}, {"pid", 8}})).is_none());
}

TEST(NumericEnvironment, NamesWhatDiffers) {
  const auto differs = [](const Json& changes) {
    return change_to(worker_facts(), worker_facts(changes)).text();
  };
  EXPECT_EQ(differs({{"numeric_build", "4567"}}), "another build");
  EXPECT_EQ(differs({{"processor", "EPYC"}, {"processor_version", "25"}}), "another processor");
  EXPECT_EQ(differs({{"threads", 2}, {"numeric_build", "4567"}}),
            "another build, another number of threads");
  EXPECT_EQ(differs({{"libraries", {{"libm.so.6", "dd"}, {"libtorch_cpu.so", "bb"}}}}),
            "another library libm.so.6");
  EXPECT_EQ(differs({{"plugins", {{"librethink_cuda.so", "dd"}}}}),
            "another plug-in librethink_cuda.so");
  EXPECT_EQ(differs({{"plugins", Json::object()}}), "another plug-in librethink_cuda.so");
  EXPECT_EQ(differs({{"settings", "ONEDNN_MAX_CPU_ISA=AVX2"}}), "another setting of a library");
}

TEST(NumericEnvironment, OfAnOlderVersionHasAnUnknownBuild) {
  Json old = worker_facts();
  for (const char* fact : {"numeric_build", "processor", "settings", "libraries", "plugins"})
    old.erase(fact);
  const EnvironmentChange change = change_to(old, worker_facts());
  EXPECT_THAT(change.differs, IsEmpty());
  EXPECT_EQ(change.text(), "a build that was not recorded");
  EXPECT_EQ(change_to(old, worker_facts({{"threads", 2}})).text(),
            "another number of threads, a build that was not recorded");
}

TEST(NumericEnvironment, ChangeIsReadFromItsEvent) {
  const Json event = inexact_event(worker_facts(), worker_facts({{"numeric_build", "4567"}}));
  EXPECT_EQ(event.at("event"), "inexact");
  EXPECT_EQ(change_of_event(event).text(), "another build");
}

TEST(NumericEnvironment, ChangeIsReadFromAnOlderVersionsEvent) {
  const Json old{{"threads", 1}, {"device", "cpu"}}, now{{"threads", 2}, {"device", "cpu"}};
  EXPECT_EQ(
      change_of_event({{"event", "inexact"}, {"before", old.dump()}, {"now", now.dump()}}).text(),
      "another number of threads");
}

TEST(NumericEnvironment, ChangeOfADamagedEventIsOfUnknownKind) {
  for (const Json& event : {Json(), Json::object(), Json{{"before", "{"}, {"now", 3}},
                            Json{{"differs", 1}}, Json{{"build_is_unknown", "x"}}})
    EXPECT_EQ(change_of_event(event).text(), "another kind of machine") << event;
}

TEST(SeenEnvironments, AreMixedWhereTwoKnownValuesDiffer) {
  SeenEnvironments seen;
  seen.add(numeric_environment_of(worker_facts()));
  seen.add(numeric_environment_of(worker_facts()));
  seen.add(NumericEnvironment{{"threads", "4"}});  // the others' builds say nothing of this one's
  EXPECT_THAT(seen.mixed(), IsEmpty());
  seen.add(numeric_environment_of(worker_facts({{"processor", "EPYC"}})));
  EXPECT_THAT(seen.mixed(), ElementsAre("processor"));
  SeenEnvironments all;
  all.add(NumericEnvironment{{"numeric_build", "4567"}});
  EXPECT_THAT(all.mixed(), IsEmpty());
  all.add(seen);
  EXPECT_THAT(all.mixed(), ElementsAre("build", "processor"));
  all.add(NumericEnvironment{{"code.attention/dense", "1"}, {"code.job/lm", "1"}});
  all.add(NumericEnvironment{{"code.attention/dense", "2"}, {"code.job/lm", "1"}});
  EXPECT_THAT(all.mixed(), ElementsAre("code of attention/dense", "build", "processor"));
}

}  // namespace
}  // namespace rethink
