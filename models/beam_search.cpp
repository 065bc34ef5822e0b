#include "models/beam_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/tensors/transfers.h"

namespace rethink {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
/// On a GPU, done sources are searched until the next wait, which costs less than a wait for each
/// token.
constexpr int64_t kTokensBetweenWaits = 8;

at::Tensor integers(const std::vector<int64_t>& values) {
  return at::tensor(values, at::kLong);
}

/// Returns the element columns[a] of each row a: [A,N] and i64 [A] give [A].
at::Tensor picked(const at::Tensor& rows, const at::Tensor& column) {
  return rows.gather(1, column.unsqueeze(1)).squeeze(1);
}

/// The search for all sources at once. A is the number of sources that are still searched. B is the
/// number of beams of each source: 1 before the first token, then options.beams. Beams are sorted,
/// the most likely first. A beam without a possible sentence has the score kImpossible.
class BeamSearch {
 public:
  BeamSearch(NextTokens& model, const std::vector<int64_t>& max_tokens, const BeamOptions& options)
      : model_(model),
        options_(options),
        device_(model.device()),
        max_tokens_(max_tokens),
        found_(max_tokens.size()),
        longest_(std::ranges::max(max_tokens)) {
    const auto sources = static_cast<int64_t>(max_tokens.size());
    for (int64_t i = 0; i < sources; ++i) searched_.push_back(i);
    limit_A_ = sent_to(device_, integers(max_tokens));
    const at::TensorOptions index = limit_A_.options();
    rows_ = at::arange(sources, index);
    last_ = at::full({sources}, options.start, index);
    scores_AB_ = at::zeros({sources, 1}, index.dtype(at::kDouble));
    best_A_ = at::full({sources}, kImpossible, scores_AB_.options());
    for (at::Tensor* zeros : {&best_length_A_, &best_beam_A_, &finished_A_})
      *zeros = at::zeros({sources}, index);
    // A sentence is never empty, so its first token is not the end symbol.
    std::vector<int64_t> never_first = options.never;
    never_first.push_back(options.end);
    never_first_ = sent_to(device_, integers(never_first));
    never_ = sent_to(device_, integers(options.never));
  }

  std::vector<Hypothesis> run() {
    for (int64_t length = 0; !searched_.empty(); ++length) {
      step(length);
      const bool is_last = length == longest_;
      if (device_.is_cpu() || is_last || (length + 1) % kTokensBetweenWaits == 0) take_done();
    }
    return std::move(found_);
  }

 private:
  /// Candidates of one step by source. Rows are those of `searched`.
  struct Chosen {
    at::Tensor beams, tokens;  // i64 [A,B]: the beam that each new beam extends, and the token
  };

  /// Extends beams of `length` tokens by one token.
  void step(int64_t length) {
    at::Tensor log_NV = model_.next(rows_, last_, sources_move_).to(at::kFloat);
    sources_move_ = false;
    TORCH_CHECK(log_NV.size(1) >= 2 * options_.beams, "beam search of ", options_.beams,
                " beams needs as many tokens twice, the vocabulary has ", log_NV.size(1));
    const at::Tensor ends_AB = log_NV.select(1, options_.end).view_as(scores_AB_);
    log_NV = log_NV.index_fill(1, length == 0 ? never_first_ : never_, kImpossible);
    const auto [values_NC, tokens_NC] = log_NV.topk(2 * options_.beams, /*dim=*/1);
    const int64_t sources = scores_AB_.size(0), of_beam = values_NC.size(1);
    // Equal scores keep the order of their beams and tokens.
    const auto [sorted_AC, order_AC] =
        (scores_AB_.unsqueeze(2) + values_NC.view({sources, -1, of_beam}))
            .flatten(1)
            .sort(/*stable=*/true, /*dim=*/1, /*descending=*/true);
    const at::Tensor tokens_AC = tokens_NC.view({sources, -1}).gather(1, order_AC),
                     beams_AC = order_AC.floor_divide(of_beam),
                     is_end_AC = tokens_AC == options_.end;
    const at::Tensor is_last_A = limit_A_ == length;
    finish(length, sorted_AC, beams_AC, is_end_AC, ends_AB, is_last_A);
    // The most likely candidates without an end. There are enough, since only one token of each beam ends it.
    const at::Tensor place_AB =
        std::get<1>(is_end_AC.to(at::kInt).sort(/*stable=*/true, /*dim=*/1, /*descending=*/false))
            .narrow(1, 0, options_.beams);
    scores_AB_ = sorted_AC.gather(1, place_AB);
    const at::Tensor is_hopeless_A = scores_AB_.select(1, 0) == kImpossible;
    finished_A_ = finished_A_.masked_fill(is_hopeless_A, options_.beams);
    steps_.push_back({beams_AC.gather(1, place_AB), tokens_AC.gather(1, place_AB)});
    const int64_t beams_before = ends_AB.size(1);
    sources_move_ = beams_before != options_.beams;
    rows_ = (at::arange(sources, rows_.options()).unsqueeze(1) * beams_before + steps_.back().beams)
                .flatten();
    last_ = steps_.back().tokens.flatten();
  }

