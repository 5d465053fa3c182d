//===-- dialects/RT/IR/RTOps.cpp - Verification of rt operations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cambium::rt;

#define GET_OP_CLASSES
#include "dialects/RT/IR/RTOps.cpp.inc"

using Param = cambium::nn::ParamOp;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

int64_t cambium::rt::getWordElements(PanelFormat format) {
  return format == PanelFormat::Int8 ? 4 : format == PanelFormat::BF16 ? 2 : 1;
}

MemRefType cambium::rt::getPanelsType(ShapedType matrices, int64_t width,
                                      PanelFormat format) {
  SmallVector<int64_t> shape(matrices.getShape());
  int64_t columns = shape.pop_back_val();
  shape.insert(shape.end() - 1, llvm::divideCeil(columns, width));
  if (format != PanelFormat::Values) {
    shape.back() = llvm::divideCeil(shape.back(), getWordElements(format)) +
                   (format == PanelFormat::Int8 ? 2 : 0);
    shape.push_back(width);
    return MemRefType::get(shape, IntegerType::get(matrices.getContext(), 32));
  }
  shape.push_back(width);
  SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
  strides.back() = 1;
  return MemRefType::get(
      shape, matrices.getElementType(),
      StridedLayoutAttr::get(matrices.getContext(), 0, strides));
}

/// The parameter that an op names, or null after an error.
static Param findParam(Operation *op, FlatSymbolRefAttr name,
                       SymbolTableCollection &tables) {
  auto param = tables.lookupNearestSymbolFrom<Param>(op, name);
  if (!param)
    // [RT-PARAM-C1]
    op->emitOpError("expected the name of an nn.param, but got ") << name;
  return param;
}

MemRefType cambium::rt::getFactoredState(ShapedType type, int64_t slot) {
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.end() - 1 - slot);
  return MemRefType::get(shape, type.getElementType());
}

/// The memory has the shape and the element type of the parameter.
static LogicalResult verifyLikeParam(Operation *op, FlatSymbolRefAttr name,
                                     SymbolTableCollection &tables) {
  Param param = findParam(op, name, tables);
  if (!param)
    return failure();
  auto type = cast<RankedTensorType>(param.getType());
  auto memref = cast<MemRefType>(op->getResult(0).getType());
  auto state = dyn_cast<StateOp>(op);
  if (state && type.getRank() >= 2 &&
      memref == getFactoredState(type, state.getSlot()))
    return success();
  if (memref.getShape() == type.getShape() &&
      memref.getElementType() == type.getElementType() &&
      memref.getLayout().isIdentity())
    return success();
  // [RT-PARAM-C2]
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected ")
      << MemRefType::get(type.getShape(), type.getElementType()) << ", but got "
      << memref;
  diagnostic.attachNote(param.getLoc()) << "the parameter is declared here";
  return diagnostic;
}

/// The matrices of the parameter are in panels of some width.
static LogicalResult verifyPanels(PanelsOp op, FlatSymbolRefAttr name,
                                  SymbolTableCollection &tables) {
  Param param = findParam(op, name, tables);
  if (!param)
    return failure();
  auto type = cast<RankedTensorType>(param.getType());
  MemRefType memref = op.getType();
  int64_t width = memref.getRank() ? memref.getShape().back() : 0;
  bool isMatrix =
      type.getRank() >= 2 && width >= 1 && width <= type.getShape().back();
  bool isFormat =
      op.getFormat() == PanelFormat::Values || type.getElementType().isF32();
  if (isMatrix && isFormat &&
      memref == getPanelsType(type, width, op.getFormat()))
    return success();
  // [RT-PANELS-C1], [RT-PANELS-C2], [RT-PANELS-C3]
  InFlightDiagnostic diagnostic = op.emitOpError("expected ");
  if (!isFormat)
    diagnostic << "a parameter of f32 for '"
               << stringifyPanelFormat(op.getFormat()) << "'";
  else if (isMatrix)
    diagnostic << getPanelsType(type, width, op.getFormat());
  else
    diagnostic << "panels of some columns of a matrix";
  diagnostic << ", but got " << memref;
  diagnostic.attachNote(param.getLoc()) << "the parameter is declared here";
  return diagnostic;
}

static LogicalResult verifyRowsOfParam(Operation *op, FlatSymbolRefAttr name,
                                       SymbolTableCollection &tables) {
  Param param = findParam(op, name, tables);
  if (!param)
    return failure();
  if (param.getRowSparse())
    return success();
  // [RT-TOUCH-C1]
  InFlightDiagnostic diagnostic =
      op->emitOpError(
          "expected a parameter whose gradient is 'row_sparse', but got '")
      << param.getName() << "'";
  diagnostic.attachNote(param.getLoc()) << "the parameter is declared here";
  return diagnostic;
}

#define VERIFY_WITH(OP, FUNCTION)                                              \
  LogicalResult OP::verifySymbolUses(SymbolTableCollection &tables) {          \
    return FUNCTION(*this, getParamAttr(), tables);                            \
  }
VERIFY_WITH(cambium::rt::ParamOp, verifyLikeParam)
VERIFY_WITH(PanelsOp, verifyPanels)
VERIFY_WITH(GradientOp, verifyLikeParam)
VERIFY_WITH(StateOp, verifyLikeParam)
VERIFY_WITH(TouchedOp, verifyRowsOfParam)
VERIFY_WITH(NumTouchedOp, verifyRowsOfParam)
VERIFY_WITH(TouchedFlagsOp, verifyRowsOfParam)
VERIFY_WITH(SetNumTouchedOp, verifyRowsOfParam)
VERIFY_WITH(TouchOp, verifyRowsOfParam)
VERIFY_WITH(ClearTouchedOp, verifyRowsOfParam)
#undef VERIFY_WITH

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

