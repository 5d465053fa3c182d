//===-- ServiceCalls.h - What an op asks a service of the runtime ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_SERVICECALLS_H
#define CAMBIUM_LIB_LLVM_SERVICECALLS_H

#include "AbiAccess.h"
#include "RTFunctions.h"

namespace cambium {

/// Where the service of an op stands, and its arguments behind the call.
using ServiceCall = std::pair<size_t, llvm::SmallVector<mlir::Value>>;

ServiceCall serviceOf(rt::ChainOp op, RTTypes &types, mlir::OpBuilder &builder,
                      AbiAccess &abi);
ServiceCall serviceOf(rt::ChartOp op, RTTypes &types, mlir::OpBuilder &builder,
                      AbiAccess &abi);
ServiceCall serviceOf(rt::FromParentsOp op, RTTypes &types,
                      mlir::OpBuilder &builder, AbiAccess &abi);
ServiceCall serviceOf(rt::GroupOp op, RTTypes &types, mlir::OpBuilder &builder,
                      AbiAccess &abi);
ServiceCall serviceOf(rt::IterationsOp op, RTTypes &types,
                      mlir::OpBuilder &builder, AbiAccess &abi);

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_SERVICECALLS_H
