#include "datasets/files/download.h"

#include <archive.h>
#include <archive_entry.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/files/hash.h"
#include "datasets/dataset.h"
#include "datasets/files/data_files.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// How the server treats requests.
struct Behaviour {
  std::string body = "";
  bool knows_ranges = true;
  std::vector<size_t> drop_after = {};  // request i is cut off after so many bytes of its body
  int status = 0;                       // not 0: every answer is this error
};

/// An HTTP server on the loopback interface that lives as long as a test.
class LocalServer {
 public:
  explicit LocalServer(Behaviour behaviour) : behaviour_(std::move(behaviour)) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(socket_, 8) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("the test server does not start");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~LocalServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  std::string url() const { return fmt::format("http://127.0.0.1:{}/set.zip", port_); }
  /// The Range header of each request so far, "" where there was none.
  std::vector<std::string> ranges() {
    const std::lock_guard lock(mutex_);
    return ranges_;
  }

 private:
  void serve() {
    for (;;) {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      answer(client);
      ::close(client);
    }
  }

  static std::string read_request(int client) {
    std::string request;
    char buffer[1024];
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::recv(client, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      request.append(buffer, static_cast<size_t>(count));
    }
    return request;
  }

  void answer(int client) {
    const std::string request = read_request(client);
    std::string range;
    if (const size_t at = request.find("Range: bytes="); at != std::string::npos) {
      range = request.substr(at + 13, request.find("\r\n", at) - at - 13);
    }
    size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = ranges_.size();
      ranges_.push_back(range);
    }
    if (behaviour_.status != 0) {
      send_all(client,
               fmt::format("HTTP/1.1 {} Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                           behaviour_.status));
      return;
    }
    const std::string& body = behaviour_.body;
    const bool is_part = behaviour_.knows_ranges && !range.empty();
    const size_t begin = is_part ? std::stoul(range) : 0;
    std::string head =
        is_part ? fmt::format("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\n",
                              begin, body.size() - 1, body.size())
                : "HTTP/1.1 200 OK\r\n";
    head += fmt::format("Content-Length: {}\r\nConnection: close\r\n\r\n", body.size() - begin);
    const size_t most =
        number < behaviour_.drop_after.size() ? behaviour_.drop_after[number] : body.size();
    send_all(client, head + body.substr(begin, most));
  }

  static void send_all(int client, const std::string& bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(client, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<size_t>(count);
    }
    ::shutdown(client, SHUT_WR);
  }

  Behaviour behaviour_;
  int socket_ = -1, port_ = 0;
  std::mutex mutex_;
  std::vector<std::string> ranges_;
  std::thread thread_;
};

std::string long_text() {
  std::string text;
  for (int line = 0; line < 5000; ++line) text += fmt::format("line {}\n", line);
  return text;
}

const DownloadOptions kQuick{
    .attempts = 3, .pause = std::chrono::milliseconds(1), .progress = nullptr};

TEST(Download, ContinuesAfterALostConnection) {
  TempFolder folder;
  const std::string body = long_text();
  LocalServer server({.body = body, .drop_after = {20000, 7000}});
  download(server.url(), folder / "set.zip", sha256_hex(body), kQuick);
  EXPECT_EQ(read_text(folder / "set.zip"), body);
  EXPECT_FALSE(std::filesystem::exists(folder / "set.zip.part"));
  EXPECT_THAT(server.ranges(), ElementsAre("", "20000-", "27000-"));
}

TEST(Download, ContinuesAnEarlierDownload) {
  TempFolder folder;
  const std::string body = long_text();
  write_text(folder / "set.zip.part", body.substr(0, 12345));
  LocalServer server({.body = body});
  download(server.url(), folder / "set.zip", sha256_hex(body), kQuick);
  EXPECT_EQ(read_text(folder / "set.zip"), body);
  EXPECT_THAT(server.ranges(), ElementsAre("12345-"));
}

TEST(Download, NeedsNoServerWhenAnEarlierRunGotEverything) {
  TempFolder folder;
  write_text(folder / "set.zip.part", "all of it");
  download("http://127.0.0.1:9/set.zip", folder / "set.zip", sha256_hex("all of it"), kQuick);
  EXPECT_EQ(read_text(folder / "set.zip"), "all of it");
}

TEST(Download, BeginsAgainWhenTheServerKnowsNoRanges) {
  TempFolder folder;
  const std::string body = long_text();
  LocalServer server({.body = body, .knows_ranges = false, .drop_after = {20000}});
  download(server.url(), folder / "set.zip", sha256_hex(body), kQuick);
  EXPECT_EQ(read_text(folder / "set.zip"), body);
  EXPECT_THAT(server.ranges(), ElementsAre("", "20000-", ""));
}

TEST(Download, KeepsBytesWithAWrongHashAsideAndPublishesNothing) {
  TempFolder folder;
  LocalServer server({.body = "another file"});
  EXPECT_THAT([&] { download(server.url(), folder / "set.zip", sha256_hex("the file"), kQuick); },
              ThrowsMessage<MachineError>(AllOf(HasSubstr("expected " + sha256_hex("the file")),
                                                HasSubstr("set.zip.rejected and not used"))));
  EXPECT_FALSE(std::filesystem::exists(folder / "set.zip"));
  EXPECT_FALSE(std::filesystem::exists(folder / "set.zip.part"));
  EXPECT_EQ(read_text(folder / "set.zip.rejected"), "another file");
}

TEST(Download, GivesUpAfterAttemptsWithoutProgressAndKeepsWhatItHas) {
  TempFolder folder;
  const std::string body = long_text();
  LocalServer server({.body = body, .drop_after = {500, 0, 0, 0, 0, 0}});
  EXPECT_THAT([&] { download(server.url(), folder / "set.zip", "", kQuick); },
              ThrowsMessage<MachineError>(
                  HasSubstr("500 bytes are kept in " + (folder / "set.zip.part").string())));
  EXPECT_EQ(read_text(folder / "set.zip.part"), body.substr(0, 500));
  EXPECT_EQ(server.ranges().size(), 4u);  // the first one made progress
}

TEST(Download, DoesNotWaitWhereNobodyAnswers) {
  TempFolder folder;
  std::string nobody;
  {
    LocalServer gone({.body = ""});
    nobody = gone.url();
  }
  EXPECT_THAT(
      [&] {
        download(nobody, folder / "set.zip", "",
                 {.attempts = 3, .pause = std::chrono::hours(1), .progress = nullptr});
      },
      ThrowsCode("download-failed"));
  EXPECT_FALSE(std::filesystem::exists(folder / "set.zip.part"));
}

TEST(Download, GivesUpOnAServerThatNeverGetsFurtherAndKnowsNoRanges) {
  TempFolder folder;
  LocalServer server(
      {.body = long_text(), .knows_ranges = false, .drop_after = std::vector<size_t>(50, 20000)});
  EXPECT_THROW(download(server.url(), folder / "set.zip", "", kQuick), MachineError);
}

TEST(Download, DoesNotRepeatARequestThatTheServerRefuses) {
  TempFolder folder;
  LocalServer server({.status = 404});
  EXPECT_THAT([&] { download(server.url(), folder / "set.zip", "", kQuick); },
              ThrowsMessage<MachineError>(HasSubstr("404")));
  EXPECT_EQ(server.ranges().size(), 1u);
}

TEST(Download, RepeatsARequestWhenTheServerIsBusy) {
  TempFolder folder;
  LocalServer server({.status = 503});
  EXPECT_THROW(download(server.url(), folder / "set.zip", "", kQuick), MachineError);
  EXPECT_EQ(server.ranges().size(), 3u);
}

/// A zip archive in memory.
std::string zip_of(const std::string& member, const std::string& text) {
  std::string bytes(1 << 20, '\0');
  size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_zip(writer);
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, member.c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_close(writer);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

TEST(GetSource, UnpacksCheckedMembersIntoTheirPlaces) {
  TempFolder folder;
  const std::string zip = zip_of("enwik8", "<mediawiki>");
  LocalServer server({.body = zip, .drop_after = {zip.size() / 2}});
  write_text(folder / "enwik8/enwik8", "a sample");
  get_source({server.url(), "", {{"enwik8/enwik8", "enwik8", sha256_hex("<mediawiki>")}}},
             folder.path(), kQuick);
  EXPECT_EQ(read_text(folder / "enwik8/enwik8"), "<mediawiki>");
  EXPECT_EQ(read_text(folder / "enwik8/enwik8.old"), "a sample");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "downloads"));
}

