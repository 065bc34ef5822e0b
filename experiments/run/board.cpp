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

int retries_allowed(const std::map<AttemptOutcome, int>& retry, AttemptOutcome outcome) {
  if (const auto given = retry.find(outcome); given != retry.end()) return given->second;
  const auto standard = usual_retries().find(outcome);
  return standard == usual_retries().end() ? 0 : standard->second;
}

void Board::add(const PlannedTrial& trial, TrialState before, const TrialOutlook& outlook) {
  const auto [place, added] = index_.try_emplace(trial.trial.id, entries_.size());
  if (!added) return;
  if (!outlook.winners.empty()) winners_[entries_.size()] = outlook.winners;
  Entry entry{.trial = &trial,
              .resources = outlook.resources_of(trial),
              .expected_s = outlook.expected_s,
              .makes_checkpoints = outlook.makes_checkpoints,
              .queue = outlook.queue,
              .rank = outlook.rank,
              .turn = outlook.turn,
              .at_stop = outlook.held};
  // Blocked follows from the needs alone, so it is computed again.
  if (is_recorded_in_folder(before)) entry.facts.recorded = before;
  entry.state = entry.facts.recorded.value_or(TrialState::waiting);
  counts_[static_cast<size_t>(entry.state)]++;
  entries_.push_back(std::move(entry));
}

void Board::connect() {
  for (size_t child = connected_; child < entries_.size(); ++child) {
    const Trial& trial = entries_[child].trial->trial;
    std::map<std::string_view, bool> needs;  // id: whether the need only has to end
    for (const auto& [slot, ids] : trial.needs) {
      for (const std::string& id : ids) needs[id] |= trial.may_diverge.contains(slot);
    }
    const auto winners = winners_.find(child);
    if (winners != winners_.end()) {
      for (const std::string& id : winners->second) needs.try_emplace(id, false);
    }
    for (const auto& [need, may_diverge] : needs) connect(child, need, may_diverge);
  }
  winners_.clear();
  for (size_t index = connected_; index < entries_.size(); ++index) update(index);
  connected_ = entries_.size();
}

void Board::connect(size_t child, std::string_view need, bool may_diverge) {
  const auto parent = index_.find(need);
  if (parent == index_.end()) return;
  entries_[parent->second].children.push_back({child, may_diverge});
  if (entries_[parent->second].is_held()) hold(child, entries_[child].at_stop, 1);
  count_need({child, may_diverge}, entries_[parent->second].state, 1);
}

std::optional<size_t> Board::next(const std::set<size_t>& full, const Allows& allows) const {
  if (draining_) return std::nullopt;
  std::optional<Place> first;
  const auto is_before = [&](const Place& a, const Place& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    const size_t started_a = last_start_of(entries_[a.index]);
    const size_t started_b = last_start_of(entries_[b.index]);
    return started_a == started_b ? a < b : started_a < started_b;
  };
  for (const auto& [key, places] : ready_) {
    if (full.contains(key.first)) continue;
    const auto place = std::ranges::find_if(
        places, [&](const Place& one) { return !allows || allows(one.index); });
    if (place != places.end() && (!first || is_before(*place, *first))) first = *place;
  }
  return first ? std::optional(first->index) : std::nullopt;
}

void Board::mark_running(size_t index) {
  const Entry& entry = entries_.at(index);
  RETHINK_ASSERT(!is_final(entry.state) && entry.state != TrialState::running, text_of(entry));
  last_starts_[entry.turn] = ++starts_;
  set_recorded(index, TrialState::running);
}

bool Board::may_retry(Entry& entry, const Ended& ended) {
  if (ended.outcome == AttemptOutcome::fenced) return true;  // this attempt left nothing
  const bool free = ended.free || ended.outcome == AttemptOutcome::interrupted;
  entry.charged.take(ended.outcome, ended.new_checkpoint,
                     is_charged(ended.outcome, ended.new_checkpoint, free));
  if (free) return true;
  // If no retry is allowed, a checkpoint does not add one.
  const int allowed = retries_allowed(entry.resources->retry, ended.outcome);
  return allowed > 0 && entry.charged.of(ended.outcome) <= allowed;
}

TrialState Board::end(size_t index, const Ended& ended) {
  Entry& entry = entries_.at(index);
  RETHINK_ASSERT(entry.state == TrialState::running, text_of(entry));
  if (ended.outcome == AttemptOutcome::done) {
    set_recorded(index, TrialState::done);
  } else if (ended.outcome == AttemptOutcome::diverged) {
    set_recorded(index, TrialState::diverged);
  } else if (entry.facts.given_up) {
    set_recorded(index, TrialState::cancelled);
  } else if (may_retry(entry, ended)) {
    if (ended.held) hold(index, true, 0);
    set_recorded(index, std::nullopt);
  } else {
    set_recorded(index, TrialState::failed);
  }
  return entry.state;
}

void Board::charge(size_t index, const Charges& before) {
  entries_.at(index).charged = before;
}

