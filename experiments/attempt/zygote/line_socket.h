// Lines of JSON over one end of a socket pair.
#pragma once

#include <string>
#include <vector>

#include "core/files/file.h"
#include "core/json.h"

namespace rethink {

class LineSocket {
 public:
  LineSocket() = default;
  explicit LineSocket(FileDescriptor socket) : socket_(std::move(socket)) {}

  int get() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  /// Returns false if the other end is closed. Waits while the other end is slow to read.
  bool send(const Json& message) const;
  /// Sends as much as the socket has room for and keeps the rest for `flush`; never waits.
  void post(const Json& message);
  /// Sends as many of the waiting bytes as the socket has room for, without waiting.
  void flush();
  bool has_unsent() const { return !unsent_.empty(); }
  /// Waits for at least one byte and returns the complete lines. Then `closed()` says whether the
  /// other end is closed.
  std::vector<Json> receive();
  bool closed() const { return closed_; }

 private:
  FileDescriptor socket_;
  std::string pending_, unsent_;
  bool closed_ = false;
};

}  // namespace rethink
