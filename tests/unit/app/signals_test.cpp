#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "app/driver/cli/terminal.h"

namespace rethink {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

TEST(SignalsDeathTest, AMessageEndsTheProcessAtOnce) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          const InterruptMessage words("interrupted; resume with: rethink reproduce bet\n");
          raise(number);
        },
        ExitedWithCode(130), "interrupted; resume with: rethink reproduce bet");
  }
}

TEST(SignalsDeathTest, ACounterReplacesTheMessageWhileItExists) {
  EXPECT_EXIT(
      {
        const InterruptMessage words("resume\n");
        {
          const SignalCounter counter;
          raise(SIGINT);
          raise(SIGTERM);
          if (counter.seen() != 2) _exit(1);
        }
        raise(SIGINT);
      },
      ExitedWithCode(130), "resume");
}

/// A table is drawn like this after its trials have run.
TEST(SignalsDeathTest, AfterACounterASignalKillsAgain) {
  EXPECT_EXIT(
      {
        { const SignalCounter counter; }
        raise(SIGINT);
      },
      KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace rethink
