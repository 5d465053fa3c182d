//===-- Signature.cpp - What the arguments of a batched function are -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signature.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Interfaces/InputUseOpInterface.h"
#include "dialects/NN/IR/Names.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;

std::string cambium::nameOf(func::FuncOp function, BlockArgument arg) {
  StringRef name = nn::getArgumentName(function, arg.getArgNumber());
  return name.empty() ? "arg" + std::to_string(arg.getArgNumber()) : name.str();
}

std::string cambium::nameOfResult(func::FuncOp function, unsigned index) {
  StringRef name = nn::getResultName(function, index);
  return name.empty() ? "out" + std::to_string(index) : name.str();
}

/// The smallest bound of ids among the uses of an argument.
std::optional<int64_t> Signature::idBound(BlockArgument arg) {
  std::optional<int64_t> bound;
  if (!cast<ShapedType>(arg.getType()).getElementType().isInteger(32))
    return bound;
  SmallVector<Value> worklist{arg};
  while (!worklist.empty()) {
    Value ids = worklist.pop_back_val();
    checkedIds.insert(ids);
    for (OpOperand &use : ids.getUses()) {
      if (auto copying = dyn_cast<InputUseOpInterface>(use.getOwner()))
        copying.getCopies(use.getOperandNumber(), worklist);
      auto op = dyn_cast<BatchableOpInterface>(use.getOwner());
      std::optional<int64_t> other;
      if (op)
        other = op.getIdBound(use.getOperandNumber());
      if (other)
        bound = bound ? std::min(*bound, *other) : *other;
    }
  }
  return bound;
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

Signature::Signature(func::FuncOp function, RowSpaces &spaces)
    : function(function), spaces(spaces) {
  for (BlockArgument arg : function.getArguments()) {
    if (isa<tree::TreeType>(arg.getType()))
      addForest(arg);
    else if (hasRows(arg.getType()) && !spaces.get(spaces.spaceOf(arg)).edgesOf)
      addSpace(arg, spaces.spaceOf(arg));
    if (hasInnerRows(arg.getType()))
      addInnerSpace(arg);
  }
  for (BlockArgument arg : function.getArguments())
    if (isa<RankedTensorType>(arg.getType()))
      inputs.push_back(arg);
  describe();
}

LogicalResult Signature::check() {
  for (BlockArgument arg : function.getArguments()) {
    if (!isa<RankedTensorType, tree::TreeType>(arg.getType()))
      return function.emitOpError()
             << "expected arguments to be tensors or trees, but got "
             << arg.getType();
    if (!hasRows(arg.getType()))
      continue;
    const RowSpace &space = spaces.get(spaces.spaceOf(arg));
    if (!space.edgesOf || isa<BlockArgument>(space.edgesOf))
      continue;
    InFlightDiagnostic diag =
        function.emitOpError()
        << "expected rows per edge (argument " << arg.getArgNumber()
        << ") to belong to a tree argument, but got " << space.what;
    diag.attachNote(space.origin) << "the tree is made here";
    return diag;
  }
  return success();
}

void Signature::addSpace(BlockArgument arg, unsigned space) {
  if (indexOf(space) >= 0)
    return;
  const RowSpace &known = spaces.get(space);
  BlockArgument named = arg;
  if (known.nodesOf)
    named = cast<BlockArgument>(known.nodesOf);
  std::string name = known.name.empty() ? nameOf(function, named) : known.name;
  spaceInfos.push_back(
      {space, name, static_cast<bool>(known.nodesOf), arg.getLoc()});
}

/// Behind the space of the rows that have these rows.
void Signature::addInnerSpace(BlockArgument arg) {
  unsigned inner = spaces.innerOf(arg);
  if (indexOf(inner) >= 0)
    return;
  std::string name = nameOf(function, arg);
  if (llvm::any_of(spaceInfos,
                   [&](const SpaceInfo &other) { return other.name == name; }))
    name += ".rows";
  spaceInfos.push_back(
      {inner, name, false, arg.getLoc(), indexOf(spaces.spaceOf(arg))});
}

unsigned Signature::spaceOf(BlockArgument arg) {
  return hasInnerRows(arg.getType()) ? spaces.innerOf(arg)
                                     : spaces.spaceOf(arg);
}

void Signature::addForest(BlockArgument tree) {
  unsigned nodes = spaces.nodesOf(tree);
  addSpace(tree, nodes);
  ForestInfo info{tree, nameOf(function, tree), indexOf(nodes)};
  info.arity = tree::getMaxArity(tree);
  info.singleRoot = llvm::any_of(tree.getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<InputUseOpInterface>(use.getOwner());
    return reader && reader.needsOneRoot(use.getOperandNumber());
  });
  forests.push_back(info);
}

int64_t Signature::indexOf(unsigned space) const {
  for (auto [i, info] : llvm::enumerate(spaceInfos))
    if (info.id == space)
      return i;
  return -1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The attributes of an argument or result that is `role`.
static DictionaryAttr withRole(Builder &builder, Attribute role) {
  return builder.getDictionaryAttr(builder.getNamedAttr(rt::kRoleAttr, role));
}

void Signature::describe() {
  MLIRContext *context = function.getContext();
  Builder builder(context);
  auto add = [&](Attribute role) {
    argAttrs.push_back(withRole(builder, role));
  };
  for (const SpaceInfo &space : spaceInfos)
    add(rt::RowsAttr::get(context, builder.getStringAttr(space.name),
                          space.in));
  for (const ForestInfo &forest : forests)
    add(rt::ForestAttr::get(context, builder.getStringAttr(forest.name),
                            forest.space, forest.arity, forest.singleRoot));
  for (BlockArgument input : inputs) {
    bool isRows = hasRows(input.getType());
    int64_t noRows = nn::isPerCall(function, input.getArgNumber())
                         ? rt::kPerCall
                         : rt::kPerExample;
    int64_t edgesOf = -1;
    if (isRows)
      if (Value tree = spaces.get(spaces.spaceOf(input)).edgesOf)
        for (auto [i, forest] : llvm::enumerate(forests))
          if (forest.tree == tree)
            edgesOf = i;
    add(rt::InputAttr::get(context,
                           builder.getStringAttr(nameOf(function, input)),
                           isRows ? indexOf(spaceOf(input)) : noRows, edgesOf,
                           std::max<int64_t>(idBound(input).value_or(-1), -1)));
  }
}

void Signature::apply(FunctionType type) {
  MLIRContext *context = function.getContext();
  Builder builder(context);
  SmallVector<DictionaryAttr> resultAttrs;
  for (auto [i, space] : llvm::enumerate(resultSpaces)) {
    auto name = builder.getStringAttr(nameOfResult(function, i));
    resultAttrs.push_back(
        withRole(builder, rt::OutputAttr::get(context, name, space)));
  }
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionType(type);
  function.setAllArgAttrs(argAttrs);
  function.setAllResultAttrs(resultAttrs);
}
