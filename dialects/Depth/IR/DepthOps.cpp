//===-- dialects/Depth/IR/DepthOps.cpp - Ops of the depth dialect ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/IR/Loops.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

#define GET_OP_CLASSES
#include "dialects/Depth/IR/DepthOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

template <typename OpT> static Block::BlockArgListType stateArgsOf(OpT op) {
  return op.getBody().getArguments().take_front(op.getInit().size());
}
template <typename OpT> static Block::BlockArgListType sliceArgsOf(OpT op) {
  return op.getBody().getArguments().drop_front(op.getInit().size());
}

bool IterateOp::isPerRow() {
  return !getFixed() && hasRows(getInit().front().getType());
}
ResultRange IterateOp::getStates() {
  return getResults().take_front(getInit().size());
}
Value IterateOp::getSteps() {
  return getFixed() ? Value() : getResults().back();
}
Block::BlockArgListType IterateOp::getStateArgs() { return stateArgsOf(*this); }
Block::BlockArgListType IterateOp::getSliceArgs() { return sliceArgsOf(*this); }
YieldOp IterateOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

Block::BlockArgListType PonderOp::getStateArgs() { return stateArgsOf(*this); }
Block::BlockArgListType PonderOp::getSliceArgs() { return sliceArgsOf(*this); }
YieldOp PonderOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

static bool stopsNothing(YieldOp yield) {
  auto loop = dyn_cast<IterateOp>(yield->getParentOp());
  return loop && loop.getFixed();
}
Value YieldOp::getActive() {
  return stopsNothing(*this) ? Value() : getValues().front();
}
OperandRange YieldOp::getNext() {
  return stopsNothing(*this) ? getValues() : getValues().drop_front();
}

//===----------------------------------------------------------------------===//
// Parameters of iterations
//===----------------------------------------------------------------------===//

LogicalResult
ParameterScopeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           Sharing sharing, StringAttr name) {
  // [DEPTH-ITERATE-C17] [DEPTH-PONDER-C11]
  bool isPath = name.getValue().empty() ||
                llvm::none_of(llvm::split(name.getValue(), '.'),
                              [](StringRef part) { return part.empty(); });
  if (isPath)
    return success();
  return emitError() << "expected a scope of names with a dot between them, "
                        "but got "
                     << name;
}

template <typename OpT> static StringAttr scopeOf(OpT op) {
  ParameterScopeAttr scope = op.getParameterScopeAttr();
  return scope ? scope.getName() : StringAttr();
}
template <typename OpT> static bool isStackedLoop(OpT op) {
  ParameterScopeAttr scope = op.getParameterScopeAttr();
  return scope && scope.getSharing() == Sharing::Stacked;
}
template <typename OpT> static Value addSliceTo(OpT op, Value array) {
  op.getSlicesMutable().append(array);
  return op.getBody().addArgument(rowType(array.getType()), array.getLoc());
}

StringAttr IterateOp::getScopeAttr() { return scopeOf(*this); }
bool IterateOp::isStacked() { return isStackedLoop(*this); }
int64_t IterateOp::getStackSize() { return static_cast<int64_t>(getMax()); }
Value IterateOp::addSlice(Value array) { return addSliceTo(*this, array); }
void IterateOp::clearScope() { removeParameterScopeAttr(); }

StringAttr PonderOp::getScopeAttr() { return scopeOf(*this); }
bool PonderOp::isStacked() { return isStackedLoop(*this); }
int64_t PonderOp::getStackSize() { return static_cast<int64_t>(getMax()); }
Value PonderOp::addSlice(Value array) { return addSliceTo(*this, array); }
void PonderOp::clearScope() { removeParameterScopeAttr(); }

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// One number per row if the carried values are rows, else one.
static Type numbersType(Type carried, Type element) {
  if (hasRows(carried))
    return RankedTensorType::get({ShapedType::kDynamic}, element);
  return RankedTensorType::get({}, element);
}

/// Each array of `slices` has a slice for each iteration.
template <typename OpT> static LogicalResult verifySlices(OpT op) {
  int64_t max = static_cast<int64_t>(op.getMax());
  for (Type type : op.getSlices().getTypes()) {
    auto array = cast<RankedTensorType>(type);
    if (array.hasStaticShape() && array.getRank() > 0 &&
        array.getDimSize(0) == max)
      continue;
    // [DEPTH-ITERATE-C14] [DEPTH-PONDER-C10]
    return op.emitOpError()
           << "expected arrays of static shape with " << max
           << " slices, one for each iteration, but got " << type;
  }
  return success();
}

