// Attempts in real processes: locks, orphans, zygotes that die, stops and ends of every kind.
#include "tests/crash/attempt_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "core/config/schema.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/system/process.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/attempt/zygote/zygote_client.h"
#include "experiments/attempt/zygote/zygote_server.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

/// Polls until `ticket` has ended.
ZygoteEvent wait_for_end(ZygoteClient& zygote, int64_t ticket) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < give_up) {
    for (const ZygoteEvent& event : zygote.poll(1000ms)) {
      if (event.kind == ZygoteEvent::Kind::ended && event.ticket == ticket) return event;
    }
  }
  ADD_FAILURE() << "ticket " << ticket << " has not ended";
  return {};
}

template <typename Condition>
void wait_until(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), give_up);
    std::this_thread::sleep_for(5ms);
  }
}

bool has_taken_a_step(const TrialFolder& folder) {
  return std::ranges::any_of(events_of(folder, 1),
                             [](const Json& event) { return event.at("event") == "metric"; });
}

TEST_F(AttemptProcess, LeavesAResultWithItsMetricsAndArtifacts) {
  const Trial trial = add({{"steps", 3}});
  EXPECT_EQ(run(trial), 0);
  const TrialFolder folder = store_.folder(trial);
  const Json result = *read_result(folder);
  EXPECT_EQ(result.at("outcome"), "done");
  EXPECT_EQ(result.at("attempt"), 1);
  EXPECT_EQ(result.at("events"), std::filesystem::file_size(folder.events(1)));
  EXPECT_EQ(result.at("metrics").at("dev/score@last"), result.at("metrics").at("dev/score"));
  EXPECT_EQ(artifacts_of(result, folder).at(0).name, "weights");
  const std::vector<Json> events = events_of(folder, 1);
  EXPECT_EQ(events.front().at("event"), "start");
  EXPECT_EQ(events.front().at("resume_step"), 0);
  EXPECT_EQ(events.front().at("build_id"), build_id_of(kWorker));
  EXPECT_EQ(events.back().at("outcome"), "done");
  EXPECT_FALSE(has_running_worker(folder));
}

TEST_F(AttemptProcess, ATrialWithAResultIsFenced) {
  const Trial trial = add({});
  EXPECT_EQ(run(trial), 0);
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::fenced));
  EXPECT_EQ(store_.folder(trial).attempts(), (std::vector<int64_t>{1}));
}

TEST_F(AttemptProcess, AFailureSaysWhy) {
  const Trial trial = add({{"steps", 5}, {"fail_at", 3}});
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::failed));
  const Json end = events_of(store_.folder(trial), 1).back();
  EXPECT_EQ(end.at("outcome"), "failed");
  EXPECT_EQ(end.at("message"), "fail_at: step 3 fails");
  EXPECT_THAT(read_text(store_.folder(trial).log(1)), HasSubstr("fail_at: step 3 fails"));
  EXPECT_FALSE(read_result(store_.folder(trial)));
}

TEST_F(AttemptProcess, MoreMemoryThanThereIsIsOom) {
  const Trial trial = add({{"allocate_mb", int64_t{1} << 40}});
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::oom));
  EXPECT_EQ(events_of(store_.folder(trial), 1).back().at("outcome"), "oom");
}

TEST_F(AttemptProcess, ATrialOfAnotherSchemaFails) {
  const Trial trial = add({});
  Json json = to_json(trial);
  json["config"]["colour"] = "blue";
  write_text(store_.folder(trial).trial(), json.dump());
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::failed));
  EXPECT_THAT(events_of(store_.folder(trial), 1).back().at("message").get<std::string>(),
              HasSubstr("does not belong to this worker"));
}

TEST_F(AttemptProcess, OneAtATime) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add_endless();
  const int64_t first = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  EXPECT_TRUE(has_running_worker(store_.folder(trial)));
  const ZygoteEvent second = wait_for_end(zygote, zygote.fork_attempt(store_.request(trial)));
  EXPECT_EQ(outcome_of(second.status, false), AttemptOutcome::fenced);
  EXPECT_EQ(store_.folder(trial).attempts(), (std::vector<int64_t>{1}));
  zygote.stop(first, SIGKILL);
  EXPECT_EQ(outcome_of(wait_for_end(zygote, first).status, false), AttemptOutcome::killed);
  EXPECT_FALSE(has_running_worker(store_.folder(trial)));
}

