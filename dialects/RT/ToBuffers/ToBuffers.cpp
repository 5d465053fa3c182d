//===-- dialects/RT/ToBuffers/ToBuffers.cpp - Memory of independent loops ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array that a loop carries is one memory: what an iteration yields must
// stand where it got it.
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/ToBuffers/ToBuffers.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace cambium::rt;
using namespace bufferization;

namespace {
struct ForEachModel
    : BufferizableOpInterface::ExternalModel<ForEachModel, ForEachOp> {
  /// Without iterations the results are what the arrays were.
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    OpResult result = cast<ForEachOp>(op)->getResult(
        operand.getOperandNumber() - firstArray(op));
    return {{result, BufferRelation::Equivalent}};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return true;
  }
  bool isRepetitiveRegion(Operation *, unsigned) const { return true; }
  /// What an iteration writes to, other than the arrays, is its own.
  bool isParallelRegion(Operation *, unsigned) const { return true; }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    auto argument = dyn_cast<BlockArgument>(value);
    // The first argument is the number of the iteration.
    unsigned index = argument ? argument.getArgNumber() - 1
                              : cast<OpResult>(value).getResultNumber();
    return bufferization::getBufferType(cast<ForEachOp>(op).getInits()[index],
                                        options, state, stack);
  }

  LogicalResult verifyAnalysis(Operation *op,
                               const AnalysisState &state) const {
    auto loop = cast<ForEachOp>(op);
    for (auto [argument, value] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYield().getValues()))
      if (!state.areEquivalentBufferizedValues(argument, value)) {
        // [RT-FOREACH-C2]
        InFlightDiagnostic diagnostic = loop.getYield().emitOpError(
            "expected the array that the iteration got, but got another one");
        diagnostic.attachNote(value.getLoc()) << "it is made here";
        return diagnostic;
      }
    return success();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto loop = cast<ForEachOp>(op);
    SmallVector<Value> buffers;
    for (Value init : loop.getInits()) {
      FailureOr<Value> buffer = getBuffer(rewriter, init, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    auto result = ForEachOp::create(rewriter, op->getLoc(), loop.getCount(),
                                    loop.getWorkAttr());
    Block *body = &result.getBody().front();
    rewriter.eraseOp(body->getTerminator());
    rewriter.setInsertionPointToStart(body);
    SmallVector<Value> args{result.getNumber()};
    for (auto [buffer, init] : llvm::zip_equal(buffers, loop.getInits()))
      args.push_back(
          ToTensorOp::create(rewriter, op->getLoc(), init.getType(), buffer));
    rewriter.mergeBlocks(&loop.getBody().front(), body, args);
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }

private:
  static unsigned firstArray(Operation *op) {
    return cast<ForEachOp>(op).getInitsMutable().begin()->getOperandNumber();
  }
};

/// What is yielded stands where the loop keeps it already.
struct YieldModel
    : BufferizableOpInterface::ExternalModel<YieldModel, YieldOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    rewriter.replaceOpWithNewOp<YieldOp>(op);
    return success();
  }
};
} // namespace

void cambium::rt::registerBufferModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, RTDialect *, BufferizationDialect *) {
        ForEachOp::attachInterface<ForEachModel>(*context);
        YieldOp::attachInterface<YieldModel>(*context);
      });
}