/// What loops have in common: their maximum, what they carry, their results.
template <typename OpT>
static LogicalResult verifyLoop(OpT op, bool isFixed = false) {
  int64_t max = static_cast<int64_t>(op.getMax());
  // [DEPTH-ITERATE-C1] [DEPTH-PONDER-C1]
  if (max < 1)
    return op.emitOpError()
           << "expected a positive maximum of iterations, but got " << max;
  if (op.getInit().empty())
    return op.emitOpError("expected at least one carried value");
  Type first = op.getInit().front().getType();
  for (Type type : op.getInit().getTypes())
    // [DEPTH-ITERATE-C3] [DEPTH-PONDER-C3]
    if (!isFixed && hasRows(type) != hasRows(first))
      return op.emitOpError()
             << "expected all carried values to be rows, or none, but got "
             << first << " and " << type;
  SmallVector<Type> expected(op.getInit().getTypes());
  if (!isFixed)
    expected.push_back(
        numbersType(first, IntegerType::get(op.getContext(), 32)));
  if constexpr (std::is_same_v<OpT, PonderOp>)
    expected.push_back(numbersType(first, getElementTypeOrSelf(first)));
  if (!(TypeRange(expected) != TypeRange(op->getResultTypes())))
    return verifySlices(op);
  return op.emitOpError() << "expected results of types (" << expected
                          << "), but got (" << op->getResultTypes() << ")";
}

/// What the bodies of loops have in common: no side effects.
LogicalResult depth::verifyNoEffects(Operation *op, Region &body) {
  // [DEPTH-ITERATE-C6] [DEPTH-PONDER-C6] [DEPTH-SEARCH-C7]
  WalkResult result = body.walk([&](Operation *inner) {
    // Calls are looked into when they are inlined, regions op by op.
    if (isa<CallOpInterface>(inner) ||
        inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(inner))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError(
        "expected a body without side effects: it is computed for the rows "
        "that go on, and an unknown number of times");
    diag.attachNote(inner->getLoc()) << "this op has one";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// What the bodies of loops have in common: arguments, what they yield after
/// `deciding` (flags or probabilities, if something stops), no side effects.
template <typename OpT>
static LogicalResult verifyBody(OpT op, Type deciding, StringRef what) {
  SmallVector<Type> args(op.getInit().getTypes());
  for (Type array : op.getSlices().getTypes())
    args.push_back(rowType(array));
  // [DEPTH-ITERATE-C4] [DEPTH-PONDER-C4]
  if (op.getBody().getArgumentTypes() != TypeRange(args))
    return op.emitOpError()
           << "expected region arguments of types (" << args << "), but got ("
           << op.getBody().getArgumentTypes() << ")";
  YieldOp yield = op.getYield();
  // [DEPTH-ITERATE-C5] [DEPTH-PONDER-C5]
  SmallVector<Type> expected;
  if (deciding)
    expected.push_back(deciding);
  llvm::append_range(expected, op.getInit().getTypes());
  if (TypeRange(expected) != TypeRange(yield.getOperandTypes())) {
    InFlightDiagnostic diag =
        op.emitOpError() << "expected to yield " << what << "the next values ("
                         << expected << "), but got ("
                         << yield.getOperandTypes() << ")";
    diag.attachNote(yield.getLoc()) << "it is yielded here";
    return diag;
  }
  return verifyNoEffects(op, op.getBody());
}

static Type flagsOf(IterateOp op) {
  return numbersType(op.getInit().front().getType(),
                     IntegerType::get(op.getContext(), 1));
}

LogicalResult IterateOp::verify() {
  if (failed(verifyLoop(*this, getFixed())))
    return failure();
  // [DEPTH-ITERATE-C16]
  if (getFixed() && (getActive() || getForm() != Form::Auto))
    return emitOpError() << "expected no '"
                         << (getActive() ? "active" : stringifyForm(getForm()))
                         << "' in a loop that nothing stops (with 'max', rows "
                            "stop)";
  if (!getActive())
    return success();
  // [DEPTH-ITERATE-C11]
  Type expected = flagsOf(*this);
  if (getActive().getType() == expected)
    return success();
  return emitOpError() << "expected flags of type " << expected
                       << " that say what starts active, but got "
                       << getActive().getType();
}
LogicalResult IterateOp::verifyRegions() {
  if (getFixed())
    return verifyBody(*this, Type(), "");
  return verifyBody(*this, flagsOf(*this), "flags and ");
}

LogicalResult PonderOp::verify() {
  double epsilon = getEpsilon().convertToDouble();
  // [DEPTH-PONDER-C2]
  if (!(epsilon >= 0 && epsilon < 1))
    return emitOpError() << "expected an epsilon in [0, 1), but got "
                         << epsilon;
  return verifyLoop(*this);
}
LogicalResult PonderOp::verifyRegions() {
  Type first = getInit().front().getType();
  return verifyBody(*this, numbersType(first, getElementTypeOrSelf(first)),
                    "probabilities and ");
}
