#include "experiments/train/analyses/connections.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"
#include "experiments/train/analyses/marked_sentence.h"

namespace rethink {
namespace {

/// Of float32: a token that attends to all alike is connected with none.
constexpr double kRounding = 1e-5;

/// Of two tokens that are connected.
Connection kind_of(int64_t query, int64_t key) {
  if (query == kNoEntity || key == kNoEntity) return Connection::other;
  return query == key ? Connection::self : Connection::cross;
}

/// u8 [T,T]: what each pair of tokens would be connected as.
at::Tensor kinds_of_pairs(const std::vector<int64_t>& entities, bool diagonal) {
  const auto tokens = static_cast<int64_t>(entities.size());
  at::Tensor kinds_TT = at::zeros({tokens, tokens}, at::kByte);
  auto* kind = kinds_TT.mutable_data_ptr<uint8_t>();
  for (size_t query = 0; query < entities.size(); ++query) {
    for (size_t key = 0; key < entities.size(); ++key, ++kind) {
      const bool is_special = entities[query] == kSpecialToken || entities[key] == kSpecialToken;
      if (is_special || (query == key && !diagonal)) continue;
      *kind = static_cast<uint8_t>(kind_of(entities[query], entities[key]));
    }
  }
  return kinds_TT;
}

}  // namespace

at::Tensor head_means(const Recorder& record, int64_t layers, int64_t width) {
  std::vector<at::Tensor> means;
  int64_t channels = 0;  // of the layer so far
  for (size_t i = 0; i < record.maps.size(); ++i) {
    const at::Tensor map_HTT = record.maps[i].squeeze(0).to(at::kFloat);
    const int64_t per_head = record.values[i].size(3);
    const double share = static_cast<double>(per_head) / static_cast<double>(width);
    const at::Tensor part_TT = map_HTT.sum(0) * share;
    if (channels == 0) {
      means.push_back(part_TT);
    } else {
      means.back() = means.back() + part_TT;
    }
    channels += map_HTT.size(0) * per_head;
    if (channels == width) channels = 0;
    if (channels > width) break;
  }
  if (channels != 0 || static_cast<int64_t>(means.size()) != layers)
    throw TrialError(fmt::format(
        "its attention leaves maps of heads that do not make up {} layers of {} channels", layers,
        width));
  return at::stack(means).to(at::kCPU).contiguous();
}

at::Tensor connections(const at::Tensor& weights, const std::vector<int64_t>& entities,
                       const ConnectionOptions& options) {
  const double least = options.threshold * (1 + kRounding) / static_cast<double>(entities.size());
  const at::Tensor kinds_TT = kinds_of_pairs(entities, options.diagonal);
  return weights.gt(least).to(at::kByte).mul(kinds_TT).contiguous();
}

std::map<Connection, int64_t> count_connections(const at::Tensor& layer) {
  std::map<Connection, int64_t> counts;
  for (const Connection kind : {Connection::other, Connection::self, Connection::cross})
    counts[kind] = layer.eq(static_cast<int64_t>(kind)).sum().item<int64_t>();
  return counts;
}

}  // namespace rethink