TEST(GetSource, PublishesNoMemberWithAWrongHash) {
  TempFolder folder;
  LocalServer server({.body = zip_of("enwik8", "something else")});
  EXPECT_THAT(
      [&] {
        get_source({server.url(), "", {{"enwik8/enwik8", "enwik8", sha256_hex("<mediawiki>")}}},
                   folder.path(), kQuick);
      },
      ThrowsCode("wrong-contents"));
  EXPECT_FALSE(std::filesystem::exists(folder / "enwik8/enwik8"));
}

TEST(GetSource, SaysWhatTheArchiveLacks) {
  TempFolder folder;
  LocalServer server({.body = zip_of("other", "text")});
  EXPECT_THAT(
      [&] {
        get_source({server.url(), "", {{"enwik8/enwik8", "enwik8", ""}}}, folder.path(), kQuick);
      },
      ThrowsMessage<MachineError>(HasSubstr("no member 'enwik8'")));
}

/// A zip that libarchive calls damaged without a reason. tests/fuzz found it.
constexpr unsigned char kDamagedZip[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0xc9, 0x4e, 0x7d, 0x5d,
    0x0a, 0x2f, 0xfb, 0x17, 0x09, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x0e, 0x00,
    0x00, 0x00, 0x64, 0x61, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa4, 0x81,
    0x00, 0x00, 0x00, 0x00, 0x64, 0x61, 0x74, 0x61, 0x2f, 0x74, 0x72, 0x61, 0x69, 0x6e,
    0x2e, 0x74, 0x78, 0x74, 0x50, 0x08, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00,
    0x01, 0x00, 0x3c, 0x00, 0x00, 0x00, 0x35, 0x00, 0x00, 0x00, 0x00, 0x00};

