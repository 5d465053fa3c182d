//===-- dialects/Ragged/IR/Iterate.cpp - Iterations of rows ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::ragged;

Block::BlockArgListType IterateOp::getStateArgs() {
  return getBody().getArguments().drop_front().take_front(getInit().size());
}
Block::BlockArgListType IterateOp::getSharedArgs() {
  return getBody().getArguments().take_back(getShared().size());
}

LogicalResult IterateOp::verify() {
  int64_t max = getMaxAttr().getInt();
  if (max < 1)
    return emitOpError()
           << "expected a positive maximum of iterations, but got " << max;
  if (getInit().empty())
    return emitOpError("expected at least one 'init' operand");
  for (Type type : getInit().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() == 0 || !tensor.isDynamicDim(0))
      return emitOpError() << "expected 'init' operands to hold rows, but got "
                           << type;
  }
  if (getInit().getTypes() != getStates().getTypes())
    return emitOpError() << "expected states of types (" << getInit().getTypes()
                         << "), but got (" << getStates().getTypes() << ")";
  return success();
}

LogicalResult IterateOp::verifyRegions() {
  auto flags = [&](unsigned width) -> Type {
    return RankedTensorType::get({ShapedType::kDynamic},
                                 IntegerType::get(getContext(), width));
  };
  SmallVector<Type> args{flags(32)}, yields{flags(1)};
  for (SmallVector<Type> *types : {&args, &yields}) {
    llvm::append_range(*types, getInit().getTypes());
    llvm::append_range(*types, getShared().getTypes());
  }
  if (TypeRange(args) != TypeRange(getBody().getArgumentTypes()))
    return emitOpError() << "expected region arguments of types (" << args
                         << "), but got (" << getBody().getArgumentTypes()
                         << ")";
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (TypeRange(yields) == TypeRange(yield.getOperandTypes()))
    return success();
  InFlightDiagnostic diag = emitOpError()
                            << "expected to yield (" << yields << "), but got ("
                            << yield.getOperandTypes() << ")";
  diag.attachNote(yield.getLoc()) << "it is yielded here";
  return diag;
}