SmallVector<std::string> TrainingOp::getScalarNames() {
  SmallVector<std::string> names;
  for (StringRef group : getGroups().getAsValueRange<StringAttr>())
    names.push_back(("lr." + group).str());
  names.push_back("gradient_scale");
  return names;
}

LogicalResult TargetOp::verify() {
  if (hasMath(getProcessor(), getMath()))
    return success();
  // [RT-TARGET-C1]
  return emitOpError("expected a GPU from sm_80 on for 'math ")
         << stringifyMath(getMath()) << "', but got "
         << getProcessor().getCpu();
}

LogicalResult TrainingOp::verify() {
  for (StringRef group : getGroups().getAsValueRange<StringAttr>())
    if (!getOptimizers().contains(group))
      // [RT-TRAINING-C1]
      return emitOpError("expected an optimizer of group '")
             << group << "', but got " << getOptimizers();
  if (getOptimizers().size() != getGroups().size())
    // [RT-TRAINING-C2]
    return emitOpError("expected one optimizer per group, but got ")
           << getGroups().size() << " groups and " << getOptimizers().size()
           << " optimizers";
  return success();
}

LogicalResult TrainingOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (FlatSymbolRefAttr name : {getAccumulateAttr(), getApplyAttr()}) {
    auto entry =
        tables.lookupNearestSymbolFrom<FunctionOpInterface>(*this, name);
    if (!entry || !isEntry(entry))
      // [RT-TRAINING-C3]
      return emitOpError("expected the name of a public function, but got ")
             << name;
    // The scalars of `apply`; `accumulate` has none.
    int64_t scalars = name == getApplyAttr() ? getGroups().size() + 1 : 0;
    WalkResult walk = entry.walk([&](ScalarOp op) -> WalkResult {
      if (static_cast<int64_t>(op.getIndex()) < scalars)
        return WalkResult::advance();
      // [RT-SCALAR-C1]
      InFlightDiagnostic diagnostic =
          op.emitOpError("expected an index below ")
          << scalars << ", the number of scalars of the entry, but got "
          << op.getIndex();
      diagnostic.attachNote(getLoc()) << "the entry is declared here";
      return diagnostic;
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult ManifestOp::verify() {
  if (getEntries().size() == getNames().size())
    return success();
  // [RT-MANIFEST-C1]
  return emitOpError("expected a name for each entry, but got ")
         << getEntries().size() << " entries and " << getNames().size()
         << " names";
}

LogicalResult ManifestOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (auto name : getEntries().getAsRange<FlatSymbolRefAttr>())
    if (!tables.lookupNearestSymbolFrom<FunctionOpInterface>(*this, name))
      // [RT-MANIFEST-C2]
      return emitOpError("expected the name of a function, but got ") << name;
  return success();
}

/// Nobody watches it.
void BarrierOp::build(OpBuilder &, OperationState &) {}

LogicalResult BarrierOp::verify() {
  if (getLimit().has_value() != getFailure().has_value())
    // [RT-BARRIER-C1]
    return emitOpError("expected a limit and a failure together");
  return success();
}

LogicalResult DeviceEntryOp::verify() {
  if (getChains().size() % 2 != 0)
    // [RT-DEVICE-C1]
    return emitOpError("expected a space and a kind for each sequence, but "
                       "got ")
           << getChains().size() << " numbers";
  if (getStatuses().size() != getTexts().size())
    // [RT-DEVICE-C2]
    return emitOpError("expected a text for each status, but got ")
           << getStatuses().size() << " statuses and " << getTexts().size()
           << " texts";
  return success();
}

LogicalResult DeviceEntryOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<FunctionOpInterface>(*this,
                                                          getWorkspaceAttr()))
    return success();
  // [RT-DEVICE-C3]
  return emitOpError("expected the name of a function, but got ")
         << getWorkspaceAttr();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult AtMostOp::fold(FoldAdaptor adaptor) {
  // A size that is known needs no bound, and may be its own.
  if (adaptor.getSize())
    return getSize();
  return getSize() == getBound() ? getSize() : Value();
}

//===----------------------------------------------------------------------===//
// Services
//===----------------------------------------------------------------------===//

void AllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0));
}

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (!type.getLayout().isIdentity())
    // [RT-ALLOC-C1]
    return emitOpError("expected an identity layout, but got ") << type;
  size_t expected = type.getNumDynamicDims();
  if (getSizes().size() != expected)
    // [RT-ALLOC-C2]
    return emitOpError("expected ")
           << expected << " sizes, but got " << getSizes().size();
  return success();
}

LogicalResult ParallelOp::verifyRegions() {
  TypeRange types = getBody().getArgumentTypes();
  if (types.size() == 2 && llvm::all_of(types, llvm::IsaPred<IndexType>))
    return success();
  // [RT-PARALLEL-C1]
  return emitOpError("expected a region with two arguments of type index "
                     "(begin and end), "
                     "but got ")
         << types.size() << " arguments";
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto task = tables.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!task)
    // [RT-LAUNCH-C1]
    return emitOpError("expected the name of a function, but got ")
           << getCalleeAttr();
  SmallVector<Type> types(getCaptures().getTypes());
  types.append(2, IndexType::get(getContext()));
  if (llvm::equal(task.getArgumentTypes(), types) && task.getNumResults() == 0)
    return success();
  // [RT-LAUNCH-C2]
  InFlightDiagnostic diagnostic =
      emitOpError("expected a function of the captured values, begin and end");
  diagnostic.attachNote(task.getLoc()) << "the function is defined here";
  return diagnostic;
}
