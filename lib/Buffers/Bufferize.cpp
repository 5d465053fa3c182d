//===-- lib/Buffers/Bufferize.cpp - From tensors to memory ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "AlignLoops.h"
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_BUFFERIZE
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// Values that are computed into a part of a larger array, and what is that
/// part: it has no values before.
static LogicalResult computeIntoParts(Operation *op, DenseSet<Value> &parts) {
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  bufferization::OneShotAnalysisState state(op, options);
  if (failed(bufferization::analyzeOp(op, state)))
    return failure();
  auto build = [&](RewriterBase &rewriter, SubsetInsertionOpInterface put,
                   tensor::EmptyOp empty, Operation *user) {
    Value part =
        bufferization::buildSubsetExtraction(rewriter, put, empty, user);
    // Or all of an array, which may have values.
    if (part && part.getDefiningOp<tensor::ExtractSliceOp>())
      parts.insert(part);
    return part;
  };
  IRRewriter rewriter(op->getContext());
  return bufferization::eliminateEmptyTensors(rewriter, op, state, build);
}

/// What is computed apart after all does not begin as a copy of its part.
static void dropCopies(Operation *op, const DenseSet<Value> &parts) {
  SmallVector<bufferization::AllocTensorOp> copies;
  op->walk([&](bufferization::AllocTensorOp alloc) {
    if (alloc.getCopy() && parts.contains(alloc.getCopy()))
      copies.push_back(alloc);
  });
  IRRewriter rewriter(op->getContext());
  for (bufferization::AllocTensorOp alloc : copies) {
    rewriter.setInsertionPoint(alloc);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < alloc.getType().getRank(); ++dim)
      if (alloc.getType().isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(rewriter, alloc.getLoc(),
                                              alloc.getCopy(), dim));
    rewriter.replaceOpWithNewOp<bufferization::AllocTensorOp>(
        alloc, alloc.getType(), sizes);
  }
}

namespace {
/// Upstream's passes run on modules, and hence on one thread.
struct Bufferize : cambium::impl::BufferizeBase<Bufferize> {
  void runOnOperation() override {
    Operation *op = getOperation();
    alignLoops(op);
    bufferization::OneShotBufferizationOptions options;
    options.allowUnknownOps = true;
    bufferization::BufferizationState state;
    DenseSet<Value> parts;
    if (failed(computeIntoParts(op, parts)) ||
        failed(bufferization::insertTensorCopies(op, options, state)))
      return signalPassFailure();
    dropCopies(op, parts);
    if (failed(bufferization::bufferizeOp(op, options, state)))
      signalPassFailure();
  }
};
} // namespace
