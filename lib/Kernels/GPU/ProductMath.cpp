//===-- ProductMath.cpp - How the factors of products multiply -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductMath.h"
#include "cambium/Support/Remarks.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace cambium;

ProductMath cambium::mathOf(linalg::MatmulOp op, const TargetCosts &costs) {
  rt::Math math = rt::getMath(op->getParentOfType<ModuleOp>());
  if (math == rt::Math::F32 ||
      !getElementTypeOrSelf(op.getDpsInits()[0].getType()).isF32())
    return {};
  if (rt::getMath(op) == rt::Math::F32)
    return {rt::Math::F32, "it is of a training step"};
  for (int64_t size : op.getStaticLoopRanges())
    if (!ShapedType::isDynamic(size) && size < costs.leastMatrix)
      return {rt::Math::F32,
              "it is too narrow: tensor cores would multiply zeros"};
  return {math, {}};
}

rt::Math cambium::chooseMath(linalg::MatmulOp op, const TargetCosts &costs,
                             StringRef flag) {
  ProductMath chosen = mathOf(op, costs);
  if (!chosen.reason.empty())
    remarkMissed(op, flag) << remark::reason("multiplies in f32: {0}",
                                             chosen.reason);
  return chosen.math;
}
