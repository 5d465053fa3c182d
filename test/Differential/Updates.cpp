//===-- test/Differential/Updates.cpp - Optimizers ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Adafactor.h"
#include "Checks.h"
#include "Failure.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// One update of one element, as its paper says; `g` is the scaled gradient and
/// `t` the number of this update, from 1.
void update(const Rule &rule, Element &element, double g, double rate,
            int64_t t) {
  double &w = element.value, &m = element.first, &v = element.second;
  bool isDecoupled = rule.kind == train::OptimizerKind::AdamW ||
                     rule.kind == train::OptimizerKind::Lamb;
  if (!isDecoupled)
    g += rule.decay * w;
  switch (rule.kind) {
  case train::OptimizerKind::SGD:
    m = rule.momentum * m + g;
    w -= rate * m;
    return;
  case train::OptimizerKind::Adagrad:
    v += g * g;
    w -= rate * g / (std::sqrt(v) + rule.eps);
    return;
  case train::OptimizerKind::Adadelta: {
    // Its rho is where others have their second beta.
    v = rule.beta2 * v + (1 - rule.beta2) * g * g;
    double step = std::sqrt(m + rule.eps) / std::sqrt(v + rule.eps) * g;
    m = rule.beta2 * m + (1 - rule.beta2) * step * step;
    w -= rate * step;
    return;
  }
  case train::OptimizerKind::Adafactor:
    return; // Of whole parameters: adafactor().
  case train::OptimizerKind::Adam:
  case train::OptimizerKind::AdamW:
  case train::OptimizerKind::Lamb: {
    m = rule.beta1 * m + (1 - rule.beta1) * g;
    v = rule.beta2 * v + (1 - rule.beta2) * g * g;
    double unbiasedM = m, unbiasedV = v;
    if (rule.corrects) {
      unbiasedM /= 1 - std::pow(rule.beta1, t);
      unbiasedV /= 1 - std::pow(rule.beta2, t);
    }
    double decayed = isDecoupled ? rate * rule.decay * w : 0;
    w -= decayed + rate * unbiasedM / (std::sqrt(unbiasedV) + rule.eps);
    return;
  }
  }
}

/// What the optimizer remembers of a parameter, as its rule's slots have it.
void setState(const Rule &rule, Element &element, double slot0, double slot1) {
  bool squaresFirst = rule.kind == train::OptimizerKind::Adagrad ||
                      rule.kind == train::OptimizerKind::Adadelta;
  element.first = squaresFirst ? slot1 : slot0;
  element.second = squaresFirst ? slot0 : slot1;
}

/// The symbols that a function names, itself or through what it calls.
llvm::StringSet<> namedBy(mlir::ModuleOp module, StringRef function) {
  mlir::SymbolTable symbols(module);
  llvm::StringSet<> named;
  std::vector<std::string> open{function.str()};
  while (!open.empty()) {
    mlir::Operation *op = symbols.lookup(open.back());
    open.pop_back();
    auto uses = op ? mlir::SymbolTable::getSymbolUses(op) : std::nullopt;
    if (!uses)
      continue;
    for (const mlir::SymbolTable::SymbolUse &use : *uses) {
      StringRef name = use.getSymbolRef().getLeafReference();
      if (named.insert(name).second)
        open.push_back(name.str());
    }
  }
  return named;
}

/// Makes the steps from `before` as long as the rate times the parameter (You
/// et al. 2020, algorithm 2), if neither has length 0. They were made with
/// rate 1.
void adapt(llvm::MutableArrayRef<Element> elements, ArrayRef<double> before,
           const std::vector<char> &moves, double rate) {
  double squares = 0, steps = 0;
  size_t width = elements.size() / moves.size();
  auto stepOf = [&](size_t i) { return elements[i].value - before[i]; };
  for (size_t i = 0; i < elements.size(); ++i)
    if (moves[i / width]) {
      squares += before[i] * before[i];
      steps += stepOf(i) * stepOf(i);
    }
  if (squares > 0 && steps > 0)
    rate *= std::sqrt(squares / steps);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i].value = before[i] + rate * stepOf(i);
}

/// The same for each slice of a stack.
void adaptSlices(llvm::MutableArrayRef<Element> elements,
                 ArrayRef<double> before, int64_t numSlices, double rate) {
  size_t size = elements.size() / numSlices;
  for (size_t first = 0; first < elements.size(); first += size)
    adapt(elements.slice(first, size), before.slice(first, size), {1}, rate);
}

/// A parameter that the step changes.
struct Trained {
  int64_t index;
  const cambium_parameter_info_t *info;
  Rule rule;
  double rate;
  std::vector<Element> elements;
  /// The values before the update.
  std::vector<double> before;
  /// The slots of Adafactor.
  std::vector<double> slots[2] = {};
};

class UpdateCheck {
public:
  UpdateCheck(Subject &subject, const cambium_entry_t *accumulate, Tally &tally)
      : subject(subject), compiled(subject.getCompiled()),
        accumulate(accumulate), tally(tally) {}

