// Benchmark of a trial's overhead: noop trials through a zygote, from the request for a fork to a
// durable result.
//
//   attempt_bench WORKER [TRIALS [SLOTS]]
// WORKER: rethink-worker (LibTorch is then ready in each child) or noop_worker
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/clock.h"
#include "experiments/attempt/zygote/zygote_client.h"
#include "tests/support/attempt_store.h"

/// Returns the processor time of this process and of its ended children [s].
double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
    }
  }
  return sum;
}

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: attempt_bench WORKER [TRIALS [SLOTS]]\n");
    return 2;
  }
  const int trials = count > 2 ? std::atoi(words[2]) : 1000,
            slots = count > 3 ? std::atoi(words[3]) : 2;
  const rethink::AttemptStore store;
  std::vector<rethink::AttemptRequest> requests;
  for (int i = 0; i <= trials; ++i) {
    requests.push_back(store.request(store.add("noop", {{"tag", std::to_string(i)}}, 0)));
    requests.back().runtime.keep_weights = false;
  }
  auto zygote =
      std::make_unique<rethink::ZygoteClient>(rethink::ZygoteClient::Options{.program = words[1]});
  // The first trial does not count: after it the zygote is loaded.
  zygote->fork_attempt(requests.back());
  for (bool ended = false; !ended;) {
    for (const rethink::ZygoteEvent& event : zygote->poll(std::chrono::seconds(10))) {
      ended = ended || event.kind == rethink::ZygoteEvent::Kind::ended;
    }
  }
  const double processor_begun_s = processor_seconds();
  const double begun_s = rethink::monotonic_seconds();
  int started = 0, ended = 0, done = 0;
  while (ended < trials) {
    for (; started < trials && started - ended < slots; ++started)
      zygote->fork_attempt(requests[static_cast<size_t>(started)]);
    for (const rethink::ZygoteEvent& event : zygote->poll(std::chrono::seconds(10))) {
      if (event.kind != rethink::ZygoteEvent::Kind::ended) continue;
      ++ended;
      done += event.status_known && event.status == 0;
    }
  }
  const double passed_s = rethink::monotonic_seconds() - begun_s;
  zygote.reset();  // waits for the zygote and its children, whose processor time counts from now on
  const double processor_s = processor_seconds() - processor_begun_s;
  std::printf(
      "%d of %d noop trials done with %d slots: %.2f ms per trial, %.2f ms of processor time "
      "each\n",
      done, trials, slots, passed_s / trials * 1e3, processor_s / trials * 1e3);
  return done == trials ? 0 : 1;
}
