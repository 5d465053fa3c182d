//===-- lib/LLVM/AbiAccess.h - The structs of abi.h in generated code ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_ABIACCESS_H
#define CAMBIUM_LIB_LLVM_ABIACCESS_H

#include "cambium/abi.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cambium {

/// The address space of a GPU's global memory.
inline constexpr unsigned kGlobalMemory = 1;

/// Byte offsets of the fields that ops name.
size_t offsetOf(rt::ForestSize field);
size_t offsetOf(rt::ForestIndex field);
size_t offsetOf(rt::RowsSize field);
/// Of which count the length of an index array is, and what is added to it.
std::pair<rt::ForestSize, int64_t> lengthOf(rt::ForestIndex field);

/// Builds accesses to the structs of abi.h: offsets come from the header
/// itself.
class AbiAccess {
public:
  /// `onDevice`: addresses are of the global memory of a GPU.
  AbiAccess(mlir::OpBuilder &builder, mlir::Location loc, bool onDevice = false)
      : builder(builder), loc(loc), onDevice(onDevice),
        pointerType(mlir::LLVM::LLVMPointerType::get(builder.getContext())) {}

  mlir::Type pointer() const { return pointerType; }
  mlir::Value constant(int64_t value, unsigned bits = 64);
  /// The address `offset` bytes behind `base`.
  mlir::Value address(mlir::Value base, size_t offset);
  /// The value of a type, `offset` bytes behind `base`.
  mlir::Value load(mlir::Value base, size_t offset, mlir::Type type);
  mlir::Value loadPointer(mlir::Value base, size_t offset);
  /// A 64-bit field as an index.
  mlir::Value loadIndex(mlir::Value base, size_t offset);
  /// Conversions between index and i64.
  mlir::Value toIndex(mlir::Value value);
  mlir::Value fromIndex(mlir::Value value);

  /// So many bytes times sizes; -1, which no allocation takes, where the
  /// product has no 64 bits: a part of it would be written over. On a device
  /// the host has looked at that before the call.
  mlir::Value countBytes(int64_t bytes, mlir::ValueRange sizes);

  /// Parts of the call, whose offsets are known here alone.
  mlir::Value space(mlir::Value call, int64_t index);
  mlir::Value forest(mlir::Value call, int64_t index);
  mlir::Value input(mlir::Value call, int64_t index);
  mlir::Value output(mlir::Value call, int64_t index);
  /// The address of the struct of a parameter.
  mlir::Value param(mlir::Value call, int64_t index);

  /// Calls a service. Null types mean no result.
  mlir::Value callService(mlir::Value call, size_t offset, mlir::Type result,
                          mlir::ValueRange arguments);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool onDevice;
  mlir::Type pointerType;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_ABIACCESS_H
