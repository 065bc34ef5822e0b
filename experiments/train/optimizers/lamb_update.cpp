#include "experiments/train/optimizers/lamb_update.h"

#include <ATen/ATen.h>

#include <map>
#include <utility>

namespace rethink {
namespace {

/// Tensors with one update rule.
struct Lists {
  std::vector<at::Tensor> parameters, gradients, means, squares;
};

/// If either length is 0, the step is not scaled.
at::Tensor ratio_of(const at::Tensor& length, const at::Tensor& wanted) {
  return at::where((length > 0).logical_and(wanted > 0), length / wanted, at::ones_like(length));
}

void update_lists(const Lists& lists, const LambRule& rule, double lr, bool decays) {
  at::_foreach_mul_(lists.means, rule.beta1);
  at::_foreach_add_(lists.means, lists.gradients, 1 - rule.beta1);
  at::_foreach_mul_(lists.squares, rule.beta2);
  at::_foreach_addcmul_(lists.squares, lists.gradients, lists.gradients, 1 - rule.beta2);
  std::vector<at::Tensor> change = at::_foreach_div(lists.means, rule.mean_share),
                          size = at::_foreach_div(lists.squares, rule.square_share);
  at::_foreach_sqrt_(size);
  at::_foreach_add_(size, rule.eps);
  at::_foreach_div_(change, size);
  if (decays) {
    at::_foreach_add_(change, lists.parameters, rule.weight_decay);
    const at::Tensor ratio = ratio_of(at::stack(at::_foreach_norm(lists.parameters, 2)),
                                      at::stack(at::_foreach_norm(change, 2)));
    at::_foreach_mul_(change, ratio.unbind());
  }
  at::_foreach_add_(lists.parameters, change, -lr);
}

}  // namespace

void update_by_lamb(const LambParameter& one, const LambRule& rule) {
  one.mean.mul_(rule.beta1).add_(one.gradient, 1 - rule.beta1);
  one.square.mul_(rule.beta2).addcmul_(one.gradient, one.gradient, 1 - rule.beta2);
  at::Tensor change =
      one.mean.div(rule.mean_share).div_(one.square.div(rule.square_share).sqrt_().add_(rule.eps));
  if (!one.decays) {
    one.parameter.sub_(change, one.lr);
    return;
  }
  change.add_(one.parameter, rule.weight_decay);
  one.parameter.sub_(change.mul_(ratio_of(one.parameter.norm(), change.norm())), one.lr);
}

void update_by_lamb_together(const std::vector<LambParameter>& all, const LambRule& rule) {
  std::map<std::pair<double, bool>, Lists> by_rule;
  for (const LambParameter& one : all) {
    Lists& lists = by_rule[{one.lr, one.decays}];
    lists.parameters.push_back(one.parameter);
    lists.gradients.push_back(one.gradient);
    lists.means.push_back(one.mean);
    lists.squares.push_back(one.square);
  }
  for (const auto& [key, lists] : by_rule) update_lists(lists, rule, key.first, key.second);
}

}  // namespace rethink
