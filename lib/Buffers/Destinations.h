//===-- lib/Buffers/Destinations.h - Where ops make their values -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_BUFFERS_DESTINATIONS_H
#define CAMBIUM_LIB_BUFFERS_DESTINATIONS_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace cambium {

/// Whether the user writes to the operand.
inline bool isDestination(mlir::OpOperand &use) {
  auto op = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(use.getOwner());
  return op ? op.isDpsInit(&use)
            : mlir::isa<mlir::LoopLikeOpInterface>(use.getOwner());
}

/// The operand in whose memory a value is made; null if there is none.
inline mlir::OpOperand *findDestination(mlir::Value value) {
  auto result = mlir::dyn_cast<mlir::OpResult>(value);
  if (!result)
    return nullptr;
  mlir::Operation *op = result.getOwner();
  if (auto loop = mlir::dyn_cast<mlir::LoopLikeOpInterface>(op))
    return loop.getTiedLoopInit(result);
  auto styled = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(op);
  return styled ? styled.getTiedOpOperand(result) : nullptr;
}

} // namespace cambium

#endif // CAMBIUM_LIB_BUFFERS_DESTINATIONS_H
