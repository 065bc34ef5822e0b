#include "experiments/schedule/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

struct VisibleCase {
  const char* visible;
  std::vector<std::string> shown;
  const char* hidden;  // a part of what is said
};

const std::vector<Gpu>& three_gpus() {
  static const std::vector<Gpu> gpus = {{.uuid = "GPU-aa1", .name = "H100"},
                                        {.uuid = "GPU-bb2", .name = "H100"},
                                        {.uuid = "GPU-bb3", .name = "H100"}};
  return gpus;
}

std::vector<std::string> uuids_of(const VisibleGpus& visible) {
  std::vector<std::string> uuids;
  for (const Gpu& gpu : visible.gpus) uuids.push_back(gpu.uuid);
  return uuids;
}

/// The rows of gpu.h, and their neighbours.
TEST(Gpu, IsVisibleAsInCuda) {
  const std::string a = "GPU-aa1", b = "GPU-bb2", c = "GPU-bb3";
  const VisibleCase cases[] = {
      {"", {}, "it is empty"},
      {"0", {a}, ""},
      {"2,1", {c, b}, ""},
      {"0, 1", {a, b}, ""},
      {" 1", {b}, ""},
      {"1gpu,2x", {b, c}, ""},
      {"+1", {b}, ""},
      {"0,7,1", {a}, "there is no GPU 7, and what follows it is hidden"},
      {"0,2,-1,1", {a, c}, "'-1' is no index"},
      {"-1", {}, "'-1' is no index"},
      {"none", {}, "'none' is no index"},
      {"0,,1", {a}, "'' is no index"},
      {"0,0", {}, "index 0 stands twice, which hides all"},
      {"0,1,00", {}, "index 0 stands twice"},
      {"99999999999999999999999", {}, "is no index"},
      {"GPU-bb2,GPU-aa", {b, a}, ""},
      {"GPU-bb", {}, "'GPU-bb' begins several UUIDs"},
      {"GPU-aa1,GPU-bb", {a}, "'GPU-bb' begins several UUIDs"},
      {"GPU-cc,GPU-aa1", {}, "'GPU-cc' begins no UUID here"},
      {"GPU-aa1,GPU-aa1", {}, "'GPU-aa1' stands twice, which hides all"},
      {"GPU-aa,GPU-aa1", {}, "'GPU-aa1' names a GPU again, which hides all"},
      {"GPU-aa1,1", {a}, "'1' begins no UUID here"},
      {"GPU-aa1, GPU-bb2", {a}, "' GPU-bb2' begins no UUID here"},
      {"0,GPU-bb2", {a}, "'GPU-bb2' is no index"},
      {"gpu-aa1", {}, "'gpu-aa1' is no index"},
      {"MIG-0f", {}, "'MIG-0f' begins no UUID here"}};
  for (const VisibleCase& one : cases) {
    const VisibleGpus visible = visible_gpus(three_gpus(), one.visible);
    EXPECT_EQ(uuids_of(visible), one.shown) << one.visible;
    EXPECT_THAT(visible.hidden, testing::HasSubstr(one.hidden)) << one.visible;
    EXPECT_EQ(visible.hidden.empty(), std::string(one.hidden).empty()) << one.visible;
  }
}

struct SlipCase {
  const char* visible;
  std::vector<std::string> shown;
  const char *unread, *meant;
};

