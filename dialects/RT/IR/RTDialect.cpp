//===-- dialects/RT/IR/RTDialect.cpp - The rt dialect and its attributes --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::rt;

#include "dialects/RT/IR/RTDialect.cpp.inc"
#include "dialects/RT/IR/RTEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/RT/IR/RTAttrs.cpp.inc"

void RTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/RT/IR/RTAttrs.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/RT/IR/RTOps.cpp.inc"
      >::registerIn(*this);
}

FlatSymbolRefAttr cambium::rt::getParam(Operation *op) {
  return isa_and_nonnull<RTDialect>(op->getDialect())
             ? op->getAttrOfType<FlatSymbolRefAttr>("param")
             : FlatSymbolRefAttr();
}

bool cambium::rt::isEntry(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && function.isPublic() && !function.isExternal();
}

Attribute cambium::rt::getArgumentRole(FunctionOpInterface function,
                                       unsigned index) {
  return function.getArgAttr(index, kRoleAttr);
}

Attribute cambium::rt::getResultRole(FunctionOpInterface function,
                                     unsigned index) {
  return function.getResultAttr(index, kRoleAttr);
}

bool cambium::rt::isBatched(FunctionOpInterface function) {
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (!getArgumentRole(function, i))
      return false;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (!getResultRole(function, i))
      return false;
  return true;
}

TrainingOp cambium::rt::findTraining(FunctionOpInterface function) {
  auto module = function->getParentOfType<ModuleOp>();
  for (auto training : module.getOps<TrainingOp>())
    if (llvm::is_contained({training.getAccumulate(), training.getApply()},
                           function.getName()))
      return training;
  return {};
}

static TargetOp findTarget(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  if (module)
    for (auto target : module.getOps<TargetOp>())
      return target;
  return {};
}

ProcessorAttr cambium::rt::getTarget(Operation *op) {
  TargetOp target = findTarget(op);
  return target ? target.getProcessor() : ProcessorAttr();
}

Math cambium::rt::getMath(Operation *op) {
  TargetOp target = findTarget(op);
  if (!target)
    return Math::F32;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  if (target.getMath() == Math::BF16 && function && findTraining(function))
    return Math::F32;
  return target.getMath();
}

Weights cambium::rt::getWeights(Operation *op) {
  TargetOp target = findTarget(op);
  return target ? target.getWeights() : Weights::Same;
}

bool cambium::rt::isGpu(ProcessorAttr target) {
  return target && target.getTriple().getValue().starts_with("nvptx");
}

bool cambium::rt::hasMath(ProcessorAttr target, Math math) {
  if (math == Math::F32)
    return true;
  if (!isGpu(target))
    return math == Math::BF16;
  // Tensor cores have both from there on.
  unsigned number = 0;
  StringRef name = target.getCpu().getValue();
  return name.consume_front("sm_") && !name.consumeInteger(10, number) &&
         number >= 80;
}

cambium::TargetCosts cambium::rt::getTargetCosts(Operation *op) {
  TargetCosts costs;
  ProcessorAttr target = getTarget(op);
  if (!target)
    return costs;
  auto flags = target.getFlags().getAsValueRange<StringAttr>();
  auto has = [&](StringRef name) { return llvm::is_contained(flags, name); };
  costs.hasFMA = has("fma") || isGpu(target);
  if (has("avx2"))
    costs.vectorBytes = 32;
  bool isWide =
      has("avx512f") && has("avx512vl") && has("avx512dq") && has("avx512bw");
  if (isWide) {
    costs.vectorBytes = 64;
    costs.vectorRegisters = 32;
    costs.tileVectors = 4;
    // A row of a panel has four lines instead of one. With more rows of a
    // matrix of 1,024 and more columns, they have no room in the sets of the
    // second cache that they can be in.
    costs.reductionBlock = costs.copiedReductionBlock = 128;
    // AVX2 gathers in more time than so many loads take. The estimates of older
    // instructions have 12 bits, and their divisions take less time.
    costs.hasGathers = costs.hasReciprocal = true;
  }
  costs.hasInt8Dot = isWide ? has("avx512_vnni") : has("avx_vnni");
  // The left operand is converted by the instruction of the third one.
  bool hasTiles = isWide && has("amx_tile") && has("avx512_bf16");
  costs.hasBF16Tiles = hasTiles && has("amx_bf16");
  costs.hasInt8Tiles = hasTiles && has("amx_int8");
  // Tiles read a panel in so little time that more rows are to share it.
  if (costs.hasBF16Tiles)
    costs.convertedRowBytes = 1024;
  // These decode it into several multiplications, which take twice the time of
  // those of f32: 96e9 to 104e9 operations per second beside 211e9 to 225e9.
  bool isSlow = llvm::is_contained(
      {"sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d"},
      target.getCpu().getValue());
  costs.hasBF16Dot = isWide && has("avx512_bf16") && !isSlow;
  return costs;
}

