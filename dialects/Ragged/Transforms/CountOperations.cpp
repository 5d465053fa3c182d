//===-- CountOperations.cpp - What a batch needs at least -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products are summed up by the innermost loop that reads their weights again
// each time. Between two readings the loop reads the other ones of the same
// sum: together they are in a cache, or they are not.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/WorkOpInterface.h"
#include "cambium/Support/Remarks.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/Panels.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "dialects/Ragged/Transforms/RowNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cambium::ragged {
#define GEN_PASS_DEF_COUNTOPERATIONS
#include "dialects/Ragged/Transforms/Passes.h.inc"
} // namespace cambium::ragged

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr llvm::StringLiteral countFlag = "ragged-count-operations";

namespace {
/// What products of a loop need in all its executions together.
struct LoopWork {
  /// Operations: a fixed number, and an f64.
  double fixed = 0;
  Value total;
  /// Arrays without rows, which each execution of its body reads or writes.
  llvm::SmallPtrSet<Value, 8> arrays;
  double bytes = 0;
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
  LoopWork &loopOf(Operation *op);
  void addArrays(Operation *op, LoopWork &loop);
  Value numberOfPairs(const Work &work, RowNumbers &numbers);
  Value executionsOf(Operation *loop, RowNumbers &numbers);
  double bytesOf(RankedTensorType type, bool inProducts, bool otherwise);
  double bytesOfParameters();
  void returnSums(RowNumbers &numbers);
  Value constant(double value) {
    return arith::ConstantOp::create(builder, builder.getF64FloatAttr(value));
  }

  func::FuncOp entry;
  ImplicitLocOpBuilder builder;
  /// By the loop, or the entry. The latter comes first.
  llvm::MapVector<Operation *, LoopWork> loops;
};
} // namespace

func::FuncOp OperationCounter::createFunction() {
  loops[entry];
  entry.walk([&](WorkOpInterface op) { loopOf(op); });
  auto number = RankedTensorType::get({}, builder.getF64Type());
  auto table = RankedTensorType::get({static_cast<int64_t>(loops.size()), 3},
                                     builder.getF64Type());
  SmallVector<DictionaryAttr> results;
  for (StringRef name : {"operations", "bytes", "loops"}) {
    auto output = rt::OutputAttr::get(
        builder.getContext(), builder.getStringAttr(name), rt::kPerCall);
    results.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(rt::kRoleAttr, output)));
  }
  builder.setInsertionPointAfter(entry);
  auto function =
      func::FuncOp::create(builder, (entry.getName() + ".operations").str(),
                           builder.getFunctionType(entry.getArgumentTypes(),
                                                   {number, number, table}));
  SmallVector<DictionaryAttr> args;
  entry.getAllArgAttrs(args);
  function.setAllArgAttrs(args);
  function.setAllResultAttrs(results);
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// How often a loop executes its region for the same rows, at most where these
/// stop. None for one over levels, and where it is not known before.
static std::optional<double> iterationsOf(Operation *loop) {
  return llvm::TypeSwitch<Operation *, std::optional<double>>(loop)
      .Case([](RepeatOp op) { return static_cast<double>(op.getCount()); })
      .Case([](IterateOp op) { return static_cast<double>(op.getMax()); })
      .Default(std::nullopt);
}

/// How often loops around an op execute it for the same rows. None if that
/// depends on what they compute.
std::optional<double> OperationCounter::timesOf(Operation *op) {
  double times = 1;
  for (Operation *parent = op->getParentOp(); parent != entry;
       parent = parent->getParentOp()) {
    if (std::optional<double> iterations = iterationsOf(parent))
      times *= *iterations;
    else if (!isa<LevelsOp>(parent))
      return std::nullopt;
  }
  return times;
}

/// The loop whose iteration, or whose level, a number is. Null if it is none.
static Operation *loopOfNumber(Value number) {
  if (auto iteration = number.getDefiningOp<IterationOp>())
    number = iteration.getRows();
  auto arg = dyn_cast<BlockArgument>(number);
  return arg ? arg.getOwner()->getParentOp() : nullptr;
}

/// The array of which loops choose slices, one after the other.
static Value stackOf(Value array, function_ref<void(Operation *)> chosenBy) {
  while (auto slice = array.getDefiningOp<SliceOp>()) {
    Operation *loop = loopOfNumber(slice.getNumber());
    if (!isa_and_present<RepeatOp, IterateOp, LevelsOp>(loop))
      break;
    chosenBy(loop);
    array = slice.getInput();
  }
  return array;
}

