//===-- dialects/NN/Transforms/Work.cpp - Operations of products ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Transforms/Work.h"
#include "cambium/Interfaces/WorkOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// `columns` additions and multiplications for each element of `operand`, row
/// by row where it has rows.
static std::optional<Work> workOf(Value operand, int64_t columns) {
  auto type = cast<RankedTensorType>(operand.getType());
  bool isRows = hasRows(type);
  RankedTensorType once = isRows ? rowType(type) : type;
  if (!once.hasStaticShape() || ShapedType::isDynamic(columns))
    return std::nullopt;
  double elements = static_cast<double>(once.getNumElements());
  return Work{2 * elements * static_cast<double>(columns),
              isRows ? operand : Value()};
}

namespace {
template <typename Model, typename Op>
using WorkBase = WorkOpInterface::ExternalModel<Model, Op>;

struct LinearWork : WorkBase<LinearWork, LinearOp> {
  std::optional<Work> getWork(Operation *op) const {
    auto linear = cast<LinearOp>(op);
    auto weight = cast<RankedTensorType>(linear.getWeight().getType());
    return workOf(linear.getInput(), weight.getDimSize(1));
  }
};

struct MatmulWork : WorkBase<MatmulWork, MatmulOp> {
  std::optional<Work> getWork(Operation *op) const {
    auto matmul = cast<MatmulOp>(op);
    auto rhs = cast<RankedTensorType>(matmul.getRhs().getType());
    // Behind the common dimensions and the one that is summed over.
    ArrayRef<int64_t> columns =
        rhs.getShape().drop_front(matmul.getBatchDims() + 1);
    return workOf(matmul.getLhs(), columns.empty() ? 1 : columns.front());
  }
};

struct OuterSumWork : WorkBase<OuterSumWork, OuterSumOp> {
  std::optional<Work> getWork(Operation *op) const {
    auto product = cast<OuterSumOp>(op);
    auto rhs = cast<RankedTensorType>(product.getRhs().getType());
    return workOf(product.getLhs(), rhs.getShape().back());
  }
};
} // namespace

void cambium::nn::registerWorkModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    LinearOp::attachInterface<LinearWork>(*context);
    MatmulOp::attachInterface<MatmulWork>(*context);
    OuterSumOp::attachInterface<OuterSumWork>(*context);
  });
}
