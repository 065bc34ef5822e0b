#include "core/store_files/attempt_end.h"

#include "core/files/file.h"
#include "core/format/json_shape.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

const JsonShape& end_shape() {
  static const JsonShape kEnd = object_with({{"outcome", one_of_texts(attempt_outcome_names())},
                                             {"message", any_text()},
                                             {"status", any_integer(), false},
                                             {"seconds", any_number()},
                                             {"new_checkpoint", true_or_false()},
                                             {"charged", true_or_false()},
                                             {"forgiven", true_or_false()},
                                             {"trial", any_text(), false},
                                             {"attempt", integer_from(1), false}});
  return kEnd;
}

}  // namespace

Json AttemptEnd::facts() const {
  if (is_damaged) return Json::object();
  Json json{{"seconds", seconds},
            {"new_checkpoint", new_checkpoint},
            {"charged", charged},
            {"forgiven", forgiven}};
  if (status) json["status"] = *status;
  return json;
}

void write_attempt_end(const std::filesystem::path& attempt_folder, const AttemptEnd& end) {
  Json json = end.facts();
  json["outcome"] = to_text(end.outcome);
  json["message"] = end.message;
  json["trial"] = attempt_folder.parent_path().filename().string();
  json["attempt"] = number_in_name(attempt_folder.filename().native(), kAttemptPrefix).value();
  write_file_durably(attempt_folder / kEndFile, stored_text(json));
}

std::optional<AttemptEnd> read_attempt_end(const std::filesystem::path& attempt_folder) {
  if (!std::filesystem::exists(attempt_folder / kEndFile)) return std::nullopt;
  const StoredJson stored = stored_attempt_end(attempt_folder);
  if (!stored.is_sound())
    return AttemptEnd{.message = "its end.json is damaged", .is_damaged = true};
  const Json& json = stored.object;
  AttemptEnd end;
  end.outcome = attempt_outcome_named(json.at("outcome"));
  end.message = json.at("message");
  if (json.contains("status")) end.status = json.at("status").get<int>();
  end.seconds = json.at("seconds");
  end.new_checkpoint = json.at("new_checkpoint");
  end.charged = json.at("charged");
  end.forgiven = json.at("forgiven");
  return end;
}

StoredJson stored_attempt_end(const std::filesystem::path& attempt_folder) {
  StoredJson end = read_stored_json(attempt_folder / kEndFile, end_shape());
  if (end.is_sound()) end.damage = not_of_this_attempt(end.object, attempt_folder);
  return end;
}

}  // namespace rethink
