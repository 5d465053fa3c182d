//===-- LowerSteps.cpp - Makes the entries of training steps -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Gradient/Passes.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/Derivatives/Accumulate.h"
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace cambium {
#define GEN_PASS_DEF_LOWERSTEPS
#include "cambium/Gradient/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// A term of the gradient of a parameter, and where it is to be added.
struct Term {
  func::FuncOp function;
  Value value;
};

/// The terms of the gradients of all parameters over all steps.
using Terms = llvm::MapVector<StringAttr, SmallVector<Term>>;

/// The entries of one step.
class StepLowering {
public:
  StepLowering(train::StepOp step, Terms &terms)
      : step(step), module(step->getParentOfType<ModuleOp>()), symbols(module),
        builder(step.getContext()), terms(terms) {}

  LogicalResult lower() {
    auto loss = symbols.lookup<func::FuncOp>(step.getLoss());
    if (!loss || loss.isExternal())
      return step.emitOpError() << "expected the loss '" << step.getLoss()
                                << "' to be a function with a body";
    for (StringRef half : {".accumulate", ".apply"})
      if (Operation *other = symbols.lookup((step.getSymName() + half).str())) {
        InFlightDiagnostic diag = step.emitOpError()
                                  << "expected the name '" << step.getSymName()
                                  << half << "' to be free for an entry";
        diag.attachNote(other->getLoc()) << "it is used here";
        return diag;
      }
    if (failed(makeAccumulate(loss)))
      return failure();
    return makeApply();
  }

private:
  /// Clones the loss function, differentiates its mean.
  LogicalResult makeAccumulate(func::FuncOp loss) {
    accumulate = loss.clone();
    accumulate.setSymName((step.getSymName() + ".accumulate").str());
    accumulate.setPublic();
    module.insert(Block::iterator(step), accumulate);
    Block &body = accumulate.getBody().front();
    expandTapes(body, builder);
    collectParameters();

    Operation *exit = body.getTerminator();
    builder.setInsertionPoint(exit);
    Location loc = step.getLoc();
    Value rows = exit->getOperand(0);
    if (cast<RankedTensorType>(rows.getType()).getRank() != 1)
      return step.emitOpError("expected a loss that depends on the example");
    // mean = sum / count; every row's loss counts with 1 / count.
    Value ones = constantLike(builder, loc, rows, 1.0);
    Value count = nn::SumOp::create(builder, loc, ones, 0);
    Value one = constantLike(builder, loc, count, 1.0);
    Value share = arith::DivFOp::create(builder, loc, one, count);
    Value total = nn::SumOp::create(builder, loc, rows, 0);
    Value mean = arith::MulFOp::create(builder, loc, total, share);
    Value seed = nn::BroadcastOp::create(builder, loc, rows.getType(), share,
                                         rows, ArrayRef<int64_t>{});
    FailureOr<SmallVector<Value>> gradients =
        differentiate(builder, rows, seed, uses);
    if (failed(gradients))
      return failure();
    for (auto [use, gradient] : llvm::zip_equal(uses, *gradients))
      if (gradient)
        addTerms(use.getDefiningOp<nn::UseOp>().getParamAttr().getAttr(),
                 gradient);
    exit->setOperand(0, mean);
    setMeanType();
    return success();
  }

  /// The first result is a scalar per call now.
  void setMeanType() {
    FunctionType type = accumulate.getFunctionType();
    SmallVector<Type> results(type.getResults());
    auto rows = cast<RankedTensorType>(results[0]);
    results[0] = RankedTensorType::get({}, rows.getElementType());
    accumulate.setFunctionType(
        builder.getFunctionType(type.getInputs(), results));
    accumulate.setResultAttr(0, rt::kRoleAttr,
                             rt::OutputAttr::get(step.getContext(),
                                                 builder.getStringAttr("loss"),
                                                 rt::kPerCall));
  }

  /// All uses of parameters that are trained, the values whose gradient is
  /// taken.
  void collectParameters() {
    accumulate.walk([&](nn::UseOp use) {
      auto param = symbols.lookup<nn::ParamOp>(use.getParam());
      if (!param.getFrozen() && isUpdated(groupOf(param)))
        uses.push_back(use);
    });
  }

  /// Whether the step updates parameters of the group.
  bool isUpdated(StringRef group) {
    return !step.getUpdates() ||
           llvm::is_contained(step.getUpdates()->getAsValueRange<StringAttr>(),
                              group);
  }

  /// Splits sums, so that each table lookup is a term of its own.
  void addTerms(StringAttr param, Value gradient) {
    SmallVector<Value> worklist{gradient};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      auto sum = value.getDefiningOp<arith::AddFOp>();
      if (sum) {
        worklist.push_back(sum.getRhs());
        worklist.push_back(sum.getLhs());
        continue;
      }
      terms[param].push_back({accumulate, value});
      own.insert(param);
    }
  }

  /// The update of every parameter that the loss uses.
  LogicalResult makeApply() {
    builder.setInsertionPoint(step);
    auto apply = func::FuncOp::create(builder, step.getLoc(),
                                      (step.getSymName() + ".apply").str(),
                                      builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(apply.addEntryBlock());
    SmallVector<nn::ParamOp> params = trained();
    SmallVector<Attribute> names;
    SmallVector<StringRef> groups;
    for (nn::ParamOp param : params) {
      names.push_back(FlatSymbolRefAttr::get(param.getSymNameAttr()));
      StringRef group = groupOf(param);
      if (!llvm::is_contained(groups, group))
        groups.push_back(group);
    }
    if (failed(checkGroups(groups)))
      return failure();
    Value scale = train::GradientScaleOp::create(
        builder, step.getLoc(), builder.getF64Type(),
        builder.getArrayAttr(names), builder.getI64IntegerAttr(groups.size()),
        step.getClipNormAttr());
    for (nn::ParamOp param : params) {
      int64_t rate = llvm::find(groups, groupOf(param)) - groups.begin();
      train::UpdateOp::create(builder, param.getLoc(), param.getName(), scale,
                              rate, optimizerOf(groupOf(param)),
                              !param.getNoDecay());
    }
    func::ReturnOp::create(builder, step.getLoc());
    builder.setInsertionPoint(step);
    rt::TrainingOp::create(
        builder, step.getLoc(), step.getSymName(), accumulate.getSymName(),
        apply.getSymName(), step.getAccumulate(),
        builder.getStrArrayAttr(groups), optimizersOf(groups));
    return success();
  }

  /// The trained parameters, in the order of their declarations.
  SmallVector<nn::ParamOp> trained() {
    SmallVector<nn::ParamOp> params;
    for (auto param : module.getOps<nn::ParamOp>())
      if (own.contains(param.getSymNameAttr()))
        params.push_back(param);
    return params;
  }

  static StringRef groupOf(nn::ParamOp param) {
    return param.getGroup().value_or("default");
  }

  train::OptimizerAttr optimizerOf(StringRef group) {
    if (auto groups = step.getGroups())
      if (auto optimizer = groups->getAs<train::OptimizerAttr>(group))
        return optimizer;
    return step.getOptimizer();
  }

  DictionaryAttr optimizersOf(ArrayRef<StringRef> groups) {
    SmallVector<NamedAttribute> optimizers;
    for (StringRef group : groups)
      optimizers.push_back(builder.getNamedAttr(group, optimizerOf(group)));
    return builder.getDictionaryAttr(optimizers);
  }

  /// A group that no trained parameter belongs to is a mistake.
  LogicalResult checkGroups(ArrayRef<StringRef> groups) {
    if (step.getUpdates())
      for (StringRef group : step.getUpdates()->getAsValueRange<StringAttr>())
        if (!llvm::is_contained(groups, group))
          return failNoParameter(group);
    if (!step.getGroups())
      return success();
    DictionaryAttr named = *step.getGroups();
    for (NamedAttribute group : named)
      if (!llvm::is_contained(groups, group.getName().getValue()))
        return failNoParameter(group.getName().getValue());
    return success();
  }

  LogicalResult failNoParameter(StringRef group) {
    return step.emitOpError() << "expected a trained parameter in group '"
                              << group << "', but got none";
  }

  train::StepOp step;
  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  Terms &terms;
  func::FuncOp accumulate;
  SmallVector<Value> uses;
  /// The parameters that this step has a gradient of.
  llvm::DenseSet<StringAttr> own;
};

/// The rows that the gradient is the sum of, if they can be added one by one.
std::optional<GradientRows> rowsOf(Value gradient) {
  auto op = gradient.getDefiningOp<TrainingOpInterface>();
  return op ? op.getGradientRows() : std::nullopt;
}

struct LowerSteps : cambium::impl::LowerStepsBase<LowerSteps> {
  using LowerStepsBase::LowerStepsBase;

  void runOnOperation() override {
    Terms terms;
    SmallVector<train::StepOp> steps(getOperation().getOps<train::StepOp>());
    for (train::StepOp step : steps)
      if (failed(StepLowering(step, terms).lower()))
        return signalPassFailure();
    if (failed(checkStates()))
      return signalPassFailure();
    for (train::StepOp step : steps)
      step.erase();
    addGradients(terms);
    dropTrainingOps();
  }

  /// Steps share the state of a parameter, so it means the same to all of them.
  LogicalResult checkStates() {
    using Kind = train::OptimizerKind;
    llvm::DenseMap<StringAttr, train::UpdateOp> first;
    WalkResult walk = getOperation().walk([&](train::UpdateOp op) {
      auto [found, isNew] = first.try_emplace(op.getParamAttr().getAttr(), op);
      Kind kind = op.getOptimizer().getKind();
      Kind other = found->second.getOptimizer().getKind();
      if (isNew || (kind == Kind::Adafactor) == (other == Kind::Adafactor))
        return WalkResult::advance();
      // [TRAIN-STEP-C7]
      op.emitError() << "expected '" << train::stringifyOptimizerKind(other)
                     << "' in all steps that update '" << op.getParam()
                     << "', but got '" << train::stringifyOptimizerKind(kind)
                     << "'";
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }

  /// Emits the sums into the gradients.
  void addGradients(Terms &terms) {
    SymbolTable symbols(getOperation());
    for (auto &[name, list] : terms) {
      // Rows of a stack are tensors: what an optimizer asks of them is not of
      // rows.
      bool sparse =
          symbols.lookup<nn::ParamOp>(name).getSlices() == 0 &&
          llvm::all_of(list, [](Term &term) { return rowsOf(term.value); });
      if (sparse)
        symbols.lookup<nn::ParamOp>(name).setRowSparse(true);
      auto symbol = FlatSymbolRefAttr::get(name);
      for (Term &term : list) {
        OpBuilder builder(term.function.getBody().front().getTerminator());
        Location loc = term.value.getLoc();
        if (!sparse) {
          accumulate(builder, symbol, term.value);
          continue;
        }
        GradientRows rows = *rowsOf(term.value);
        ragged::AccumulateRowsOp::create(builder, loc, symbol, rows.ids,
                                         rows.rows, rows.paddingId);
      }
    }
  }

  /// Dropout acts in training alone; stops have done their duty.
  void dropTrainingOps() {
    llvm::StringSet<> training;
    for (auto step : getOperation().getOps<rt::TrainingOp>())
      training.insert(step.getAccumulate());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      bool trains = training.contains(function.getSymName());
      function.walk([&](TrainingOpInterface op) {
        if (!op.actsIn(trains))
          op.endTraining();
      });
    }
  }
};
} // namespace
