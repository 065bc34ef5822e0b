#include "experiments/run/board.h"

#include <algorithm>

#include "core/error.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {

bool is_charged(AttemptOutcome outcome, bool new_checkpoint, bool free) {
  return !free && (!new_checkpoint || outcome == AttemptOutcome::timeout);
}

void Charges::take(AttemptOutcome outcome, bool new_checkpoint, bool charged) {
  if (new_checkpoint) {
    std::erase_if(times_, [](const auto& of) { return of.first != AttemptOutcome::timeout; });
  }
  if (charged) times_[outcome]++;
}

int Charges::of(AttemptOutcome outcome) const {
  const auto found = times_.find(outcome);
  return found == times_.end() ? 0 : found->second;
}

int retries_allowed(const std::map<std::string, int>& retry, AttemptOutcome outcome) {
  const std::string name = to_text(outcome);
  if (const auto given = retry.find(name); given != retry.end()) return given->second;
  const auto standard = usual_retries().find(name);
  return standard == usual_retries().end() ? 0 : standard->second;
}

void Board::add(BoardTrial trial, TrialState before) {
  const auto [place, added] = index_.try_emplace(trial.id, entries_.size());
  if (!added) return;
  Entry entry;
  entry.trial = std::move(trial);
  // Blocked follows from the needs alone, so it is worked out again.
  entry.state = folder_says(before) ? before : TrialState::waiting;
  counts_[static_cast<size_t>(entry.state)]++;
  entries_.push_back(std::move(entry));
}

void Board::settle() {
  for (size_t child = 0; child < entries_.size(); ++child) {
    for (const std::string& need : entries_[child].trial.needs) {
      const auto parent = index_.find(need);
      if (parent == index_.end()) continue;
      entries_[parent->second].children.push_back(child);
      if (!is_met(entries_[parent->second], entries_[child])) entries_[child].needs_open++;
    }
  }
  for (size_t index = 0; index < entries_.size(); ++index) {
    if (entries_[index].state == TrialState::waiting && entries_[index].needs_open == 0)
      set(index, TrialState::ready);
  }
  for (size_t index = 0; index < entries_.size(); ++index) {
    const TrialState state = entries_[index].state;
    if (folder_says(state)) block_children(index);
  }
}

std::optional<std::string> Board::next(const Skip& skip) const {
  if (draining_) return std::nullopt;
  for (const Place& place : ready_) {
    const std::string& id = entries_[place.index].trial.id;
    if (!skip || !skip(id)) return id;
  }
  return std::nullopt;
}

void Board::start(const std::string& id) {
  const size_t index = index_of(id);
  RETHINK_ASSERT(!is_final(entries_[index].state) && entries_[index].state != TrialState::running,
                 id + " is " + to_text(entries_[index].state));
  set(index, TrialState::running);
}

bool Board::may_retry(Entry& entry, const Ended& ended) {
  if (ended.outcome == AttemptOutcome::fenced) return true;  // it left nothing of its own
  const bool free = ended.free || ended.outcome == AttemptOutcome::interrupted;
  entry.charged.take(ended.outcome, ended.new_checkpoint,
                     is_charged(ended.outcome, ended.new_checkpoint, free));
  if (free) return true;
  // With no retry allowed a checkpoint does not buy one.
  const int allowed = retries_allowed(entry.trial.retry, ended.outcome);
  return allowed > 0 && entry.charged.of(ended.outcome) <= allowed;
}

TrialState Board::end(const std::string& id, const Ended& ended) {
  const size_t index = index_of(id);
  Entry& entry = entries_[index];
  RETHINK_ASSERT(entry.state == TrialState::running, id + " is " + to_text(entry.state));
  if (ended.outcome == AttemptOutcome::done) {
    set(index, TrialState::done);
    release_children(index);
  } else if (ended.outcome == AttemptOutcome::diverged) {
    set(index, TrialState::diverged);
    release_children(index);
    block_children(index);
  } else if (entry.cancel_wanted) {
    set(index, TrialState::cancelled);
    block_children(index);
  } else if (may_retry(entry, ended)) {
    requeue(index);
  } else {
    set(index, TrialState::failed);
    block_children(index);
  }
  return entry.state;
}

