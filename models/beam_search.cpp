#include "models/beam_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/transfers.h"

namespace rethink {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// An unfinished sentence.
struct Beam {
  int64_t row = 0;  // of the model's last call
  double score = 0.0;
  std::vector<int32_t> tokens = {};
};

struct Candidate {
  size_t beam;
  int64_t token;
  double score;
};

/// The search for one source.
class Search {
 public:
  Search(int64_t sentence, int64_t max_tokens, const BeamOptions& options)
      : options_(options), max_tokens_(max_tokens), alive_{Beam{.row = sentence}} {}

  bool is_done() const { return alive_.empty(); }
  const std::vector<Beam>& alive() const { return alive_; }
  Hypothesis best() && { return std::move(best_); }

  /// Of what comes next in the row of each beam, the likeliest tokens and their log-probabilities,
  /// float and i64 [N,K] on the CPU. `first`: the row of the first beam.
  void step(const at::Tensor& values_NK, const at::Tensor& tokens_NK, int64_t first) {
    const int64_t width = values_NK.size(1);
    const float* values = values_NK.const_data_ptr<float>() + first * width;
    const int64_t* tokens = tokens_NK.const_data_ptr<int64_t>() + first * width;
    std::vector<Candidate> candidates;
    for (size_t beam = 0; beam < alive_.size(); ++beam) {
      for (int64_t k = 0; k < width; ++k) {
        const size_t at = beam * static_cast<size_t>(width) + static_cast<size_t>(k);
        const double score = alive_[beam].score + static_cast<double>(values[at]);
        if (score != kImpossible) candidates.push_back({beam, tokens[at], score});
      }
    }
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::score);
    take(candidates, first);
  }

  /// Where nothing but the end can come: its log-probabilities, float [N] or [N,1].
  void end(const at::Tensor& ends_N, int64_t first) {
    for (size_t beam = 0; beam < alive_.size(); ++beam) {
      const double value = ends_N.const_data_ptr<float>()[static_cast<size_t>(first) + beam];
      finish(alive_[beam], alive_[beam].score + value);
    }
    alive_.clear();
  }

  bool must_end() const {
    return static_cast<int64_t>(alive_.front().tokens.size()) == max_tokens_;
  }

 private:
  void take(const std::vector<Candidate>& candidates, int64_t first) {
    const auto most = static_cast<size_t>(options_.beams);
    std::vector<Beam> next;
    for (size_t rank = 0; rank < candidates.size() && next.size() < most; ++rank) {
      const Candidate& candidate = candidates[rank];
      const Beam& before = alive_[candidate.beam];
      if (candidate.token == options_.end) {
        if (rank < most) finish(before, candidate.score);
        continue;
      }
      Beam& beam = next.emplace_back(
          Beam{first + static_cast<int64_t>(candidate.beam), candidate.score, before.tokens});
      beam.tokens.push_back(static_cast<int32_t>(candidate.token));
    }
    alive_ = finished_ < options_.beams ? std::move(next) : std::vector<Beam>();
  }

  void finish(const Beam& beam, double score) {
    const double length = static_cast<double>(beam.tokens.size() + 1);
    const double mean = score / std::pow(length, options_.length_penalty);
    if (finished_ == 0 || mean > best_.score) best_ = {beam.tokens, mean};
    ++finished_;
  }

  const BeamOptions& options_;
  const int64_t max_tokens_;
  std::vector<Beam> alive_;
  Hypothesis best_;
  int64_t finished_ = 0;
};

at::Tensor integers(const std::vector<int64_t>& values) {
  return at::tensor(values, at::kLong);
}

}  // namespace

std::vector<Hypothesis> beam_search(NextTokens& model, const std::vector<int64_t>& max_tokens,
                                    const BeamOptions& options) {
  std::vector<Search> searches;
  for (size_t i = 0; i < max_tokens.size(); ++i)
    searches.emplace_back(static_cast<int64_t>(i), max_tokens[i], options);
  // No sentence is empty: its first token is no end.
  std::vector<int64_t> never_first = options.never;
  never_first.push_back(options.end);
  at::Tensor hidden_first, hidden_later;
  for (bool is_first = true;; is_first = false) {
    std::vector<int64_t> parents, last;
    for (const Search& search : searches) {
      for (const Beam& beam : search.alive()) {
        parents.push_back(beam.row);
        last.push_back(beam.tokens.empty() ? options.start : beam.tokens.back());
      }
    }
    if (parents.empty()) break;
    at::Tensor scores_NV = model.next(integers(parents), integers(last)).to(at::kFloat);
    TORCH_CHECK(scores_NV.size(1) >= 2 * options.beams, "beam search of ", options.beams,
                " beams needs as many tokens twice, the vocabulary has ", scores_NV.size(1));
    if (is_first) {
      hidden_first = sent_to(scores_NV.device(), integers(never_first));
      hidden_later = sent_to(scores_NV.device(), integers(options.never));
    }
    const at::Tensor ends = scores_NV.narrow(1, options.end, 1);
    scores_NV = scores_NV.index_fill(1, is_first ? hidden_first : hidden_later, kImpossible);
    const auto [values, tokens] = scores_NV.topk(2 * options.beams, /*dim=*/1);
    // The one wait for a token: what the sentences go on with decides on the next rows.
    const std::vector<at::Tensor> on_host = fetched({ends, values, tokens});
    const at::Tensor &ends_N = on_host[0], &values_NK = on_host[1], &tokens_NK = on_host[2];
    int64_t row = 0;
    for (Search& search : searches) {
      if (search.is_done()) continue;
      const auto beams = static_cast<int64_t>(search.alive().size());
      search.must_end() ? search.end(ends_N, row) : search.step(values_NK, tokens_NK, row);
      row += beams;
    }
  }
  std::vector<Hypothesis> found;
  for (Search& search : searches) found.push_back(std::move(search).best());
  return found;
}

}  // namespace rethink
