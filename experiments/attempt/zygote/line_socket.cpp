#include "experiments/attempt/zygote/line_socket.h"

#include <sys/socket.h>

#include <cerrno>

#include "core/json.h"

namespace rethink {
namespace {

std::string line_of(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

bool LineSocket::send(const Json& message) const {
  const std::string text = line_of(message);
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t put = ::send(socket_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    sent += static_cast<size_t>(put);
  }
  return true;
}

void LineSocket::post(const Json& message) {
  unsent_ += line_of(message);
  flush();
}

void LineSocket::flush() {
  const ssize_t put =
      ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (put > 0) unsent_.erase(0, static_cast<size_t>(put));
  // The next receive detects an ended peer; a full socket only needs time.
  if (put < 0 && errno != EINTR && errno != EAGAIN) unsent_.clear();
}

std::vector<Json> LineSocket::receive() {
  char bytes[1 << 14];
  ssize_t got = 0;
  while ((got = recv(socket_.get(), bytes, sizeof bytes, 0)) < 0 && errno == EINTR) {
  }
  if (got > 0) pending_.append(bytes, static_cast<size_t>(got));
  closed_ = got <= 0;
  std::vector<Json> messages;
  size_t begin = 0;
  for (size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    messages.push_back(
        parse_json(std::string_view(pending_).substr(begin, end - begin), "message"));
  }
  pending_.erase(0, begin);
  return messages;
}

}  // namespace rethink
