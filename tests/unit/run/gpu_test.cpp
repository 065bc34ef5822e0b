#include "experiments/run/gpu.h"

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
      {"0,0", {}, "index 0 is given twice, which hides all"},
      {"0,1,00", {}, "index 0 is given twice"},
      {"99999999999999999999999", {}, "is no index"},
      {"GPU-bb2,GPU-aa", {b, a}, ""},
      {"GPU-bb", {}, "'GPU-bb' begins several UUIDs"},
      {"GPU-aa1,GPU-bb", {a}, "'GPU-bb' begins several UUIDs"},
      {"GPU-cc,GPU-aa1", {}, "'GPU-cc' begins no UUID here"},
      {"GPU-aa1,GPU-aa1", {}, "'GPU-aa1' is given twice, which hides all"},
      {"GPU-aa,GPU-aa1", {}, "'GPU-aa1' names a GPU again, which hides all"},
      {"GPU-aa1,1", {a}, "'1' begins no UUID here"},
      {"GPU-aa1, GPU-bb2", {a}, "' GPU-bb2' begins no UUID here"},
      {"0,GPU-bb2", {a}, "'GPU-bb2' is no index"},
      {"gpu-aa1", {}, "'gpu-aa1' is no index"},
      {"MIG-0f", {}, "'MIG-0f' is a MIG device, and the driver lists none"}};
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

/// A part that cannot be parsed is ignored, and the note suggests what was probably meant.
TEST(Gpu, AMisspellingIsReportedWithASuggestion) {
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

TEST(Gpu, AMigDeviceIsNamedByItsUuidOrItsInstances) {
  std::vector<Gpu> all = three_gpus();
  all[1].has_mig = true;
  const std::string parent = "GPU-bb2", first = "MIG-0f", second = "MIG-1e";
  all.insert(all.begin() + 2, {{.uuid = first,
                                .name = "H100 MIG 1g.10gb",
                                .parent = parent,
                                .older_name = "MIG-GPU-bb2/1/0"},
                               {.uuid = second,
                                .name = "H100 MIG 1g.10gb",
                                .parent = parent,
                                .older_name = "MIG-GPU-bb2/11/0"}});
  const VisibleCase cases[] = {
      {"MIG-0f", {first}, ""},
      {"MIG-1e,MIG-0f", {second, first}, ""},
      {"MIG-GPU-bb2/1/0", {first}, ""},
      {"MIG-GPU-bb2/11/0", {second}, ""},
      {"MIG-GPU-bb2/1/0,MIG-0f", {}, "'MIG-0f' names a GPU again, which hides all"},
      {"MIG-GPU-bb2/1", {}, "'MIG-GPU-bb2/1' begins no UUID here"},
      {"MIG-", {}, "'MIG-' begins several UUIDs"},
      {"MIG-0f,GPU-aa1", {first}, "'GPU-aa1' begins no UUID here"},
      {"MIG-77", {}, "'MIG-77' begins no UUID here"},
      {"GPU-bb2", {first}, ""},
      {"1", {first}, ""},
      {"2,1,0", {"GPU-bb3", first, "GPU-aa1"}, ""},
      {"3", {}, "there is no GPU 3"}};
  for (const VisibleCase& one : cases) {
    const VisibleGpus visible = visible_gpus(all, one.visible);
    EXPECT_EQ(uuids_of(visible), one.shown) << one.visible;
    EXPECT_THAT(visible.hidden, testing::HasSubstr(one.hidden)) << one.visible;
    EXPECT_EQ(visible.hidden.empty(), std::string(one.hidden).empty()) << one.visible;
  }
}

TEST(Gpu, WithMigOnAndNoMigDeviceNothingIsShown) {
  std::vector<Gpu> all = three_gpus();
  all[0].has_mig = true;
  for (const char* visible : {"0", "GPU-aa1", "MIG-0f"}) {
    const VisibleGpus shown = visible_gpus(all, visible);
    EXPECT_TRUE(shown.gpus.empty()) << visible;
    EXPECT_THAT(shown.hidden,
                testing::HasSubstr("MIG is on for H100 GPU-aa1, of which no MIG device is listed"));
  }
  EXPECT_THAT(uuids_of(visible_gpus(all, "0,1")), testing::ElementsAre("GPU-bb2"));
}

/// The fastest is first by a rule that only CUDA knows.
TEST(Gpu, AnIndexIsAmbiguousAmongDifferentGpusUnlessInPciOrder) {
  std::vector<Gpu> mixed = three_gpus();
  mixed[2].name = "T4";
  EXPECT_THAT(uuids_of(visible_gpus(mixed, "0", "PCI_BUS_ID")), testing::ElementsAre("GPU-aa1"));
  for (const char* order : {"", "FASTEST_FIRST"}) {
    EXPECT_THAT(uuids_of(visible_gpus(three_gpus(), "0", order)), testing::ElementsAre("GPU-aa1"));
    const VisibleGpus visible = visible_gpus(mixed, "0", order);
    EXPECT_TRUE(visible.gpus.empty());
    EXPECT_THAT(visible.hidden, testing::HasSubstr("set CUDA_DEVICE_ORDER=PCI_BUS_ID"));
    for (const char* all : {"0,1,2", "2,0,1"}) {
      const VisibleGpus shown = visible_gpus(mixed, all, order);
      EXPECT_EQ(shown.gpus.size(), 3u);
      EXPECT_EQ(shown.hidden, "");
    }
    EXPECT_EQ(visible_gpus(mixed, "0,1,2,7", order).gpus.size(), 3u);
    EXPECT_THAT(visible_gpus(mixed, "0,1,7", order).hidden, testing::HasSubstr("the GPUs differ"));
    EXPECT_THAT(visible_gpus(mixed, "7", order).hidden, testing::HasSubstr("there is no GPU 7"));
    EXPECT_THAT(uuids_of(visible_gpus(mixed, "GPU-bb3", order)), testing::ElementsAre("GPU-bb3"));
  }
}

}  // namespace
}  // namespace rethink
