#include "tests/fake_cuda/report.h"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

namespace rethink::fake_cuda {
namespace {

std::atomic<int64_t> waits_so_far = 0;

/// Returns this process's file, never its parent's; -1 without a report.
int report_file() {
  static std::mutex mutex;
  static pid_t owner = 0;
  static int file = -1;
  const std::lock_guard<std::mutex> lock(mutex);
  const char* folder = std::getenv("FAKE_CUDA_REPORT");
  if (!folder || owner == getpid()) return file;
  owner = getpid();
  const std::string path = std::string(folder) + "/" + std::to_string(owner);
  file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  TORCH_CHECK(file >= 0, path, ": cannot be opened");
  return file;
}

}  // namespace

/// Writes immediately, since workers end by _exit and by signals.
void report(const std::string& event) {
  const int file = report_file();
  if (file < 0) return;
  const std::string line = event + "\n";
  TORCH_CHECK(write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()),
              "the report of the fake device cannot be written");
}

int64_t bytes_of(const at::Tensor& tensor) {
  if (!tensor.defined()) return 0;
  auto bytes = static_cast<int64_t>(tensor.element_size());
  for (int64_t dim = 0; dim < tensor.dim(); ++dim)
    bytes *= tensor.stride(dim) == 0 ? std::min<int64_t>(1, tensor.size(dim)) : tensor.size(dim);
  return bytes;
}

bool is_work_reported() {
  return std::getenv("FAKE_CUDA_WORK") != nullptr;
}

void report_work(const std::string& name, const Traffic& traffic, at::ScalarType dtype) {
  if (is_work_reported())
    report(c10::str("work ", name, " ", traffic.bytes, " ", traffic.flops, " ", dtype));
}

void report_wait(const std::string& event) {
  ++waits_so_far;
  report("wait " + event);
}

int64_t waits() {
  return waits_so_far;
}

}  // namespace rethink::fake_cuda
