#include "app/worker/operator_count.h"

#include <ATen/record_function.h>

#include <atomic>

namespace rethink {
namespace {

// Global, because the callback is a plain function; the backward pass has threads of its own.
std::atomic<int64_t> operators_called;

std::unique_ptr<at::ObserverContext> count_call(const at::RecordFunction&) {
  ++operators_called;
  return nullptr;
}

}  // namespace

int64_t count_operators(const std::function<void()>& work) {
  struct Counting {
    const at::CallbackHandle handle = at::addGlobalCallback(
        at::RecordFunctionCallback(count_call).scopes({at::RecordScope::FUNCTION}));
    ~Counting() { at::removeCallback(handle); }
  };
  operators_called = 0;
  const Counting counting;
  work();
  return operators_called;
}

}  // namespace rethink