void Board::charge(const std::string& id, const Charges& before) {
  entries_[index_of(id)].charged = before;
}

void Board::cancel(const std::string& id) {
  const size_t index = index_of(id);
  Entry& entry = entries_[index];
  if (folder_says(entry.state)) return;
  entry.cancel_wanted = true;
  if (entry.state == TrialState::running) return;
  set(index, TrialState::cancelled);
  block_children(index);
}

void Board::retry(const std::string& id) {
  const size_t index = index_of(id);
  Entry& entry = entries_[index];
  entry.cancel_wanted = false;
  if (!is_final(entry.state) || entry.state == TrialState::done) return;
  entry.charged = {};
  for (const size_t child : entry.children) {
    if (!is_met(entry, entries_[child])) continue;
    entries_[child].needs_open++;
    if (entries_[child].state == TrialState::ready) set(child, TrialState::waiting);
  }
  requeue(index);
  if (entry.state == TrialState::blocked) return;
  // Children wait again once no other need of theirs is lost.
  for (const size_t child : entry.children) {
    if (entries_[child].state == TrialState::blocked) retry(entries_[child].trial.id);
  }
}

std::vector<std::string> Board::in(TrialState state) const {
  std::vector<std::string> ids;
  for (const Entry& entry : entries_) {
    if (entry.state == state) ids.push_back(entry.trial.id);
  }
  return ids;
}

bool Board::finished() const {
  return count(TrialState::running) == 0 && (draining_ || ready_.empty());
}

std::vector<std::string> Board::take_changed() {
  std::vector<std::string> ids;
  for (const size_t index : changed_) ids.push_back(entries_[index].trial.id);
  changed_.clear();
  return ids;
}

size_t Board::index_of(const std::string& id) const {
  const auto place = index_.find(id);
  RETHINK_ASSERT(place != index_.end(), "no trial " + id);
  return place->second;
}

const Board::Entry& Board::entry(const std::string& id) const {
  return entries_[index_of(id)];
}

void Board::set(size_t index, TrialState state) {
  Entry& entry = entries_[index];
  if (entry.state == state) return;
  const Place place{entry.trial.expected_s, index};
  if (entry.state == TrialState::ready) ready_.erase(place);
  counts_[static_cast<size_t>(entry.state)]--;
  entry.state = state;
  counts_[static_cast<size_t>(state)]++;
  if (state == TrialState::ready) ready_.insert(place);
  changed_.insert(index);
}

void Board::requeue(size_t index) {
  Entry& entry = entries_[index];
  bool lost_need = false;
  for (const std::string& need : entry.trial.needs) {
    const auto parent = index_.find(need);
    if (parent == index_.end()) continue;
    lost_need = lost_need || is_lost(entries_[parent->second], entry);
  }
  set(index, lost_need               ? TrialState::blocked
             : entry.needs_open == 0 ? TrialState::ready
                                     : TrialState::waiting);
}

NeedState Board::need_of(const Entry& child, const Entry& parent) {
  return need_state(parent.state, child.trial.may_diverge.count(parent.trial.id) > 0);
}

bool Board::is_met(const Entry& parent, const Entry& child) {
  return need_of(child, parent) == NeedState::met;
}

bool Board::is_lost(const Entry& parent, const Entry& child) {
  return need_of(child, parent) == NeedState::lost;
}

void Board::release_children(size_t index) {
  for (const size_t child : entries_[index].children) {
    Entry& entry = entries_[child];
    if (is_met(entries_[index], entry) && --entry.needs_open == 0 &&
        entry.state == TrialState::waiting) {
      set(child, TrialState::ready);
    }
  }
}

void Board::block_children(size_t index) {
  for (const size_t child : entries_[index].children) {
    const Entry& entry = entries_[child];
    if (is_final(entry.state) || entry.state == TrialState::running ||
        !is_lost(entries_[index], entry))
      continue;
    set(child, TrialState::blocked);
    block_children(child);
  }
}

}  // namespace rethink