static bool isWithoutRows(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// The innermost loop whose executions read the same weights: none that chooses
/// slices of them.
LoopWork &OperationCounter::loopOf(Operation *op) {
  Operation *home = op->getParentOp();
  for (Value operand : op->getOperands())
    stackOf(operand, [&](Operation *loop) {
      if (loop->isAncestor(home))
        home = loop->getParentOp();
    });
  return loops[home];
}

/// Operands and results without rows: any machine has to move them.
void OperationCounter::addArrays(Operation *op, LoopWork &loop) {
  auto addArray = [&](Value array, bool isWeight) {
    if (isWithoutRows(array) && loop.arrays.insert(array).second)
      loop.bytes += bytesOf(cast<RankedTensorType>(array.getType()), isWeight,
                            /*otherwise=*/!isWeight);
  };
  auto linear = dyn_cast<nn::LinearOp>(op);
  for (Value operand : op->getOperands()) {
    Value stack = stackOf(operand, [](Operation *) {});
    addArray(stack, linear && operand == linear.getWeight() &&
                        stack.getDefiningOp<nn::UseOp>());
  }
  for (Value result : op->getResults())
    addArray(result, /*isWeight=*/false);
}

/// In how many levels the rows of a partition stand, where a level is an
/// iteration of all rows.
static double iterationsAsLevels(Value partition) {
  auto group = partition.getDefiningOp<GroupOp>();
  auto ids = group ? dyn_cast<BlockArgument>(group.getIds()) : BlockArgument();
  auto levels =
      ids ? dyn_cast<LevelsOp>(ids.getOwner()->getParentOp()) : LevelsOp();
  auto iterations = levels ? levels.getForest().getDefiningOp<IterationsOp>()
                           : IterationsOp();
  return iterations ? static_cast<double>(iterations.getMax()) : 1;
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
  Value pairs = tensor::ExtractOp::create(builder, sum, ValueRange());
  double levels = iterationsAsLevels(work.firsts);
  return levels == 1 ? pairs
                     : arith::MulFOp::create(builder, pairs, constant(levels));
}

bool OperationCounter::add(Operation *op, RowNumbers &numbers) {
  std::optional<Work> work = cast<WorkOpInterface>(op).getWork();
  std::optional<double> times = timesOf(op);
  if (!work || !times)
    return false;
  LoopWork &loop = loopOf(op);
  addArrays(op, loop);
  double operations = work->operations * *times;
  if (!work->rows && !work->firsts) {
    loop.fixed += operations;
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
  loop.total = loop.total ? arith::AddFOp::create(builder, loop.total, product)
                          : product;
  return true;
}

/// How often the body of a loop is executed, an f64; 0 if it is not known.
Value OperationCounter::executionsOf(Operation *loop, RowNumbers &numbers) {
  double times = 1;
  Value levels;
  for (; loop != entry; loop = loop->getParentOp()) {
    if (std::optional<double> iterations = iterationsOf(loop)) {
      times *= *iterations;
      continue;
    }
    Value each = numbers.levelsOf(cast<LevelsOp>(loop));
    if (!each)
      return constant(0);
    levels = levels ? arith::MulFOp::create(builder, levels, each) : each;
  }
  if (!levels || times != 1) {
    Value fixed = constant(times);
    return levels ? arith::MulFOp::create(builder, levels, fixed) : fixed;
  }
  return levels;
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

void OperationCounter::returnSums(RowNumbers &numbers) {
  Value total = constant(0);
  SmallVector<Value> cells;
  for (auto &[op, loop] : loops) {
    Value sum = constant(loop.fixed);
    if (loop.total)
      sum = arith::AddFOp::create(builder, loop.total, sum);
    total = arith::AddFOp::create(builder, total, sum);
    cells.append({sum, constant(loop.bytes), executionsOf(op, numbers)});
  }
  auto number = RankedTensorType::get({}, builder.getF64Type());
  auto table = RankedTensorType::get({static_cast<int64_t>(loops.size()), 3},
                                     builder.getF64Type());
  SmallVector<Value> results;
  for (Value value : {total, constant(bytesOfParameters())})
    results.push_back(
        tensor::FromElementsOp::create(builder, number, ValueRange{value}));
  results.push_back(tensor::FromElementsOp::create(builder, table, cells));
  func::ReturnOp::create(builder, results);
}

void OperationCounter::run() {
  func::FuncOp function = createFunction();
  RowNumbers numbers(entry, function, builder);
  Operation *unknown = nullptr;
  entry.walk([&](WorkOpInterface op) {
    if (add(op, numbers))
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  if (!unknown) {
    if (numbers.isBound())
      remarkPassed(entry.front().getTerminator(), countFlag)
          << "no more operations are done than are counted: as if no row "
             "stopped, and each number of rows were the largest";
    return returnSums(numbers);
  }
  remarkMissed(unknown, countFlag)
      << "operations are not counted: how many rows there are depends on "
         "what is computed";
  function.erase();
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