  Error run(const Settings &settings, Random &random) {
    if (Error error = findStep())
      return error;
    Expected<mlir::FunctionOpInterface> function =
        subject.getFunction(accumulate);
    if (!function)
      return function.takeError();
    ExampleMaker maker(accumulate, *function, random);
    collect(random);
    Expected<Owned<cambium_session_t>> made = compiled.createSession();
    if (!made)
      return made.takeError();
    session = std::move(*made);
    cambium_store_clear_gradients(compiled.getStore());
    for (int64_t t = 1; t <= settings.updates; ++t)
      if (Error error = runUpdate(maker, settings, t))
        return error;
    subject.readParameters();
    return Error::success();
  }

private:
  Error findStep() {
    StringRef name = cambium_entry_info(accumulate)->step;
    step = mlir::SymbolTable(subject.getModule()).lookup<train::StepOp>(name);
    const cambium_entry_t *first = nullptr;
    if (!step || cambium_module_find_step(compiled.getModule(),
                                          name.str().c_str(), &first, &apply))
      return runtimeFailure("finding the step");
    return Error::success();
  }

  /// Whether the step changes the parameter: it is trained, the loss uses it.
  bool isUpdated(const cambium_parameter_info_t *info,
                 const llvm::StringSet<> &used) {
    return info->trainable && used.contains(info->name) &&
           updatesGroup(subject, accumulate, info->group);
  }

  /// What another step may have left in a slot.
  std::vector<double> stateOf(int64_t p, const cambium_parameter_info_t *info,
                              int32_t slot) {
    const void *state = cambium_store_state(compiled.getStore(), p, slot);
    int64_t size = cambium_store_state_elements(compiled.getStore(), p, slot);
    return state ? readNumbers(info->type, state, size)
                 : std::vector<double>(size);
  }

  void collect(Random &random) {
    const cambium_module_t *module = compiled.getModule();
    llvm::StringSet<> used = namedBy(subject.getModule(), step.getLoss());
    for (int64_t p = 0, e = cambium_module_num_parameters(module); p < e; ++p) {
      const cambium_parameter_info_t *info =
          cambium_module_parameter(module, p);
      std::vector<double> values = compiled.getValue(p);
      if (!isUpdated(info, used)) {
        constant.push_back({p, values});
        continue;
      }
      if (!llvm::is_contained(llvm::make_first_range(rates), info->group))
        rates.push_back({info->group, random.uniform(0.01, 0.1)});
      Trained one{p, info, ruleOf(info), rateOf(info->group), {}, values};
      for (int slot : {0, 1})
        one.slots[slot] = stateOf(p, info, slot);
      bool isOfElements = one.rule.kind != train::OptimizerKind::Adafactor;
      auto inSlot = [&](int slot, size_t i) {
        bool has = isOfElements && i < one.slots[slot].size();
        return has ? one.slots[slot][i] : 0;
      };
      for (auto [i, value] : llvm::enumerate(values)) {
        one.elements.push_back({value, 0, 0});
        setState(one.rule, one.elements.back(), inSlot(0, i), inSlot(1, i));
      }
      trained.push_back(std::move(one));
    }
  }

  Rule ruleOf(const cambium_parameter_info_t *info) {
    train::OptimizerAttr optimizer = step.getOptimizer();
    if (auto groups = step.getGroups())
      if (auto ofGroup = groups->getAs<train::OptimizerAttr>(info->group))
        optimizer = ofGroup;
    auto param =
        mlir::SymbolTable(subject.getModule()).lookup<nn::ParamOp>(info->name);
    bool adapts = optimizer.getKind() == train::OptimizerKind::Lamb &&
                  !param.getNoDecay();
    return {optimizer.getKind(),
            optimizer.getMomentum().convertToDouble(),
            optimizer.getBeta1().convertToDouble(),
            optimizer.getBeta2().convertToDouble(),
            optimizer.getEps().convertToDouble(),
            param.getNoDecay() ? 0
                               : optimizer.getWeightDecay().convertToDouble(),
            optimizer.getBiasCorrection(),
            adapts,
            optimizer.getClip().convertToDouble(),
            optimizer.getLeastScale().convertToDouble(),
            optimizer.getRelativeStep(),
            optimizer.getScaleParameter()};
  }

  double rateOf(StringRef group) const {
    for (const auto &[name, rate] : rates)
      if (name == group)
        return rate;
    return 0;
  }

  Error runUpdate(ExampleMaker &maker, const Settings &settings, int64_t t) {
    int64_t calls = step.getAccumulate();
    for (int64_t i = 0; i < calls; ++i) {
      Expected<Owned<cambium_batch_t>> batch = Compiled::fill(
          accumulate, maker.make(settings.examples, settings.size));
      if (!batch)
        return batch.takeError();
      if (cambium_step_accumulate(session.get(), accumulate,
                                  compiled.getStore(), batch->get(), nullptr, 0,
                                  nullptr))
        return runtimeFailure("accumulating");
    }
    if (Error error = compiled.pull())
      return error;
    computeReference(1.0 / calls, t);
    std::vector<cambium_learning_rate_t> given;
    for (const auto &[group, rate] : rates)
      given.push_back({group.c_str(), rate});
    if (cambium_step_apply(session.get(), apply, compiled.getStore(),
                           given.data(), given.size(), 1.0 / calls))
      return runtimeFailure("applying");
    if (Error error = compiled.pull())
      return error;
    for (Trained &one : trained)
      if (Error error = compare(one, t))
        return error;
    for (const auto &[p, values] : constant)
      if (compiled.getValue(p) != values)
        return fail("update", "a parameter has changed that the step does not "
                              "update");
    return Error::success();
  }

