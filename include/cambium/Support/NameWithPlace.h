//===-- NameWithPlace.h - How errors of calls name an op ---*- C++ -* -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_NAMEWITHPLACE_H
#define CAMBIUM_SUPPORT_NAMEWITHPLACE_H

#include "mlir/IR/Operation.h"
#include <string>

namespace cambium {

/// The op and where the user wrote it: `'nn.pick' (model.mlir:12:8)`.
std::string nameWithPlace(mlir::Operation *op);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_NAMEWITHPLACE_H