  /// Keeps the best of the sentences that end in this step: those whose end symbol is among the
  /// best candidates, and all beams of a source that has its largest length. A done source changes
  /// no more.
  void finish(int64_t length, const at::Tensor& sorted_AC, const at::Tensor& beams_AC,
              const at::Tensor& is_end_AC, const at::Tensor& ends_AB, const at::Tensor& is_last_A) {
    const int64_t most = options_.beams;
    const at::Tensor ends_AK = is_end_AC.narrow(1, 0, most)
                                   .logical_and(sorted_AC.narrow(1, 0, most) > kImpossible),
                     rank_K = at::arange(most, rows_.options());
    // Sorted, and of equal length, so the first has the best mean.
    const at::Tensor first_A = at::where(ends_AK, rank_K, most - 1).amin(1),
                     ends_A = ends_AK.any(1);
    const auto [last_score_A, last_beam_A] = (scores_AB_ + ends_AB).max(1);
    const at::Tensor score_A = at::where(is_last_A, last_score_A, picked(sorted_AC, first_A));
    const at::Tensor beam_A = at::where(is_last_A, last_beam_A, picked(beams_AC, first_A));
    const at::Tensor mean_A =
        score_A / std::pow(static_cast<double>(length + 1), options_.length_penalty);
    const at::Tensor is_new_A = (finished_A_ < most)
                                    .logical_and(ends_A.logical_or(is_last_A))
                                    .logical_and((finished_A_ == 0).logical_or(mean_A > best_A_));
    best_A_ = at::where(is_new_A, mean_A, best_A_);
    best_length_A_ = best_length_A_.masked_fill(is_new_A, length);
    best_beam_A_ = at::where(is_new_A, beam_A, best_beam_A_);
    finished_A_ = finished_A_ + ends_AK.sum(1).masked_fill(is_last_A, most);
  }

  /// Waits for the device, stores the sentences of done sources, and continues with the others.
  void take_done() {
    std::vector<at::Tensor> on_device = {finished_A_.unsqueeze(1), best_length_A_.unsqueeze(1),
                                         best_beam_A_.unsqueeze(1), best_A_.unsqueeze(1)};
    for (const Chosen& chosen : steps_)
      on_device.insert(on_device.end(), {chosen.beams, chosen.tokens});
    const std::vector<at::Tensor> on_host = fetched(on_device);
    for (size_t i = 4; i < on_host.size(); i += 2) add_history({on_host[i], on_host[i + 1]});
    steps_.clear();
    std::vector<int64_t> left, rows_of_left;
    for (size_t row = 0; row < searched_.size(); ++row) {
      const auto number = [&](size_t which) {
        return on_host[which].const_data_ptr<int64_t>()[row];
      };
      if (number(0) < options_.beams) {
        left.push_back(searched_[row]);
        rows_of_left.push_back(static_cast<int64_t>(row));
      } else {
        found_[static_cast<size_t>(searched_[row])] = {
            sentence(searched_[row], number(1), number(2)),
            on_host[3].const_data_ptr<double>()[row]};
      }
    }
    if (left.size() < searched_.size()) keep(rows_of_left);
    searched_ = std::move(left);
  }

  /// The choices of a step, with a row per source.
  struct History {
    at::Tensor beams, tokens;            // i64 [A,B] on the CPU, contiguous
    std::vector<int64_t> row_of_source;  // -1: not searched any more
  };

  void add_history(const Chosen& chosen) {
    std::vector<int64_t> rows(max_tokens_.size(), -1);
    for (size_t row = 0; row < searched_.size(); ++row)
      rows[static_cast<size_t>(searched_[row])] = static_cast<int64_t>(row);
    history_.push_back({chosen.beams, chosen.tokens, std::move(rows)});
  }

  /// Returns the tokens of a beam of `length` tokens.
  std::vector<int32_t> sentence(int64_t source, int64_t length, int64_t beam) const {
    std::vector<int32_t> tokens(static_cast<size_t>(length));
    for (size_t place = tokens.size(); place-- > 0;) {
      const History& step = history_[place];
      const int64_t at = step.row_of_source[static_cast<size_t>(source)] * options_.beams + beam;
      tokens[place] = static_cast<int32_t>(step.tokens.const_data_ptr<int64_t>()[at]);
      beam = step.beams.const_data_ptr<int64_t>()[at];
    }
    return tokens;
  }

  void keep(const std::vector<int64_t>& rows) {
    if (rows.empty()) return;
    const at::Tensor index = sent_to(device_, integers(rows));
    for (at::Tensor* of_source :
         {&limit_A_, &scores_AB_, &best_A_, &best_length_A_, &best_beam_A_, &finished_A_})
      *of_source = of_source->index_select(0, index);
    for (at::Tensor* of_row : {&rows_, &last_})
      *of_row = of_row->view({-1, options_.beams}).index_select(0, index).flatten();
    sources_move_ = true;
  }

  NextTokens& model_;
  const BeamOptions& options_;
  const at::Device device_;
  const std::vector<int64_t>& max_tokens_;
  std::vector<Hypothesis> found_;
  const int64_t longest_;
  std::vector<int64_t> searched_;  // sources, in order
  at::Tensor never_first_, never_;
  at::Tensor limit_A_;                      // longest sentences
  at::Tensor rows_, last_;                  // i64 [A*B]: for the model's next call
  bool sources_move_ = false;               // likewise
  at::Tensor scores_AB_;                    // f64
  at::Tensor best_A_;                       // f64: mean of the best finished sentence
  at::Tensor best_length_A_, best_beam_A_;  // i64: its tokens, and the beam that had them
  at::Tensor finished_A_;                   // i64: how many are finished
  std::vector<Chosen> steps_;               // since the device was waited for
  std::vector<History> history_;            // of each token before
};

}  // namespace

std::vector<Hypothesis> beam_search(NextTokens& model, const std::vector<int64_t>& max_tokens,
                                    const BeamOptions& options) {
  if (max_tokens.empty()) return {};
  return BeamSearch(model, max_tokens, options).run();
}

}  // namespace rethink
