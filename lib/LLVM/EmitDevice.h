//===-- lib/LLVM/EmitDevice.h - What the host knows of kernels ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_EMITDEVICE_H
#define CAMBIUM_LIB_LLVM_EMITDEVICE_H

#include "cambium/Target/Machine.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium {

/// Makes a `cambium_abi_device_module_t` of `rt.image` and `rt.device_entry`,
/// which are erased, and the function that returns its address; nothing where
/// there are none. Functions have their final names.
void emitDevice(mlir::ModuleOp module, llvm::StringRef prefix);

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_EMITDEVICE_H
