//===-- ServiceCalls.cpp - What an op asks a service of the runtime -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ServiceCalls.h"

using namespace mlir;
using namespace cambium;

static ServiceCall sequence(Value rows, cambium_abi_sequence_t kind,
                            RTTypes &types, OpBuilder &builder,
                            AbiAccess &abi) {
  return {offsetof(cambium_abi_services_t, sequence),
          {types.toPointer(builder, rows), abi.constant(kind, 32)}};
}

ServiceCall cambium::serviceOf(rt::ChainOp op, RTTypes &types,
                               OpBuilder &builder, AbiAccess &abi) {
  return sequence(op.getRows(),
                  op.getReversed() ? CAMBIUM_ABI_REVERSED_CHAIN
                                   : CAMBIUM_ABI_CHAIN,
                  types, builder, abi);
}

ServiceCall cambium::serviceOf(rt::ChartOp op, RTTypes &types,
                               OpBuilder &builder, AbiAccess &abi) {
  return sequence(op.getRows(), CAMBIUM_ABI_CHART, types, builder, abi);
}

ServiceCall cambium::serviceOf(rt::FromParentsOp op, RTTypes &types,
                               OpBuilder &builder, AbiAccess &abi) {
  return {offsetof(cambium_abi_services_t, from_parents),
          {types.toPointer(builder, op.getRows()),
           types.firstElement(builder, op.getLoc(), op.getParents()),
           abi.constant(op.getArity().value_or(-1), 32)}};
}

ServiceCall cambium::serviceOf(rt::GroupOp op, RTTypes &types,
                               OpBuilder &builder, AbiAccess &abi) {
  return {offsetof(cambium_abi_services_t, group),
          {types.toPointer(builder, op.getRows()),
           types.firstElement(builder, op.getLoc(), op.getIds()),
           abi.fromIndex(op.getCount())}};
}

ServiceCall cambium::serviceOf(rt::IterationsOp op, RTTypes &types,
                               OpBuilder &builder, AbiAccess &abi) {
  return {offsetof(cambium_abi_services_t, iterations),
          {types.firstElement(builder, op.getLoc(), op.getSteps()),
           abi.fromIndex(op.getCount())}};
}
