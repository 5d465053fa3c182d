//===-- DeviceBuilder.h - Threads, warps and blocks in generated code -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_DEVICEBUILDER_H
#define CAMBIUM_LIB_KERNELS_GPU_DEVICEBUILDER_H

#include "dialects/RT/IR/RT.h"
#include "mlir/IR/Builders.h"

namespace cambium {

/// The memory that the threads of a block share, cut out of one pool: a stage
/// begins with a barrier of the block before it uses any.
inline constexpr llvm::StringLiteral kSharedPool = "cambium_pool";

/// Builds what a thread asks of the GPU. Instructions are LLVM's intrinsics:
/// they need no other dialect.
class DeviceBuilder {
public:
  DeviceBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                const TargetCosts &costs)
      : builder(builder), loc(loc), costs(costs) {}

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value less(mlir::Value x, mlir::Value y);
  mlir::Value equal(mlir::Value x, mlir::Value y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  /// The last one before an end.
  mlir::Value before(mlir::Value end);
  mlir::Value choose(mlir::Value isFirst, mlir::Value x, mlir::Value y);
  /// Quotient and remainder.
  std::pair<mlir::Value, mlir::Value> split(mlir::Value number, int64_t size);
  /// What an intrinsic of LLVM gives.
  mlir::Value call(mlir::Type type, llvm::StringRef name,
                   mlir::ValueRange operands);

  /// The number of the thread in its block, of the block, and of blocks.
  mlir::Value thread();
  mlir::Value block();
  mlir::Value numBlocks();
  /// The number of the warp in its block, and of the thread in its warp.
  mlir::Value warp();
  mlir::Value lane();

  /// The number of this thread's unit in the grid, and how many there are.
  /// Neighbouring warps are of different blocks: a short stage uses all.
  mlir::Value unit(rt::Unit unit);
  mlir::Value numUnits(rt::Unit unit);

  /// All threads of the warp, or of the block, wait for each other.
  void syncWarp();
  void syncBlock();
  static bool isSyncWarp(mlir::Operation *op);
  static bool isSyncBlock(mlir::Operation *op);
  /// The value of the thread whose number differs in this bit.
  mlir::Value exchange(mlir::Value value, int64_t bit);

  /// Memory of the block, so many bytes behind the beginning of the pool.
  mlir::Value shared(mlir::MemRefType type, mlir::Value offset);
  /// Its address in the window of shared memory.
  mlir::Value sharedAddress(mlir::Value offset);

private:
  mlir::Value special(llvm::StringRef name);
  mlir::Value exchangeWord(mlir::Value word, int64_t bit);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const TargetCosts &costs;
};

/// Makes the pool of the module at least so large.
void reserveShared(mlir::Operation *module, int64_t bytes);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_DEVICEBUILDER_H
