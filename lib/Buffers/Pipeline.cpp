//===-- lib/Buffers/Pipeline.cpp - From linalg to buffers ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildBuffersPipeline(OpPassManager &manager) {
  //===--- Destinations ---------------------------------------------------===//
  manager.addPass(createEntryOutputs());
  manager.addPass(createConstantMemory());
  // One function does not depend on another: threads share them.
  OpPassManager &pm = manager.nest<func::FuncOp>();
  pm.addPass(createOwnDestinations());
  // What is put into a larger array is computed there.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());

  //===--- Memory ---------------------------------------------------------===//
  pm.addPass(createBufferize());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Bounds of sizes must stand outside of loops before allocations follow them.
  pm.addPass(createLoopInvariantCodeMotionPass());
  // Within a level first: outside of its loop all its values would live
  // together.
  pm.addPass(createReuseMemory());
  pm.addPass(createHoistAllocations());
  pm.addPass(createUseArena());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createVerifyBuffers());
}
