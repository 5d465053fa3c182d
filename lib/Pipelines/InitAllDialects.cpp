//===-- InitAllDialects.cpp - All dialects of the compiler ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/Gradient/ElementwiseRules.h"
#include "cambium/Interpreter/UpstreamModels.h"
#include "cambium/Target/Object.h"
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/Interpret/Interpret.h"
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/Derivatives/Derivatives.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/IR/Names.h"
#include "dialects/NN/Interpret/Interpret.h"
#include "dialects/NN/ToLinalg/ToLinalg.h"
#include "dialects/NN/Transforms/AbsentOperands.h"
#include "dialects/NN/Transforms/Decompose.h"
#include "dialects/NN/Transforms/Work.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/RT/ToBuffers/ToBuffers.h"
#include "dialects/Ragged/Batching/Upstream.h"
#include "dialects/Ragged/Derivatives/Derivatives.h"
#include "dialects/Ragged/Derivatives/LoopDerivatives.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Ragged/IR/RowOrigins.h"
#include "dialects/Ragged/ToLinalg/ToLinalg.h"
#include "dialects/Ragged/Transforms/Work.h"
#include "dialects/Train/Batching/TrainBatching.h"
#include "dialects/Train/Derivatives/Derivatives.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Train/Interpret/Interpret.h"
#include "dialects/Train/ToLinalg/ToLinalg.h"
#include "dialects/Tree/Batching/TreeBatching.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Interpret/Interpret.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void cambium::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<depth::DepthDialect, nn::NamesDialect, nn::NNDialect,
                  ragged::RaggedDialect, train::TrainDialect, rt::RTDialect,
                  tree::TreeDialect>();
  depth::registerBatchingModels(registry);
  depth::registerInterpretModels(registry);
  nn::registerBatchingModels(registry);
  nn::registerAbsentModels(registry);
  nn::registerDecomposeModels(registry);
  nn::registerDerivativeModels(registry);
  nn::registerToLinalgModels(registry);
  nn::registerWorkModels(registry);
  ragged::registerDerivativeModels(registry);
  train::registerBatchingModels(registry);
  train::registerDerivativeModels(registry);
  tree::registerBatchingModels(registry);
  registerElementwiseBatching(registry);
  ragged::registerToLinalgModels(registry);
  rt::registerBufferModels(registry);
  registerElementwiseDerivatives(registry);
  ragged::registerRowOrigins(registry);
  ragged::registerWorkModels(registry);
  registerRecursionDerivatives(registry);
  registerRepeatDerivative(registry);
  train::registerToLinalgModels(registry);
  nn::registerInterpretModels(registry);
  train::registerInterpretModels(registry);
  tree::registerInterpretModels(registry);
  registerUpstreamInterpretModels(registry);
  registerTargetTranslation(registry);
}
