//===-- include/cambium/InitAllDialects.h - All dialects of the compiler --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INITALLDIALECTS_H
#define CAMBIUM_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// Registers Cambium's dialects, the upstream dialects that it uses, and every
/// external model of its interfaces.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_INITALLDIALECTS_H