void Board::cancel(size_t index) {
  Entry& entry = entries_.at(index);
  if (is_recorded_in_folder(entry.state)) return;
  entry.facts.given_up = true;
  update(index);
}

void Board::retry(size_t index) {
  Entry& entry = entries_.at(index);
  entry.facts.given_up = false;
  if (is_final(entry.state) && entry.state != TrialState::done) {
    entry.charged = {};
    set_recorded(index, std::nullopt);
  }
}

void Board::prefer(size_t index, int rank) {
  if (rank < entries_.at(index).rank) set_rank(index, rank);
}

void Board::replace_plan(size_t index, const PlannedTrial& trial, bool at_stop) {
  entries_.at(index).trial = &trial;
  hold(index, at_stop, 0);
}

void Board::set_rank(size_t index, int rank) {
  Entry& entry = entries_.at(index);
  const bool was_queued = is_queued(entry);
  if (was_queued) take_from_queue(index);
  entry.rank = rank;
  if (was_queued) ready_[ready_key(entry)].insert(place_of(entry, index));
}

void Board::repeat(size_t index) {
  Entry& entry = entries_.at(index);
  RETHINK_ASSERT(entry.state == TrialState::done, text_of(entry));
  entry.charged = {};
  set_recorded(index, std::nullopt);
}

std::vector<const PlannedTrial*> Board::trials() const {
  std::vector<const PlannedTrial*> all;
  for (const Entry& entry : entries_) all.push_back(entry.trial);
  return all;
}

std::vector<size_t> Board::in(TrialState state) const {
  std::vector<size_t> found;
  for (size_t index = 0; index < entries_.size(); ++index) {
    if (entries_[index].state == state) found.push_back(index);
  }
  return found;
}

bool Board::finished() const {
  return count(TrialState::running) == 0 && (draining_ || ready_.empty());
}

std::vector<size_t> Board::take_changed() {
  std::vector<size_t> changed(changed_.begin(), changed_.end());
  changed_.clear();
  return changed;
}

/// 0 before its first: a sweep that comes beside others gets the next slot.
size_t Board::last_start_of(const Entry& entry) const {
  const auto last = last_starts_.find(entry.turn);
  return last == last_starts_.end() ? 0 : last->second;
}

std::optional<size_t> Board::find(const std::string& id) const {
  const auto place = index_.find(id);
  return place == index_.end() ? std::nullopt : std::optional(place->second);
}

size_t Board::index_of(const std::string& id) const {
  const std::optional<size_t> index = find(id);
  RETHINK_ASSERT(index, "no trial " + id);
  return *index;
}

std::string Board::text_of(const Entry& entry) {
  return entry.trial->trial.id + " is " + to_text(entry.state);
}

NeedState Board::needs_of(const Entry& entry) {
  if (entry.needs_lost > 0) return NeedState::lost;
  return entry.needs_open > 0 ? NeedState::open : NeedState::met;
}

void Board::set_recorded(size_t index, std::optional<TrialState> state) {
  entries_[index].facts.recorded = state;
  changed_.insert(index);
  update(index);
}

void Board::update(size_t index) {
  Entry& entry = entries_[index];
  const TrialState now = trial_state(entry.facts, needs_of(entry));
  if (now == entry.state) return;
  for (const Child child : entry.children) count_need(child, entry.state, -1);
  set(index, now);
  for (const Child child : entry.children) count_need(child, entry.state, 1);
  for (const Child child : entry.children) update(child.index);
}

void Board::set(size_t index, TrialState state) {
  Entry& entry = entries_[index];
  if (is_queued(entry)) take_from_queue(index);
  counts_[static_cast<size_t>(entry.state)]--;
  entry.state = state;
  counts_[static_cast<size_t>(state)]++;
  if (is_queued(entry)) ready_[ready_key(entry)].insert(place_of(entry, index));
}

void Board::hold(size_t index, bool at_stop, int more) {
  Entry& entry = entries_[index];
  const bool was_held = entry.is_held();
  if (is_queued(entry)) take_from_queue(index);
  entry.at_stop = at_stop;
  entry.needs_held += more;
  if (is_queued(entry)) ready_[ready_key(entry)].insert(place_of(entry, index));
  if (entry.is_held() == was_held) return;
  for (const Child child : entry.children)
    hold(child.index, entries_[child.index].at_stop, was_held ? -1 : 1);
}

size_t Board::num_held() const {
  return static_cast<size_t>(std::ranges::count_if(entries_, [](const Entry& entry) {
    return entry.is_held() && entry.state == TrialState::ready;
  }));
}

void Board::take_from_queue(size_t index) {
  const auto places = ready_.find(ready_key(entries_[index]));
  places->second.erase(place_of(entries_[index], index));
  if (places->second.empty()) ready_.erase(places);
}

void Board::count_need(Child child, TrialState state, int change) {
  switch (need_state(state, child.may_diverge)) {
    case NeedState::open:
      entries_[child.index].needs_open += change;
      break;
    case NeedState::lost:
      entries_[child.index].needs_lost += change;
      break;
    case NeedState::met:
      break;
  }
}

}  // namespace rethink
