//===-- lib/Pipelines/Buffers.cpp - From phase linalg to phase buffers ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildBuffersPipeline(OpPassManager &manager,
                                   const PipelineOptions &options) {
  // First: results decide where values are computed.
  manager.addPass(createEntryOutputs());
  // Constants are data of the module, not values to fill memory with.
  manager.addPass(createConstantMemory());
  // One function does not depend on another: threads share them.
  OpPassManager &pm = manager.nest<func::FuncOp>();
  // Every value is computed where it is kept.
  pm.addPass(createOwnDestinations());
  // Before values are asked about each other: what is only written is none.
  pm.addPass(createWriteRecords());
  // Tensors become memory, in place: what is put into a larger array is
  // computed there.
  pm.addPass(createBufferize());
  // Views of views become one before memory is compared.
  addCleanUp(pm);
  // Bounds of sizes must stand outside of loops before allocations follow them.
  pm.addPass(createLoopInvariantCodeMotionPass());
  // What shares memory waits for each other on a GPU.
  ReuseMemoryOptions reuse;
  reuse.outsideLoops = options.isGpu();
  // Within a level first: outside of its loop all its values would live
  // together.
  pm.addPass(createReuseMemory(reuse));
  // With the largest size that a level can have.
  pm.addPass(createHoistAllocations());
  // The host computes the memory of a GPU by bounds.
  UseArenaOptions arena;
  arena.keepBounds = options.isGpu();
  // Last of the passes on memory: nothing allocates any more.
  pm.addPass(createUseArena(arena));
  // What allocations have left behind.
  addCleanUp(pm);
  // Views of memory that is outside of loops now.
  pm.addPass(createLoopInvariantCodeMotionPass());
  // The contract of the phase.
  manager.addPass(createVerifyBuffers());
}
