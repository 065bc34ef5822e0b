#include "models/attention/growing_state.h"

#include <ATen/ATen.h>

namespace rethink {

int64_t GrowingState::tokens() const {
  return kept_.empty() ? 0 : kept_.begin()->second.size(2);
}

void GrowingState::reorder(const at::Tensor& beams) {
  for (auto& [name, tensor] : kept_) tensor = tensor.index_select(0, beams);
}

void GrowingState::detach() {
  for (auto& [name, tensor] : kept_) tensor = tensor.detach();
}

void GrowingState::visit(
    const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) {
  for (auto& [name, tensor] : kept_) visitor(name, tensor);
}

const at::Tensor& GrowingState::extended(const std::string& name, const at::Tensor& more) {
  at::Tensor& all = kept_[name];
  all = all.defined() ? at::cat({all, more}, 2) : more;
  return all;
}

std::unique_ptr<AttentionState> CachedAttention::new_state(StateUse use) const {
  return use == StateUse::decoding ? std::make_unique<GrowingState>() : nullptr;
}

KeysAndValues CachedAttention::keys_and_values(const AttentionCall& call) const {
  auto* state = static_cast<GrowingState*>(call.state);
  if (state == nullptr) return new_keys_and_values(call.key_input);
  const bool is_known = site_.place == AttentionPlace::decoder_cross && !state->is_empty();
  if (is_known) return {state->kept("key"), state->kept("value")};
  const KeysAndValues more = new_keys_and_values(call.key_input);
  return {state->extended("key", more.key), state->extended("value", more.value)};
}

KeysAndValues CachedAttention::new_keys_and_values(const at::Tensor& key_input) const {
  return {heads_of("key", key_input), heads_of("value", key_input)};
}

}  // namespace rethink