TEST_F(AttemptProcess, AStopCheckpointsAndTheNextAttemptGoesOn) {
  const Json options{{"steps", 40}, {"sleep_ms", 10}};
  const AttemptStore quiet;
  const Trial undisturbed = quiet.add("noop", options, 0);
  run_attempt_of(kWorker, quiet.request(undisturbed));

  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add(options);
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  zygote.stop(ticket, SIGTERM);
  const ZygoteEvent ended = wait_for_end(zygote, ticket);
  EXPECT_EQ(outcome_of(ended.status, false), AttemptOutcome::interrupted);
  EXPECT_EQ(events_of(store_.folder(trial), 1).back().at("outcome"), "interrupted");

  EXPECT_EQ(run(trial), 0);
  EXPECT_GT(events_of(store_.folder(trial), 2).front().at("resume_step"), 0);
  EXPECT_EQ(lasting_part(*read_result(store_.folder(trial))),
            lasting_part(*read_result(quiet.folder(undisturbed))));
  EXPECT_EQ(metric_rows(store_.folder(trial)), metric_rows(quiet.folder(undisturbed)));
  EXPECT_FALSE(std::filesystem::exists(store_.folder(trial).checkpoints()));
}

/// Returns the set of signals on the line `line` of a thread's status, bit n - 1 for signal n.
uint64_t signals_in(const std::filesystem::path& status, const std::string& line) {
  std::ifstream file(status);
  for (std::string word; file >> word;) {
    if (word == line + ":" && file >> word) return std::stoull(word, nullptr, 16);
  }
  ADD_FAILURE() << status << " has no " << line;
  return 0;
}

TEST_F(AttemptProcess, RunsNoHandlerOnAThreadThatComputes) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add_endless();
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  const auto pid = events_of(store_.folder(trial), 1).front().at("pid").get<pid_t>();
  const std::filesystem::path status = "/proc/" + std::to_string(pid) + "/status";
  const uint64_t own_of_threads = ~uint64_t{0} << 31;  // glibc's own signals, from 32 on
  EXPECT_EQ(signals_in(status, "SigCgt") & ~own_of_threads, 0u);
  EXPECT_EQ(signals_in(status, "SigBlk"), uint64_t{1} << (SIGTERM - 1));
  for (int repeated = 0; repeated < 100; ++repeated) kill(pid, SIGTERM);
  EXPECT_EQ(outcome_of(wait_for_end(zygote, ticket).status, false), AttemptOutcome::interrupted);
}

TEST_F(AttemptProcess, OutlivesItsZygote) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add({{"steps", 20}, {"sleep_ms", 20}});
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  const int before = zygote.zygote_pid();
  kill(before, SIGKILL);
  const ZygoteEvent ended = wait_for_end(zygote, ticket);
  EXPECT_TRUE(ended.status_known);
  EXPECT_EQ(outcome_of(ended.status, false), AttemptOutcome::done);
  EXPECT_NE(zygote.zygote_pid(), before);
  const ZygoteEvent next =
      wait_for_end(zygote, zygote.fork_attempt(store_.request(add({{"tag", "next"}}))));
  EXPECT_EQ(next.status, 0);
}

TEST_F(AttemptProcess, OutlivesAZygoteThatDiesBeforeItSaysThatItStarted) {
  setenv("RETHINK_KILL_AT", "after_fork:1", /*overwrite=*/1);
  ZygoteClient zygote({.program = kWorker});
  unsetenv("RETHINK_KILL_AT");
  const Trial trial = add({{"steps", 20}, {"sleep_ms", 20}});
  const ZygoteEvent ended = wait_for_end(zygote, zygote.fork_attempt(store_.request(trial)));
  EXPECT_EQ(std::filesystem::file_size(store_.path() / "kill_point"), 1u);
  EXPECT_TRUE(ended.status_known);
  EXPECT_EQ(outcome_of(ended.status, false), AttemptOutcome::done);
  EXPECT_EQ(read_result(store_.folder(trial))->at("attempt"), 1);
}

TEST_F(AttemptProcess, CanBeStoppedWhenItsZygoteIsGone) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add_endless();
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  kill(zygote.zygote_pid(), SIGKILL);
  const int before = zygote.zygote_pid();
  wait_until([&] { return zygote.poll(10ms), zygote.zygote_pid() != before; });
  zygote.stop(ticket, SIGTERM);
  EXPECT_EQ(outcome_of(wait_for_end(zygote, ticket).status, false), AttemptOutcome::interrupted);
}

