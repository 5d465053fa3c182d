//===-- Machine.h - The processor that code is made for -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_MACHINE_H
#define CAMBIUM_TARGET_MACHINE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir {
class InFlightDiagnostic;
class Operation;
} // namespace mlir

namespace cambium {

/// The module attribute that says what code is made for: a dictionary with
/// `triple`, `cpu` and `features` as LLVM spells them, and `flags`, the
/// features that the code may need as /proc/cpuinfo spells them.
inline constexpr llvm::StringLiteral kTargetAttr = "rt.target";

/// The attribute of LLVM functions that are entries: each runs once per call.
inline constexpr llvm::StringLiteral kEntryCodeAttr = "cambium-entry";

/// What the code generator asks about a processor.
struct TargetTraits {
  /// Bytes of a vector register: 16, 32 or 64.
  int64_t vectorBytes = 16;
  /// Number of vector registers.
  int64_t vectorRegisters = 16;
  /// Whether there is a fused multiply-add.
  bool hasFMA = false;
};

/// Describes processor `cpu` (`native`, or a name of `llc -mcpu=help`) as a
/// value of `kTargetAttr`. Null after an error, which goes to `emitError`.
mlir::DictionaryAttr
describeTarget(mlir::MLIRContext *context, llvm::StringRef cpu,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The traits of the target of the module around `op`; those of any x86-64
/// without the attribute.
TargetTraits getTargetTraits(mlir::Operation *op);

/// A code generator for the target of a module: one that makes good code, or
/// one that is fast. Null after an error, which is reported at the module.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(mlir::Operation *module, bool fast = false);

} // namespace cambium

#endif // CAMBIUM_TARGET_MACHINE_H