/// What is not read stays unread, and is said with what was probably meant.
TEST(Gpu, ASlipIsSaidWithWhatWasMeant) {
  const std::string a = "GPU-aa1", b = "GPU-bb2", c = "GPU-bb3";
  const SlipCase cases[] = {
      {"0 1", {a}, "of '0 1' only 0 is read", "did you mean 0,1?"},
      {"0;1", {a}, "of '0;1' only 0 is read", "did you mean 0,1?"},
      {"0,1 2", {a, b}, "of '1 2' only 1 is read", "did you mean 0,1,2?"},
      {"0 1,1 2", {a, b}, "of '0 1' only 0 is read", ""},  // 0,1,1,2 would show none
      {"0-2", {a}, "of '0-2' only 0 is read", "did you mean 0,1,2?"},
      {"1gpu", {b}, "of '1gpu' only 1 is read", ""},
      {"1]", {b}, "of '1]' only 1 is read", "did you mean 1?"},
      {"0 7", {a}, "of '0 7' only 0 is read", "did you mean 0,7?"},
      {"\"0\"", {}, "", "did you mean 0?"},
      {"'0,1'", {}, "", "did you mean 0,1?"},
      {"[0, 1]", {}, "", "did you mean 0,1?"},
      {"0,,1", {a}, "", "did you mean 0,1?"},
      {"cuda:1", {}, "", "did you mean 1?"},
      {"gpu0,gpu1", {}, "", "did you mean 0,1?"},
      {"GPU-aa1 GPU-bb2", {}, "", "did you mean GPU-aa1,GPU-bb2?"},
      {"GPU-aa1;GPU-bb2", {}, "", "did you mean GPU-aa1,GPU-bb2?"},
      {"GPU-aa1, GPU-bb2", {a}, "", "did you mean GPU-aa1,GPU-bb2?"},
      {"'GPU-aa1'", {}, "", "did you mean GPU-aa1?"},
      {"gpu-aa1", {}, "", "did you mean GPU-aa1?"},
      {"all", {}, "", "unset it for all GPUs"},
      {"\"ALL\"", {}, "", "unset it for all GPUs"},
      {"none", {}, "", "write -1 if no GPU is meant"},
      {"void", {}, "", "write -1 if no GPU is meant"},
      {"NoDevFiles", {}, "", "write -1 if no GPU is meant"},
      {"", {}, "", ""},
      {"-1", {}, "", ""},
      {"0,-1,1", {a}, "", ""},
      {"0,7", {a}, "", ""},
      {"0,0", {}, "", ""},
      {"0,GPU-bb2", {a}, "", ""},
      {"0, 1", {a, b}, "", ""},
      {" 1 \t", {b}, "", ""},
      {"2,1", {c, b}, "", ""}};
  for (const SlipCase& one : cases) {
    const VisibleGpus visible = visible_gpus(three_gpus(), one.visible);
    EXPECT_EQ(uuids_of(visible), one.shown) << one.visible;
    EXPECT_EQ(visible.unread, one.unread) << one.visible;
    EXPECT_EQ(visible.meant, one.meant) << one.visible;
  }
}

TEST(Gpu, AMigDeviceIsNamedByItsUuid) {
  std::vector<Gpu> all = three_gpus();
  all.push_back({.uuid = "MIG-0f", .name = "H100 MIG 1g.10gb"});
  EXPECT_THAT(uuids_of(visible_gpus(all, "MIG-0f")), testing::ElementsAre("MIG-0f"));
  EXPECT_THAT(uuids_of(visible_gpus(all, "MIG-0f,GPU-aa1")), testing::ElementsAre("MIG-0f"));
}

/// The fastest is first by a rule that only CUDA knows.
TEST(Gpu, AnIndexMeansNothingAmongDifferentGpusUnlessTheOrderIsThatOfThePciBus) {
  std::vector<Gpu> mixed = three_gpus();
  mixed[2].name = "T4";
  EXPECT_THAT(uuids_of(visible_gpus(mixed, "0", "PCI_BUS_ID")), testing::ElementsAre("GPU-aa1"));
  for (const char* order : {"", "FASTEST_FIRST"}) {
    EXPECT_THAT(uuids_of(visible_gpus(three_gpus(), "0", order)), testing::ElementsAre("GPU-aa1"));
    const VisibleGpus visible = visible_gpus(mixed, "0", order);
    EXPECT_TRUE(visible.gpus.empty());
    EXPECT_THAT(visible.hidden, testing::HasSubstr("set CUDA_DEVICE_ORDER=PCI_BUS_ID"));
    EXPECT_THAT(uuids_of(visible_gpus(mixed, "GPU-bb3", order)), testing::ElementsAre("GPU-bb3"));
  }
}

}  // namespace
}  // namespace rethink
