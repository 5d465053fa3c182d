//===-- InlineAnywhere.h - Ops that may be inlined ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_INLINEANYWHERE_H
#define CAMBIUM_SUPPORT_INLINEANYWHERE_H

#include "mlir/Transforms/InliningUtils.h"

namespace cambium {
/// For dialects of which every op may be inlined into every region: none of
/// them knows the function around it.
struct InlineAnywhere : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};
} // namespace cambium

#endif // CAMBIUM_SUPPORT_INLINEANYWHERE_H
