// The options of the sample jobs and plug-ins (sample_schema.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "core/json.h"
#include "tests/unit/plan/sample_models.h"

namespace rethink::sample {

struct NoOptions {
  void fields(Fields&) {}
};

struct ProtocolOptions {
  std::string protocol = "lines";
  void fields(Fields& field) { field("protocol", protocol, "lines or stream"); }
};

struct TestSetOptions {
  bool test = false;
  void fields(Fields& field) { field("test", test, "read the test split too"); }
};

struct FewOptions {
  int64_t train_examples = 0;
  void fields(Fields& field) { field("train_examples", train_examples, "0: all").min(0); }
};

struct FilesOptions {
  std::string path;
  std::vector<std::string> more;
  void fields(Fields& field) {
    field("path", path, "text file").required().not_hashed();
    field("more", more, "text files").not_hashed();
  }
};

struct OptimizerOptions {
  std::string name = "adam";
  double lr = 1e-4;
  void fields(Fields& field) {
    field("name", name, "update rule").one_of({"adam", "adamw"});
    field("lr", lr, "learning rate").above(0);
  }
};

struct TrainOptions {
  Choice<"dataset", "dataset"> data{.name = "toy"};
  ModelOptions model;
  OptimizerOptions optimizer;
  std::optional<int64_t> steps, epochs;
  int64_t batch = 8;
  std::vector<int64_t> sizes;
  std::vector<std::string> splits = {"dev"};
  bool shuffle = true;
  std::string note;
  void fields(Fields& field) {
    field("data", data, "what to learn");
    field("model", model, "model");
    field("optimizer", optimizer, "optimizer");
    field("steps", steps, "updates").min(1);
    field("epochs", epochs, "passes over the data").min(1);
    field("batch", batch, "examples a step").min(1);
    field("sizes", sizes, "a list of numbers");
    field("splits", splits, "what is measured")
        .not_empty()
        .any_order()
        .absent_means(Json::array({"dev"}));
    field("shuffle", shuffle, "order of examples");
    field("note", note, "not part of what a trial is").not_hashed();
  }
  static std::vector<Rule> rules() {
    return {at_most_one_of({"steps", "epochs"},
                           "'steps' beside 'epochs': give one of them, or null for the other")};
  }
};

struct SelectLabel {
  std::string axis, value;
  void fields(Fields& field) {
    field("axis", axis, "axis").required();
    field("value", value, "value").required();
  }
};

struct SelectGroup {
  std::vector<SelectLabel> labels;
  std::vector<std::string> trials;
  void fields(Fields& field) {
    field("labels", labels, "the point").not_hashed();
    field("trials", trials, "ids").required();
  }
};

struct SelectOptions {
  std::vector<std::string> over;
  std::string by, direction = "max";
  std::vector<SelectGroup> groups;
  void fields(Fields& field) {
    field("over", over, "axes to choose on").not_hashed();
    field("by", by, "metric").required();
    field("direction", direction, "which wins").one_of({"max", "min"});
    field("groups", groups, "written by plan");
  }
};

}  // namespace rethink::sample
