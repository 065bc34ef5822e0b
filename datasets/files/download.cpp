#include "datasets/files/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <thread>

#include "core/files/file.h"
#include "core/files/hash.h"
#include "datasets/files/shared_library.h"

namespace rethink {
namespace {

/// After a server has answered, it gets more time, since it may be slow.
constexpr long kConnectSeconds = 5, kReconnectSeconds = 30;
constexpr long kStalledSeconds = 60;  // with less than one byte per second

/// libcurl's functions.
struct Curl {
  SharedLibrary library{"libcurl.so.4", "libcurl4"};
  decltype(curl_global_init)* global_init = library["curl_global_init"];
  decltype(curl_easy_init)* init = library["curl_easy_init"];
  decltype(curl_easy_cleanup)* cleanup = library["curl_easy_cleanup"];
  decltype(curl_easy_setopt)* setopt = library["curl_easy_setopt"];
  decltype(curl_easy_perform)* perform = library["curl_easy_perform"];
  decltype(curl_easy_getinfo)* getinfo = library["curl_easy_getinfo"];
  decltype(curl_easy_strerror)* strerror = library["curl_easy_strerror"];
  CURLcode started = global_init(CURL_GLOBAL_DEFAULT);
};

/// One request's state; libcurl's callbacks get a pointer to it.
struct Transfer {
  const std::string& url;
  const std::filesystem::path& path;
  int file;
  uint64_t begin;  // bytes that the file had before
  uint64_t received = 0;
  const DownloadOptions& options;
  std::exception_ptr error;  // C code must not see exceptions
};

size_t receive(char* bytes, size_t size, size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  try {
    const uint64_t most = transfer.options.most_bytes;
    if (most > 0 && transfer.begin + transfer.received + size * count > most) {
      std::filesystem::remove(transfer.path);
      throw MachineError("wrong-contents",
                         fmt::format("{}: sends more than {} bytes, the largest correct size; the "
                                     "received bytes were removed",
                                     transfer.url, most));
    }
    write_all(transfer.file, {bytes, size * count}, transfer.path);
    transfer.received += size * count;
    return size * count;
  } catch (...) {
    transfer.error = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
}

int report(void* context, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(context);
  if (transfer.options.progress && transfer.received > 0) {
    const uint64_t whole = total > 0 ? transfer.begin + static_cast<uint64_t>(total) : 0;
    transfer.options.progress(transfer.begin + transfer.received, whole);
  }
  return 0;
}

struct Outcome {
  CURLcode code;
  long status;         // HTTP's
  bool was_connected;  // a server answered at the address
  std::string message;
};

Outcome request(const std::string& url, const std::filesystem::path& part, long connect_seconds,
                const DownloadOptions& options) {
  static const Curl curl;
  const std::unique_ptr<CURL, void (*)(CURL*)> owner(
      curl.started == CURLE_OK ? curl.init() : nullptr, curl.cleanup);
  if (!owner) throw MachineError("system-error", "libcurl does not start");
  const FileDescriptor file = open_file(part, O_WRONLY | O_CREAT | O_APPEND);
  Transfer transfer{url, part, file.get(), std::filesystem::file_size(part), 0, options, nullptr};
  char message[CURL_ERROR_SIZE] = "";
  CURL* const handle = owner.get();
  curl.setopt(handle, CURLOPT_URL, url.c_str());
  curl.setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl.setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl.setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl.setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl.setopt(handle, CURLOPT_CONNECTTIMEOUT, connect_seconds);
  curl.setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl.setopt(handle, CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
  curl.setopt(handle, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.begin));
  curl.setopt(handle, CURLOPT_ERRORBUFFER, message);
  curl.setopt(handle, CURLOPT_WRITEFUNCTION, receive);
  curl.setopt(handle, CURLOPT_WRITEDATA, &transfer);
  curl.setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl.setopt(handle, CURLOPT_XFERINFOFUNCTION, report);
  curl.setopt(handle, CURLOPT_XFERINFODATA, &transfer);
  const CURLcode code = curl.perform(handle);
  if (transfer.error) std::rethrow_exception(transfer.error);
  long status = 0;
  curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  double connected_after_s = 0;  // 0 without a connection
  curl.getinfo(handle, CURLINFO_CONNECT_TIME, &connected_after_s);
  return {code, status, connected_after_s > 0, *message ? message : curl.strerror(code)};
}

/// Whether `url` is not a valid address.
bool is_no_address(const Outcome& outcome) {
  return outcome.code == CURLE_UNSUPPORTED_PROTOCOL || outcome.code == CURLE_URL_MALFORMAT;
}

/// Whether a retry may help.
bool is_passing(const Outcome& outcome) {
  if (outcome.code == CURLE_HTTP_RETURNED_ERROR) {
    return outcome.status >= 500 || outcome.status == 408 || outcome.status == 429;
  }
  return outcome.code != CURLE_PEER_FAILED_VERIFICATION;
}

bool refuses_range(const Outcome& outcome) {
  return outcome.code == CURLE_RANGE_ERROR ||
         (outcome.code == CURLE_HTTP_RETURNED_ERROR && outcome.status == 416);
}

/// Downloads all bytes into `part`, and continues after broken connections.
void fetch(const std::string& url, const std::filesystem::path& part,
           const DownloadOptions& options) {
  auto pause = options.pause;
  // A server without ranges sends the same bytes again, so only a longer file is progress.
  uintmax_t longest = std::filesystem::exists(part) ? std::filesystem::file_size(part) : 0;
  bool has_answered = false;
  for (int attempt = 1;;) {
    const Outcome outcome =
        request(url, part, has_answered ? kReconnectSeconds : kConnectSeconds, options);
    has_answered = has_answered || outcome.was_connected;
    if (outcome.code == CURLE_OK) return;
    if (is_no_address(outcome)) {
      throw ConfigError("invalid-value",
                        fmt::format("got '{}', expected an address, http://... or https://...: {}",
                                    url, outcome.message));
    }
    if (refuses_range(outcome) && std::filesystem::file_size(part) > 0) {
      std::filesystem::resize_file(part, 0);
      continue;
    }
    if (std::filesystem::file_size(part) > longest) {
      longest = std::filesystem::file_size(part);
      attempt = 0;
      pause = options.pause;
    }
    // If nobody answers, the address is probably wrong, and retries would only delay the message.
    if (!is_passing(outcome) || !has_answered || attempt == options.attempts) {
      const uintmax_t kept = std::filesystem::file_size(part);
      if (kept == 0) std::filesystem::remove(part);
      const std::string rest =
          kept == 0 ? ""
                    : fmt::format("; {} bytes are kept in {}, the same command continues there",
                                  kept, part.string());
      const std::string hint =
          has_answered ? "" : "; check the address and the connection, then give the command again";
      throw MachineError("download-failed",
                         fmt::format("{}: {}{}{}", url, outcome.message, hint, rest));
    }
    std::this_thread::sleep_for(pause);
    pause *= 2;
    ++attempt;
  }
}

}  // namespace

void download(const std::string& url, const std::filesystem::path& file, const std::string& sha256,
              const DownloadOptions& options) {
  make_folder_durably(file.parent_path());
  const std::filesystem::path part = file.string() + ".part";
  // An earlier run may have ended after the last byte and before the rename.
  const bool is_complete =
      !sha256.empty() && std::filesystem::exists(part) && sha256_file(part) == sha256;
  if (!is_complete) fetch(url, part, options);
  if (!sha256.empty()) {
    if (const std::string got = sha256_file(part); got != sha256) {
      const std::filesystem::path rejected = file.string() + ".rejected";
      std::filesystem::rename(part, rejected);
      throw MachineError(
          "wrong-contents",
          fmt::format("{}: got SHA-256 {}, expected {}; the bytes are kept in {} and not used", url,
                      got, sha256, rejected.string()));
    }
  }
  sync_file(part);
  std::filesystem::rename(part, file);
  sync_folder(file.parent_path());
}

}  // namespace rethink