bool cambium::rt::isInParallel(Operation *op) {
  while ((op = op->getParentOp()))
    if (isa<ForEachOp, ParallelOp>(op))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Roles of arguments and results
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult ForestAttr::verify(EmitError emitError, StringAttr, int64_t space,
                                 int64_t arity, bool) {
  if (space < 0)
    // [RT-FOREST-C1]
    return emitError() << "expected the space of a tree's nodes to be at least "
                          "0, but got "
                       << space;
  if (arity < -1)
    // [RT-FOREST-C2]
    return emitError() << "expected an arity of at least -1, but got " << arity;
  return success();
}

LogicalResult InputAttr::verify(EmitError emitError, StringAttr, int64_t space,
                                int64_t edgesOf, int64_t limit) {
  if (space < kPerCall)
    // [RT-INPUT-C1]
    return emitError() << "expected a space of at least -2, but got " << space;
  if (edgesOf < -1)
    // [RT-INPUT-C2]
    return emitError() << "expected edges of a tree from 0 on, but got "
                       << edgesOf;
  if (space >= 0 && edgesOf >= 0)
    // [RT-INPUT-C3]
    return emitError() << "expected rows of a space or edges of a tree, but "
                          "got both: space "
                       << space << ", tree " << edgesOf;
  if (limit < -1)
    // [RT-INPUT-C4]
    return emitError() << "expected a limit of at least -1, but got " << limit;
  return success();
}

LogicalResult RowsAttr::verify(EmitError emitError, StringAttr, int64_t in) {
  if (in < kPerExample)
    // [RT-ROWS-C1]
    return emitError() << "expected rows in a space of at least -1, but got "
                       << in;
  return success();
}

LogicalResult OutputAttr::verify(EmitError emitError, StringAttr,
                                 int64_t space) {
  if (space < kPerCall)
    // [RT-OUTPUT-C1]
    return emitError() << "expected a space of at least -2, but got " << space;
  return success();
}

/// Whether a value of the type can be what the attribute says.
static bool fits(Type type, Attribute role, bool isResult) {
  if (isResult)
    return isa<RankedTensorType>(type) && isa<OutputAttr>(role);
  if (isa<cambium::ragged::RowsType>(type))
    return isa<RowsAttr>(role);
  if (isa<cambium::ragged::ForestType>(type))
    return isa<ForestAttr>(role);
  if (isa<RankedTensorType>(type))
    return isa<InputAttr>(role);
  return isa<MemRefType>(type) && isa<InputAttr, OutputAttr>(role);
}

/// The index of a space, and of a tree, that a role names; -1 for none.
static std::pair<int64_t, int64_t> namedBy(Attribute role) {
  if (auto rows = dyn_cast<RowsAttr>(role))
    return {rows.getIn(), -1};
  if (auto forest = dyn_cast<ForestAttr>(role))
    return {forest.getSpace(), -1};
  if (auto input = dyn_cast<InputAttr>(role))
    return {input.getSpace(), input.getEdgesOf()};
  if (auto output = dyn_cast<OutputAttr>(role))
    return {output.getSpace(), -1};
  return {-1, -1};
}

static LogicalResult verifyRole(Operation *op, unsigned index,
                                NamedAttribute named, bool isResult) {
  if (named.getName() != kRoleAttr)
    return success();
  auto function = cast<FunctionOpInterface>(op);
  StringRef what = isResult ? "result " : "argument ";
  auto error = [&]() -> InFlightDiagnostic {
    return op->emitOpError() << what << index << ": ";
  };
  Attribute role = named.getValue();
  Type type = isResult ? function.getResultTypes()[index]
                       : function.getArgumentTypes()[index];
  if (!fits(type, role, isResult))
    // [RT-AS-C1]
    return error() << "expected 'rt.as' to be what a value of type " << type
                   << " can be, but got " << role;
  ArrayRef<Type> types = function.getArgumentTypes();
  int64_t spaces =
      llvm::count_if(types, llvm::IsaPred<cambium::ragged::RowsType>);
  int64_t trees =
      llvm::count_if(types, llvm::IsaPred<cambium::ragged::ForestType>);
  auto [space, tree] = namedBy(role);
  if (space >= spaces)
    // [RT-AS-C2]
    return error() << "expected a space below " << spaces
                   << ", the number of arguments of type '!ragged.rows', but "
                      "got "
                   << space;
  if (tree >= trees)
    // [RT-AS-C3]
    return error() << "expected edges of a tree below " << trees
                   << ", the number of arguments of type '!ragged.forest', but "
                      "got "
                   << tree;
  return success();
}

LogicalResult RTDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned index,
                                                  NamedAttribute attribute) {
  return verifyRole(op, index, attribute, /*isResult=*/false);
}

LogicalResult RTDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                     unsigned index,
                                                     NamedAttribute attribute) {
  return verifyRole(op, index, attribute, /*isResult=*/true);
}
