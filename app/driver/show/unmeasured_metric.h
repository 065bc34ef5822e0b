// Metrics that a question names before any trial has measured them.
#pragma once

#include "app/driver/command.h"
#include "results/query/named_metric.h"
#include "results/store/store.h"

namespace rethink {

/// Throws ConfigError "no trial has measured dev/score yet: trial ID will ..." where a trial that has
/// yet to end will measure a metric of this name, else `unknown` itself.
[[noreturn]] void explain_unknown_name(const CommandContext& context, Store& store,
                                       const UnknownName& unknown);

}  // namespace rethink
