//===-- CountOperations.cpp - What a batch needs at least -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is done for rows. Their number is followed to where the batch has
// it: through ops that keep rows, and out of loops over levels, where the rows
// of all levels together are the nodes or the edges of the forest.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/WorkOpInterface.h"
#include "cambium/Support/Remarks.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/Panels.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/IR/RowOrigins.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_COUNTOPERATIONS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral countFlag = "ragged-count-operations";

namespace {
/// Builds what tells the numbers of rows of a function's values, from the
/// arguments of another function of the same inputs.
class RowNumbers {
public:
  RowNumbers(func::FuncOp entry, func::FuncOp counter,
             ImplicitLocOpBuilder &builder)
      : builder(builder) {
    mapping.map(entry.getArguments(), counter.getArguments());
  }

  /// The number of rows of a value, in all executions of its region by loops
  /// over levels together. Null if it is not known.
  Value of(Value value) {
    while (true) {
      if (mapping.contains(value))
        return tensor::DimOp::create(builder, mapping.lookup(value), 0);
      if (auto arg = dyn_cast<BlockArgument>(value))
        if (auto levels = dyn_cast<LevelsOp>(arg.getOwner()->getParentOp()))
          return ofLevels(levels, arg);
      std::optional<RowOrigin> origin = originOfRows(value);
      if (!origin)
        return value.getDefiningOp() ? ofStructure(value) : Value();
      if (origin->count)
        return built(*origin);
      value = origin->source;
    }
  }

  /// What stands for a partition, a forest or a number. Null if it depends on
  /// what the entry computes.
  Value rebuild(Value value) {
    if (mapping.contains(value))
      return mapping.lookup(value);
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      auto levels = dyn_cast<LevelsOp>(arg.getOwner()->getParentOp());
      if (!levels || arg != levels.getEdgesArg())
        return {};
      Value edges = edgesOf(levels);
      if (edges)
        mapping.map(value, edges);
      return edges;
    }
    Operation *op = value.getDefiningOp();
    if (isa<tensor::DimOp>(op))
      return of(op->getOperand(0));
    if (!isPure(op) || op->getNumRegions() || isa<WorkOpInterface>(op))
      return {};
    for (Value operand : op->getOperands())
      if (!rebuild(operand))
        return {};
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

private:
  Value edgesOf(LevelsOp levels) {
    Value forest = rebuild(levels.getForest());
    return forest ? EdgesOp::create(builder, forest, levels.getPart(),
                                    levels.getCuts())
                  : Value();
  }

  /// The rows of all levels.
  Value ofLevels(LevelsOp levels, BlockArgument arg) {
    auto isIn = [&](Block::BlockArgListType args) {
      return llvm::is_contained(args, arg);
    };
    bool isUp = levels.getDirection() == Direction::Up;
    if (isIn(levels.getEdgeArgs()) ||
        (isUp && isIn(levels.getRecurrentArgs()))) {
      Value edges = edgesOf(levels);
      return edges ? NumRowsOp::create(builder, edges) : Value();
    }
    if (!isIn(levels.getNodeArgs()) && !isIn(levels.getRecurrentArgs()))
      return {};
    Value forest = rebuild(levels.getForest());
    return forest ? NumNodesOp::create(builder, forest, levels.getPart())
                  : Value();
  }

  /// Index arrays of a forest and the like are made again.
  Value ofStructure(Value value) {
    Value same = rebuild(value);
    return same ? tensor::DimOp::create(builder, same, 0) : Value();
  }

  Value built(const RowOrigin &origin) {
    Value source = rebuild(origin.source);
    return source ? origin.count(builder, builder.getLoc(), source) : Value();
  }

  ImplicitLocOpBuilder &builder;
  IRMapping mapping;
};

/// Makes the function of one entry.
class OperationCounter {
public:
  explicit OperationCounter(func::FuncOp entry)
      : entry(entry), builder(entry.getLoc(), entry.getContext()) {}

  void run();

private:
  func::FuncOp createFunction();
  std::optional<double> timesOf(Operation *op);
  bool add(Operation *op, RowNumbers &numbers);
  Value numberOfPairs(const Work &work, RowNumbers &numbers);
  double bytesOf(RankedTensorType type, bool inProducts, bool otherwise);
  double bytesOfParameters();
  Value constant(double value) {
    return arith::ConstantOp::create(builder, builder.getF64FloatAttr(value));
  }

  func::FuncOp entry;
  ImplicitLocOpBuilder builder;
  /// The operations so far: a fixed number, and an f64.
  double fixed = 0;
  Value total;
};
} // namespace

func::FuncOp OperationCounter::createFunction() {
  auto number = RankedTensorType::get({}, builder.getF64Type());
  SmallVector<DictionaryAttr> results;
  for (StringRef name : {"operations", "bytes"}) {
    auto output = rt::OutputAttr::get(
        builder.getContext(), builder.getStringAttr(name), rt::kPerCall);
    results.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(rt::kRoleAttr, output)));
  }
  builder.setInsertionPointAfter(entry);
  auto function = func::FuncOp::create(
      builder, (entry.getName() + ".operations").str(),
      builder.getFunctionType(entry.getArgumentTypes(), {number, number}));
  SmallVector<DictionaryAttr> args;
  entry.getAllArgAttrs(args);
  function.setAllArgAttrs(args);
  function.setAllResultAttrs(results);
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// How often loops around an op execute it for the same rows. None if that
/// depends on what they compute.
std::optional<double> OperationCounter::timesOf(Operation *op) {
  double times = 1;
  for (Operation *parent = op->getParentOp(); parent != entry;
       parent = parent->getParentOp()) {
    if (auto repeat = dyn_cast<RepeatOp>(parent))
      times *= static_cast<double>(repeat.getCount());
    else if (!isa<LevelsOp>(parent))
      return std::nullopt;
  }
  return times;
}