TEST(UnpackSource, SaysThatAnArchiveIsDamaged) {
  const TempFolder folder;
  const std::filesystem::path file = folder / "given.zip";
  write_text(file, std::string(reinterpret_cast<const char*>(kDamagedZip), sizeof kDamagedZip));
  DataSource source;
  source.files = {{.file = "train.txt", .member = "data/train.txt"}};
  EXPECT_THAT([&] { unpack_source(file, source, folder.path()); },
              ThrowsMessage<MachineError>(HasSubstr(file.string())));
}

TEST(GetSource, UnpacksNoMoreThanThereCanBe) {
  TempFolder folder;
  const std::string zeros(64 << 20, '\0'), zip = zip_of("enwik8", zeros);
  ASSERT_LT(zip.size(), 100'000u);
  LocalServer server({.body = zip});
  const auto get = [&](int64_t bytes) {
    get_source({server.url(), "", {{"enwik8/enwik8", "enwik8", "", bytes}}}, folder.path(), kQuick);
  };
  EXPECT_THAT(
      [&] { get(0); },
      ThrowsMessage<MachineError>(HasSubstr("enwik8/enwik8: unpacks to more than 16777216 bytes")));
  EXPECT_THAT([&] { get(1000); }, ThrowsMessage<MachineError>(HasSubstr("more than 1000 bytes")));
  EXPECT_FALSE(std::filesystem::exists(folder / "enwik8"));
  get(64 << 20);
  EXPECT_EQ(std::filesystem::file_size(folder / "enwik8/enwik8"), zeros.size());
}

TEST(GetSource, FetchesNoMoreThanThereCanBe) {
  TempFolder folder;
  LocalServer server({.body = std::string(10'000, 'x')});
  const DataSource source{.url = server.url(),
                          .sha256 = sha256_hex("x"),
                          .files = {{"codah/full_data.tsv", "", sha256_hex("x"), 0}},
                          .bytes = 9'999};
  EXPECT_THAT([&] { get_source(source, folder.path(), kQuick); }, ThrowsCode("wrong-contents"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "downloads"));
}

TEST(GetSource, KnowsTheSizeOfEveryFileThatItChecks) {
  for (const std::string& name : datasets().names()) {
    for (const DataSource& source : datasets().facts(name).sources) {
      EXPECT_TRUE(source.sha256.empty() || source.bytes > 0) << source.url;
    }
  }
}

TEST(GetSource, RejectsInvalidAddresses) {
  TempFolder folder;
  for (const char* url : {"ftp://x/y.zip", "no address at all", "http://"}) {
    EXPECT_THAT([&] { download(url, folder / "set.zip", "", kQuick); }, ThrowsCode("invalid-value"))
        << url;
  }
}

TEST(GetSource, StoresAFileThatIsNotAnArchiveUnchanged) {
  TempFolder folder;
  LocalServer server({.body = "{\"data\": []}"});
  write_text(folder / "squad/dev.json", "a sample");
  const std::string hash = sha256_hex("{\"data\": []}");
  get_source({server.url(), hash, {{"squad/dev.json", "", hash}}}, folder.path(), kQuick);
  EXPECT_EQ(read_text(folder / "squad/dev.json"), "{\"data\": []}");
  EXPECT_EQ(read_text(folder / "squad/dev.json.old"), "a sample");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "downloads"));
}

TEST(DataFiles, KnowsWhichAreReadOnRequestOnly) {
  TempFolder folder;
  write_text(folder / "glue/MNLI/train.tsv", "index");
  const auto files = data_file_status("glue/mnli", folder.path());
  ASSERT_EQ(files.size(), 6u);
  EXPECT_EQ(files[0].state, FileState::unpinned);
  EXPECT_EQ(files[2].file, "glue/MNLI/dev_mismatched.tsv");
  EXPECT_FALSE(files[2].on_request);
  for (size_t i = 3; i < 6; ++i) EXPECT_TRUE(files[i].on_request) << files[i].file;
}

TEST(DataFiles, TellsWholeFromSampleFromMissing) {
  TempFolder folder;
  write_text(folder / "wikitext-103/wiki.train.tokens", "some text");
  write_text(folder / "wikitext-103/wiki.valid.tokens", "a sample");
  const auto files = data_file_status("wikitext_103", folder.path());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].state, FileState::unpinned);
  EXPECT_EQ(files[1].state, FileState::other);
  EXPECT_EQ(files[2].state, FileState::missing);
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:a\nsize 9\n";
  for (const char* name : {"wiki.train.tokens", "wiki.valid.tokens"})
    write_text(folder.path() / "wikitext-103" / name, pointer);
  const auto pointers = data_file_status("wikitext_103", folder.path());
  EXPECT_EQ(pointers[0].state, FileState::pointer);
  EXPECT_EQ(pointers[1].state, FileState::pointer);
}

}  // namespace
}  // namespace rethink
