//===-- Stages.h - What stages of GPU code are made of --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_STAGES_H
#define CAMBIUM_LIB_KERNELS_GPU_STAGES_H

#include "../Products.h"
#include "cambium/Support/TargetCosts.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// The pass that forms stages, in its remarks.
inline constexpr llvm::StringLiteral kStageFlag = "kernels-form-stages";

/// A stage before the insertion point: `rt.parallel` over `count` iterations of
/// a unit. The insertion point is set into its body.
rt::ParallelOp openStage(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value count, rt::Unit unit);

/// The same with a loop over the iterations of one unit. The insertion point is
/// set into that loop, whose number is returned.
mlir::Value beginStage(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value count, rt::Unit unit,
                       const TargetCosts &costs);

/// Replaces a linalg op by a stage over elements of its results.
void spreadElements(mlir::linalg::LinalgOp op, const TargetCosts &costs);

/// Replaces a product by a stage over tiles of its result. Returns false if
/// there is no code for it.
bool spreadProduct(mlir::linalg::MatmulOp op, const TargetCosts &costs);

/// Makes what one thread could execute in the block the work of all threads of
/// its warp: they share linalg ops; one of them writes scalars. `region` is the
/// whole stage.
void spreadOverLanes(mlir::Block &block, rt::ParallelOp stage,
                     const TargetCosts &costs);

/// The same for all threads of a block, which has tiles of products together,
/// too.
void spreadOverBlock(mlir::Block &block, rt::ParallelOp stage,
                     const TargetCosts &costs);

/// Emits a product, which stays, in a stage of blocks. `start` is what its sums
/// start from.
void emitProduct(mlir::OpBuilder &builder, mlir::linalg::MatmulOp op,
                 const ProductStart &start, const TargetCosts &costs);

/// Makes what is in the block the work of its one thread.
void keepOnThread(mlir::Block &block);

/// Whether the op writes to memory, or an op in it does.
bool mayWrite(mlir::Operation *op);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_STAGES_H