/// The sum over the rows of the first partition of how many the second one has
/// in the same segment.
Value OperationCounter::numberOfPairs(const Work &work, RowNumbers &numbers) {
  Value firsts = numbers.rebuild(work.firsts),
        seconds = numbers.rebuild(work.seconds);
  if (!firsts || !seconds)
    return {};
  auto one = RankedTensorType::get({}, builder.getF64Type());
  auto many =
      RankedTensorType::get({ShapedType::kDynamic}, builder.getF64Type());
  Value unit = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(one, builder.getF64FloatAttr(1.0)));
  Value ones = BroadcastOp::create(builder, many, unit,
                                   NumRowsOp::create(builder, seconds));
  Value sizes = ReduceOp::create(builder, ReduceKind::Sum, ones, seconds);
  Value each = ExpandOp::create(builder, sizes, firsts);
  Value sum = nn::SumOp::create(builder, each, 0);
  return tensor::ExtractOp::create(builder, sum, ValueRange());
}

bool OperationCounter::add(Operation *op, RowNumbers &numbers) {
  std::optional<Work> work = cast<WorkOpInterface>(op).getWork();
  std::optional<double> times = timesOf(op);
  if (!work || !times)
    return false;
  double operations = work->operations * *times;
  if (!work->rows && !work->firsts) {
    fixed += operations;
    return true;
  }
  Value count;
  if (work->rows) {
    if (Value rows = numbers.of(work->rows))
      count = arith::SIToFPOp::create(
          builder, builder.getF64Type(),
          arith::IndexCastOp::create(builder, builder.getI64Type(), rows));
  } else {
    count = numberOfPairs(*work, numbers);
  }
  if (!count)
    return false;
  Value product = arith::MulFOp::create(builder, count, constant(operations));
  total = arith::AddFOp::create(builder, total, product);
  return true;
}

/// How a parameter is read: in products as their right operand, and otherwise.
static void findReaders(Value value, bool &inProducts, bool &otherwise) {
  for (OpOperand &use : value.getUses()) {
    auto product = dyn_cast<nn::LinearOp>(use.getOwner());
    if (auto slice = dyn_cast<SliceOp>(use.getOwner()))
      findReaders(slice.getResult(), inProducts, otherwise);
    else if (product && &use == &product.getWeightMutable())
      inProducts = true;
    else
      otherwise = true;
  }
}

/// Of a parameter: of the words that products read in place of it, and of its
/// value where that is read.
double OperationCounter::bytesOf(RankedTensorType type, bool inProducts,
                                 bool otherwise) {
  auto module = entry->getParentOfType<ModuleOp>();
  rt::PanelFormat format = rt::getPanelFormat(module);
  TargetCosts costs = rt::getTargetCosts(module);
  double value = static_cast<double>(type.getNumElements()) *
                 (type.getElementTypeBitWidth() / 8.0);
  if (!inProducts || type.getRank() < 2 || rt::findTraining(entry))
    return value;
  auto matrix = RankedTensorType::get(type.getShape().take_back(2),
                                      type.getElementType());
  if (rt::isGpu(rt::getTarget(module)) || !rt::hasPanels(matrix, costs) ||
      !rt::whyNoWords(matrix, format, costs).empty())
    return value;
  MemRefType words = rt::getPanelsType(type, costs.panelColumns(4), format);
  return static_cast<double>(words.getNumElements()) * 4 +
         (otherwise ? value : 0);
}

/// Of those that are not read by rows.
double OperationCounter::bytesOfParameters() {
  SymbolTableCollection symbols;
  llvm::MapVector<Operation *, std::pair<bool, bool>> readers;
  entry.walk([&](nn::UseOp use) {
    auto &[inProducts, otherwise] =
        readers[symbols.lookupNearestSymbolFrom(use, use.getParamAttr())];
    findReaders(use.getResult(), inProducts, otherwise);
  });
  double bytes = 0;
  for (auto [op, how] : readers) {
    auto param = dyn_cast_or_null<nn::ParamOp>(op);
    if (param && !param.getRowSparse())
      bytes += bytesOf(cast<RankedTensorType>(param.getType()), how.first,
                       how.second);
  }
  return bytes;
}

void OperationCounter::run() {
  func::FuncOp function = createFunction();
  total = constant(0);
  RowNumbers numbers(entry, function, builder);
  Operation *unknown = nullptr;
  entry.walk([&](WorkOpInterface op) {
    if (add(op, numbers))
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  if (unknown) {
    remarkMissed(unknown, countFlag)
        << "operations are not counted: how many rows there are depends on "
           "what is computed";
    function.erase();
    return;
  }
  total = arith::AddFOp::create(builder, total, constant(fixed));
  auto number = RankedTensorType::get({}, builder.getF64Type());
  SmallVector<Value> results;
  for (Value value : {total, constant(bytesOfParameters())})
    results.push_back(
        tensor::FromElementsOp::create(builder, number, ValueRange{value}));
  func::ReturnOp::create(builder, results);
}

namespace {
struct CountOperations
    : cambium::ragged::impl::CountOperationsBase<CountOperations> {
  using CountOperationsBase::CountOperationsBase;
  void runOnOperation() override {
    for (auto entry : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (entry.isPublic() && !entry.isExternal() && entry.getNumResults())
        OperationCounter(entry).run();
  }
};
} // namespace
