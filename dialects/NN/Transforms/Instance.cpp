//===-- dialects/NN/Transforms/Instance.cpp - Parameters of instances ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Transforms/Instance.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

Instantiator::Instantiator(ModuleOp module, const FileSizes &files)
    : module(module), files(files), symbols(module) {
  llvm::DenseSet<Operation *> seen;
  for (auto function : module.getOps<FunctionOpInterface>())
    findDeclarers(function, seen);
  for (Operation &op : *module.getBody())
    if (!behindParams && !isa<ParamOp>(op))
      behindParams = &op;
}

/// A function that is being looked at counts as one that declares nothing:
/// recursion is an error elsewhere.
bool Instantiator::findDeclarers(FunctionOpInterface function,
                                 llvm::DenseSet<Operation *> &seen) {
  if (!seen.insert(function).second)
    return declaring.contains(function);
  bool found = false;
  function->walk([&](Operation *op) {
    found |= isa<ParamOp>(op);
    auto call = dyn_cast<CallOp>(op);
    auto callee = call ? symbols.lookup<FunctionOpInterface>(call.getCallee())
                       : FunctionOpInterface();
    found |= callee && findDeclarers(callee, seen);
  });
  if (found)
    declaring.insert(function);
  return found;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Where an op stands in a file, without the calls that it was instantiated by.
static Location originOf(Location loc) {
  while (auto call = dyn_cast<CallSiteLoc>(loc))
    loc = call.getCallee();
  return loc;
}

/// Where the last call on the way to an op stands, or the op.
static Location callerOf(Location loc) {
  auto call = dyn_cast<CallSiteLoc>(loc);
  return call ? originOf(call.getCaller()) : loc;
}

/// A parameter is declared again: by the same op, called in the same scope, or
/// by another one.
LogicalResult Instantiator::checkSame(ParamOp declared, ParamOp again,
                                      Type type, StringAttr group) {
  Location first = places.at(declared);
  bool isOne = originOf(first) == originOf(again.getLoc());
  bool hasSameInit = declared.getInitAttr() == again.getInitAttr();
  bool hasSameType = declared.getType() == type;
  if (isOne && hasSameType && hasSameInit && declared.getGroupAttr() == group)
    return success();
  auto nameOf = [](StringAttr group) {
    return group ? group.getValue() : StringRef("default");
  };
  InFlightDiagnostic diag = again.emitOpError();
  if (!isOne)
    // [NN-PARAM-C8]
    diag << "expected another name, since '" << declared.getName()
         << "' is declared already (calls in other scopes make others)";
  else if (!hasSameInit)
    // [NN-PARAM-C12]
    diag << "expected '" << declared.getName()
         << "' to have one initializer in every call of one scope, but got "
         << getNumber(again.getInitAttr()) << " behind "
         << getNumber(declared.getInitAttr());
  else if (!hasSameType)
    // [NN-PARAM-C7]
    diag << "expected '" << declared.getName() << "' to be "
         << declared.getType() << " in every call of one scope, but got "
         << type;
  else
    // [NN-PARAM-C13]
    diag << "expected '" << declared.getName()
         << "' to have one group in every call of one scope, but got '"
         << nameOf(group) << "' behind '" << nameOf(declared.getGroupAttr())
         << "'";
  if (isOne && (!hasSameInit || hasSameType))
    diag.attachNote(callerOf(first)) << "it is called here first";
  else
    diag.attachNote(originOf(first)) << "it is declared here";
  return diag;
}

FailureOr<ParamOp> Instantiator::declare(ParamOp local, const Scope &scope) {
  std::string name = (scope.path + *local.getLocal()).str();
  auto type = cast<RankedTensorType>(local.getType());
  SmallVector<int64_t> shape;
  for (StackingOpInterface loop : scope.stacks)
    shape.push_back(loop.getStackSize());
  llvm::append_range(shape, type.getShape());
  type = type.clone(shape);
  StringAttr group = local.getGroupAttr() ? local.getGroupAttr() : scope.group;
  if (Operation *known = symbols.lookup(name)) {
    auto param = dyn_cast<ParamOp>(known);
    if (param && places.count(param)) {
      if (failed(checkSame(param, local, type, group)))
        return failure();
      return param;
    }
    // [NN-PARAM-C9]
    InFlightDiagnostic diag =
        local.emitOpError()
        << "expected another name, since the module has '@" << name << "'";
    diag.attachNote(known->getLoc()) << "it stands here";
    return diag;
  }
  OpBuilder builder(module.getContext());
  builder.setInsertionPoint(behindParams);
  auto param = ParamOp::create(
      builder, originOf(local.getLoc()), Type(), builder.getStringAttr(name),
      StringAttr(), TypeAttr::get(type), local.getInitAttr(),
      local.getFrozenAttr(), group, local.getNoDecayAttr(),
      local.getRowSparseAttr(),
      builder.getI64IntegerAttr(local.getSlices() +
                                static_cast<int64_t>(scope.stacks.size())));
  symbols.insert(param);
  places.insert({param, local.getLoc()});
  return param;
}

/// The value of a parameter, or its slices in the loops around that stack it.
Value Instantiator::valueOf(ParamOp param, const Scope &scope) {
  Value &use = uses[param.getNameAttr()];
  if (!use) {
    OpBuilder builder = OpBuilder::atBlockBegin(entryBlock);
    if (lastUse)
      builder.setInsertionPointAfter(lastUse);
    lastUse = UseOp::create(builder, param.getLoc(), param.getType(),
                            FlatSymbolRefAttr::get(param.getNameAttr()));
    use = lastUse->getResult(0);
  }
  Value value = use;
  for (StackingOpInterface loop : scope.stacks) {
    Value &slice = slices[{loop.getOperation(), value}];
    if (!slice)
      slice = loop.addSlice(value);
    value = slice;
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Blocks and functions
//===----------------------------------------------------------------------===//

/// Calls of other dialects give no scope.
LogicalResult Instantiator::checkPlainCall(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto symbol =
      call ? dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee())
           : SymbolRefAttr();
  Operation *callee =
      symbol ? symbols.lookup(symbol.getRootReference()) : nullptr;
  if (!callee || !declares(callee))
    return success();
  // [NN-CALL-C10]
  InFlightDiagnostic diag =
      op->emitOpError() << "expected 'nn.call' for a function that declares "
                           "parameters, but got '"
                        << op->getName() << "'";
  diag.attachNote(callee->getLoc()) << "the function stands here";
  return diag;
}

LogicalResult Instantiator::expandRegions(Operation *op, const Scope &scope) {
  Scope inner = scope;
  auto loop = dyn_cast<StackingOpInterface>(op);
  if (loop && loop.getScopeAttr() && !loop.getScopeAttr().empty())
    inner.path = (scope.path + loop.getScopeAttr().getValue() + ".").str();
  if (loop && loop.isStacked())
    inner.stacks.push_back(loop);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(expandBlock(block, inner)))
        return failure();
  if (loop)
    loop.clearScope();
  return success();
}

LogicalResult Instantiator::expandBlock(Block &block, const Scope &scope) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto param = dyn_cast<ParamOp>(op)) {
      FailureOr<ParamOp> declared = declare(param, scope);
      if (failed(declared))
        return failure();
      param.getValue().replaceAllUsesWith(valueOf(*declared, scope));
      param.erase();
    } else if (auto call = dyn_cast<CallOp>(op)) {
      if (failed(expandCall(call, scope)))
        return failure();
    } else if (failed(checkPlainCall(&op)) ||
               failed(expandRegions(&op, scope))) {
      return failure();
    }
  }
  return success();
}

FailureOr<OwningOpRef<Operation *>>
Instantiator::expand(FunctionOpInterface entry) {
  OwningOpRef<Operation *> copy(entry->clone());
  Region &body = cast<FunctionOpInterface>(*copy).getFunctionBody();
  entryBlock = &body.front();
  lastUse = nullptr;
  uses.clear();
  slices.clear();
  calls.assign({entry});
  given.clear();
  for (Block &block : body)
    if (failed(expandBlock(block, Scope())))
      return failure();
  return copy;
}
