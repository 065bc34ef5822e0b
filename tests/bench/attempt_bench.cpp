// What a trial costs beside its own work: noop trials from the request for a fork to a durable result,
// through a zygote.
//
//   attempt_bench WORKER [TRIALS [SLOTS]]      WORKER: rethink-worker (LibTorch is then ready in each child)
//   or noop_worker
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/clock.h"
#include "experiments/attempt/zygote.h"
#include "tests/support/attempt_store.h"

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: attempt_bench WORKER [TRIALS [SLOTS]]\n");
    return 2;
  }
  const int trials = count > 2 ? std::atoi(words[2]) : 1000, slots = count > 3 ? std::atoi(words[3]) : 2;
  const rethink::AttemptStore store;
  std::vector<rethink::AttemptRequest> requests;
  for (int i = 0; i < trials; ++i) {
    requests.push_back(store.request(store.add("noop", {{"tag", std::to_string(i)}}, 0)));
    requests.back().runtime.keep_weights = false;
  }
  rethink::ZygoteClient zygote({.program = words[1]});
  zygote.check({});  // loaded and ready
  const double begun_s = rethink::monotonic_seconds();
  int started = 0, ended = 0, done = 0;
  while (ended < trials) {
    for (; started < trials && started - ended < slots; ++started)
      zygote.start(requests[static_cast<size_t>(started)]);
    for (const rethink::ZygoteEvent& event : zygote.poll(std::chrono::seconds(10))) {
      if (event.kind != rethink::ZygoteEvent::Kind::ended) continue;
      ++ended;
      done += event.status_known && event.status == 0;
    }
  }
  const double passed_s = rethink::monotonic_seconds() - begun_s;
  std::printf("%d of %d noop trials done with %d slots: %.2f ms per trial\n", done, trials, slots,
              passed_s / trials * 1e3);
  return done == trials ? 0 : 1;
}
