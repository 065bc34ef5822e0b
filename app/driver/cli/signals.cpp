#include "app/driver/cli/signals.h"

#include <signal.h>

namespace rethink {
namespace {

std::atomic<int> signals_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler counts it

}  // namespace

void let_large_files_fail() {
  signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<int>& listen_to_signals() {
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { signals_seen++; };
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals_seen;
}

}  // namespace rethink
