//===-- StructureBuilder.h - Numbers and arrays of structure ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_STRUCTUREBUILDER_H
#define CAMBIUM_LIB_KERNELS_GPU_STRUCTUREBUILDER_H

#include "Library.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace cambium {

/// Builds the numbers, the arrays and the stages that partitions and forests of
/// an entry are made of.
class StructureBuilder {
protected:
  using Value = mlir::Value;

  StructureBuilder(mlir::func::FuncOp entry, Library &library);

  Value index(int64_t value);
  Value plus(Value value, int64_t more);
  Value times(Value value, int64_t factor);
  Value atMost(Value value, Value bound);
  /// Word `i` of an array, as a number.
  Value read(Value array, int64_t i);

  /// So many words of the entry's memory; in a loop, the same ones each time.
  /// An op has failed where there is no bound.
  mlir::FailureOr<Value> allocate(Value size);
  mlir::LogicalResult
  allocate(llvm::ArrayRef<std::pair<Value *, Value>> arrays);

  /// A function of the library, by so many threads.
  void stage(llvm::StringRef name, Value count, mlir::ValueRange arguments);

  /// What is read of the array as a number is at most so much.
  void boundReads(Value array, Value bound);

  mlir::func::FuncOp entry;
  Library &library;
  TargetCosts costs;
  mlir::OpBuilder b;
  mlir::MemRefType words;
  mlir::Location loc = mlir::UnknownLoc::get(b.getContext());
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_STRUCTUREBUILDER_H
