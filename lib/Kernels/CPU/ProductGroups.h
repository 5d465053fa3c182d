//===-- lib/Kernels/CPU/ProductGroups.h - Products done together -*- C++-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTGROUPS_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTGROUPS_H

#include "../Products.h"
#include "ProductShares.h"

namespace cambium {

/// A product as a call of a kernel.
struct ProductCall {
  mlir::linalg::MatmulOp op;
  Product product;
  ProductStart start;
  mlir::func::FuncOp kernel;
  /// The costs with its register tile.
  TargetCosts tile;
  llvm::SmallVector<mlir::Value> operands;
};

/// How threads may do all these products together: as if each were done where
/// the last one is. None if they may not. All but the last one may be done
/// together.
std::optional<Together> findTogether(llvm::ArrayRef<ProductCall> calls);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTGROUPS_H