  /// Updates the reference from the gradients in the store.
  void computeReference(double scale, int64_t t) {
    double squares = 0;
    std::vector<std::vector<double>> gradients;
    for (const Trained &one : trained) {
      gradients.push_back(compiled.getGradient(one.index));
      for (double g : gradients.back())
        squares += g * g * scale * scale;
    }
    if (auto norm = step.getClipNorm())
      scale *= std::min(1.0, norm->convertToDouble() / std::sqrt(squares));
    for (auto [one, gradient] : llvm::zip_equal(trained, gradients)) {
      // A number has a row, too.
      int64_t numRows = one.info->rank ? one.info->shape[0] : 1;
      std::vector<char> moves(numRows, !one.info->row_sparse);
      const int32_t *rows = nullptr;
      for (int64_t i = 0, e = cambium_store_touched_rows(compiled.getStore(),
                                                         one.index, &rows);
           i < e; ++i)
        moves[rows[i]] = true;
      if (one.rule.kind == train::OptimizerKind::Adafactor) {
        for (double &g : gradient)
          g *= scale;
        runAdafactor(one, gradient, moves, t);
        continue;
      }
      int64_t width = one.info->num_elements / numRows;
      for (auto [i, element] : llvm::enumerate(one.elements))
        if (moves[i / width])
          update(one.rule, element, gradient[i] * scale,
                 one.rule.adapts ? 1 : one.rate, t);
      int64_t slices = 1;
      for (int32_t i = 0; i < one.info->slices; ++i)
        slices *= one.info->shape[i];
      if (one.rule.adapts && slices > 1)
        adaptSlices(one.elements, one.before, slices, one.rate);
      else if (one.rule.adapts)
        adapt(one.elements, one.before, moves, one.rate);
    }
  }

  /// Each matrix of the last two dimensions, or each slice, is a tensor.
  static void runAdafactor(Trained &one, ArrayRef<double> gradient,
                           const std::vector<char> &moves, int64_t t) {
    const cambium_parameter_info_t &info = *one.info;
    bool isFactored = info.rank - info.slices >= 2;
    int64_t tensors = 1;
    for (int32_t i = 0; i < (isFactored ? info.rank - 2 : info.slices); ++i)
      tensors *= info.shape[i];
    auto part = [&](auto all, int64_t i) {
      size_t size = all.size() / tensors;
      return all.slice(i * size, size);
    };
    for (int64_t i = 0; i < tensors; ++i) {
      Means means{part(llvm::MutableArrayRef<double>(one.slots[0]), i),
                  part(llvm::MutableArrayRef<double>(one.slots[1]), i)};
      std::vector<char> rows(isFactored ? info.shape[info.rank - 2] : 1, true);
      adafactor(one.rule, part(llvm::MutableArrayRef<Element>(one.elements), i),
                means, part(gradient, i), tensors == 1 ? moves : rows, one.rate,
                t);
    }
  }

  /// Compares, and goes on from the compiled values.
  Error compare(Trained &one, int64_t t) {
    std::vector<double> values = compiled.getValue(one.index);
    double size = 0, change = 0;
    for (auto [i, value] : llvm::enumerate(values)) {
      size = std::max(size, std::abs(value));
      change =
          std::max(change, std::abs(one.elements[i].value - one.before[i]));
    }
    double tolerance = kUpdateTolerance * change + kParameterTolerance * size;
    for (auto [i, element] : llvm::enumerate(one.elements)) {
      double error = std::abs(values[i] - element.value);
      ++tally.updates;
      if (!(error <= tolerance))
        return fail("update",
                    llvm::Twine("'") + one.info->name + "' [" + llvm::Twine(i) +
                        "] after update " + llvm::Twine(t) + ": " +
                        describe(element.value, values[i], tolerance));
      tally.worstUpdate = std::max(tally.worstUpdate, error / tolerance);
      element.value = values[i];
    }
    one.before = std::move(values);
    for (double g : compiled.getGradient(one.index))
      if (g != 0)
        return fail("update", "the gradient is not zero after the update");
    return Error::success();
  }

  Subject &subject;
  Compiled &compiled;
  const cambium_entry_t *accumulate, *apply = nullptr;
  Tally &tally;
  train::StepOp step;
  Owned<cambium_session_t> session;
  std::vector<Trained> trained;
  /// Those that are frozen, or that other steps update.
  std::vector<std::pair<int64_t, std::vector<double>>> constant;
  std::vector<std::pair<std::string, double>> rates;
};
} // namespace

Error difftest::checkUpdates(Subject &subject,
                             const cambium_entry_t *accumulate,
                             const Settings &settings, Random &random,
                             Tally &tally) {
  return UpdateCheck(subject, accumulate, tally).run(settings, random);
}