TEST_F(AttemptProcess, AZygoteThatIsKilledWhileItStartsIsFollowedByAnother) {
  ZygoteClient zygote({.program = kWorker});
  for (int deaths = 0; deaths < 3; ++deaths) {
    const int before = zygote.zygote_pid();
    kill(before, SIGKILL);
    wait_until([&] { return zygote.poll(0ms), zygote.zygote_pid() != before; });
  }
  EXPECT_EQ(wait_for_end(zygote, zygote.fork_attempt(store_.request(add({})))).status, 0);
}

TEST_F(AttemptProcess, IsStoppedAlthoughItsZygoteHangs) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add_endless();
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return zygote.poll(10ms), has_taken_a_step(store_.folder(trial)); });
  const int before = zygote.zygote_pid();
  kill(before, SIGSTOP);
  zygote.stop(ticket, SIGTERM);
  EXPECT_EQ(outcome_of(wait_for_end(zygote, ticket).status, false), AttemptOutcome::interrupted);
  EXPECT_NE(zygote.zygote_pid(), before);
}

TEST_F(AttemptProcess, IsStoppedThoughNobodyKnowsYetThatItHasStarted) {
  ZygoteClient zygote({.program = kWorker});
  const int64_t ticket = zygote.fork_attempt(store_.request(add_endless()));
  zygote.stop(ticket, SIGTERM);
  EXPECT_EQ(outcome_of(wait_for_end(zygote, ticket).status, false), AttemptOutcome::interrupted);
}

TEST_F(AttemptProcess, RequestsNeverWaitForAZygoteThatDoesNotRead) {
  ZygoteClient zygote({.program = kWorker});
  kill(zygote.zygote_pid(), SIGSTOP);
  AttemptRequest request = store_.request(add({}));
  request.runtime.data = std::string(4000, 'x');
  std::vector<int64_t> tickets;
  for (int i = 0; i < 200; ++i) tickets.push_back(zygote.fork_attempt(request));
  EXPECT_TRUE(zygote.poll(0ms).empty());
  kill(zygote.zygote_pid(), SIGCONT);
  std::set<int64_t> waiting(tickets.begin(), tickets.end());
  wait_until([&] {
    for (const ZygoteEvent& event : zygote.poll(10ms)) {
      if (event.kind == ZygoteEvent::Kind::ended) waiting.erase(event.ticket);
    }
    return waiting.empty();
  });
}

TEST_F(AttemptProcess, OutlivesItsDriverAndIsAdopted) {
  const Trial trial = add({{"steps", 30}, {"sleep_ms", 20}});
  const TrialFolder folder = store_.folder(trial);
  const pid_t driver = fork();
  if (driver == 0) {
    ZygoteClient zygote({.program = kWorker});
    zygote.fork_attempt(store_.request(trial));
    for (;;) zygote.poll(1000ms);
  }
  wait_until([&] { return has_taken_a_step(folder); });
  kill(driver, SIGKILL);
  waitpid(driver, nullptr, 0);
  EXPECT_TRUE(has_running_worker(folder));
  EXPECT_TRUE(last_worker(folder));

  ZygoteClient zygote({.program = kWorker});
  const ZygoteEvent ended = wait_for_end(zygote, zygote.adopt(folder));
  EXPECT_FALSE(ended.status_known);
  EXPECT_EQ(read_result(folder)->at("attempt"), 1);
}

TEST_F(AttemptProcess, AnAdoptedOneCanBeStopped) {
  const Trial trial = add_endless();
  const TrialFolder folder = store_.folder(trial);
  {
    ZygoteClient earlier({.program = kWorker});
    earlier.fork_attempt(store_.request(trial));
    wait_until([&] { return has_taken_a_step(folder); });
  }
  ZygoteClient zygote({.program = kWorker});
  const int64_t ticket = zygote.adopt(folder);
  zygote.stop(ticket, SIGTERM);
  wait_for_end(zygote, ticket);
  EXPECT_EQ(events_of(folder, 1).back().at("outcome"), "interrupted");
}

TEST_F(AttemptProcess, SeesNothingOfItsParents) {
  ZygoteClient zygote({.program = kWorker});
  const Trial trial = add_endless();
  const int64_t ticket = zygote.fork_attempt(store_.request(trial));
  wait_until([&] { return has_taken_a_step(store_.folder(trial)); });
  const int pid = last_worker(store_.folder(trial))->pid;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    EXPECT_THAT(std::filesystem::read_symlink(entry.path()).string(),
                testing::Not(HasSubstr("socket:")));
  }
  EXPECT_NE(getsid(pid), getsid(0));
  EXPECT_EQ(read_text("/proc/" + std::to_string(pid) + "/oom_score_adj"), "500\n");
  zygote.stop(ticket, SIGKILL);
  wait_for_end(zygote, ticket);
}

