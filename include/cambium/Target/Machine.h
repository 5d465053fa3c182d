//===-- Machine.h - The processor that code is made for -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_MACHINE_H
#define CAMBIUM_TARGET_MACHINE_H

#include "dialects/RT/IR/RT.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CodeGen.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir {
class InFlightDiagnostic;
class Operation;
} // namespace mlir

namespace cambium {

/// The attribute of LLVM functions that are entries: each runs once per call.
inline constexpr llvm::StringLiteral kEntryCodeAttr = "cambium-entry";
/// Begins the names of all functions of a module but its query functions.
inline constexpr llvm::StringLiteral kHiddenPrefix = "cambium.";

/// Describes processor `cpu` (`native`, or a name of `llc -mcpu=help`). Null
/// after an error, which goes to `emitError`.
rt::ProcessorAttr
describeTarget(mlir::MLIRContext *context, llvm::StringRef cpu,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// A code generator for the target of a module, which makes good code or takes
/// less time. Null after an error, which is reported at the module.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(
    mlir::Operation *module,
    llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive);

} // namespace cambium

#endif // CAMBIUM_TARGET_MACHINE_H