TEST(ZygoteDeathTest, WithASecondThreadForksNothing) {
  const AttemptStore store;
  const AttemptRequest request = store.request(store.add("noop", Json::object(), 0));
  EXPECT_DEATH(
      {
        int ends[2];
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        const LineSocket driver{FileDescriptor(ends[0])};
        driver.send({{"run", 1}, {"request", to_json(request)}});
        std::jthread second([] { std::this_thread::sleep_for(kPatience); });
        serve_zygote(ends[1]);
      },
      "the zygote has [2-9] threads");
  EXPECT_FALSE(std::filesystem::exists(TrialFolder(request.trial).attempt(1)));
}

TEST(Zygote, OfAnotherBuildIsRefused) {
  ZygoteClient zygote({.program = kWorker, .build_id = "0123"});
  EXPECT_THAT([&] { zygote.poll(kPatience); },
              ThrowsMessage<MachineError>(HasSubstr("another build of this program")));
}

TEST(Zygote, ThatGetsNoFilesRefusesTheAttemptsThatWait) {
  const AttemptStore store;
  const AttemptRequest request = store.request(store.add("noop", Json::object(), 0));
  ZygoteClient zygote(
      {.program = "/bin/sh", .arguments = {"-c", "echo '{\"unable\": \"no files\"}' >&0; exit 3"}});
  for (int start = 0; start < 7; ++start) {
    const int64_t ticket = zygote.fork_attempt(request);
    const std::vector<ZygoteEvent> events = zygote.poll(kPatience);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].ticket, ticket);
    EXPECT_TRUE(events[0].refused);
    EXPECT_EQ(events[0].message, "no files");
  }
}

TEST(Zygote, ThatCannotStartIsAnError) {
  ZygoteClient zygote({.program = "/bin/false"});
  EXPECT_THAT([&] { zygote.poll(1000ms); },
              ThrowsMessage<MachineError>(HasSubstr("/bin/false cannot start: exit code 1")));
  ZygoteClient dies({.program = "/bin/sh", .arguments = {"-c", "kill -9 $$"}});
  EXPECT_THAT([&] { dies.poll(kPatience); },
              ThrowsMessage<MachineError>(testing::StartsWith(
                  "/bin/sh died 5 times before it could start an attempt: signal 9 (Killed); ")));
  EXPECT_THAT(
      [] { ZygoteClient({.program = "/no/such/worker"}); },
      ThrowsMessage<MachineError>("cannot start '/no/such/worker': No such file or directory"));
}

TEST(Zygote, WhoseLibrariesCannotBeLoadedNamesThem) {
  const std::string missing = "error while loading shared libraries: libx.so: cannot open";
  const std::string fails = "echo \"/bin/sh: " + missing + "\" >&2; exit 127";
  ZygoteClient never({.program = "/bin/sh", .arguments = {"-c", fails}});
  EXPECT_THAT([&] { never.poll(kPatience); },
              ThrowsMessage<MachineError>(testing::StartsWith("/bin/sh cannot start: " + missing +
                                                              "; put the library back")));
  // The zygote was ready once, so a waiting attempt is refused, and the next one tries again.
  const TempFolder folder;
  const std::string begun = (folder / "begun").string();
  ZygoteClient later(
      {.program = "/bin/sh",
       .arguments = {"-c", "[ -e " + begun + " ] || { : > " + begun +
                               "; echo '{\"ready\": \"\"}' >&0; kill -9 $$; }; " + fails}});
  AttemptRequest request;
  request.trial = folder / "trials" / "a";
  for (int start = 0; start < 3; ++start) {
    const ZygoteEvent end = wait_for_end(later, later.fork_attempt(request));
    if (start == 0 && !end.refused) continue;  // this attempt died with the zygote
    EXPECT_TRUE(end.refused);
    EXPECT_THAT(end.message, HasSubstr(missing));
  }
}

TEST(Worker, PrintsItsSchema) {
  const ProgramResult result = run_program({.words = {kWorker.string(), "schema"}});
  const Schema schema = schema_from_json(parse_json(result.output, "schema"));
  EXPECT_EQ(schema.build_id, build_id_of(kWorker));
  EXPECT_EQ(schema.names("job"),
            (std::vector<std::string>{"analyze", "command", "noop", "select"}));
  EXPECT_EQ(to_json(schema), read_json(kWorker.parent_path() / "schema.json"));
}

TEST(Worker, ExplainsItself) {
  const ProgramResult result = run_program({.words = {kWorker.string(), "dance"}});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("usage: noop_worker"));
}

}  // namespace
}  // namespace rethink
