//===-- lib/LLVM/RTFunctions.h - Values that hold the call ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_RTFUNCTIONS_H
#define CAMBIUM_LIB_LLVM_RTFUNCTIONS_H

#include "AbiAccess.h"
#include "Services.h"
#include "cambium/LLVM/EntrySignature.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace cambium {

/// What the conversion of rt ops shares over the functions of a module: indices
/// of parameters, helper functions, values of converted types.
class RTTypes {
public:
  explicit RTTypes(mlir::ModuleOp module);

  /// What the code gets done by others.
  Services &getServices() { return *services; }
  AbiAccess access(mlir::OpBuilder &builder, mlir::Location loc) const {
    return AbiAccess(builder, loc, onDevice);
  }

  /// Makes the call the first argument of the function and passes it in all
  /// calls in it. An entry keeps no other argument and returns 0, as a kernel
  /// nothing; a function that is launched takes the memory of its task, which
  /// holds the call and the captured values, on a GPU these themselves.
  mlir::LogicalResult addCallArgument(mlir::func::FuncOp function);
  /// The call in a function that has been through `addCallArgument`.
  mlir::Value callOf(mlir::func::FuncOp function) const {
    return calls.lookup(function);
  }

  void setCall(mlir::func::FuncOp function, mlir::Value call);
  mlir::func::FuncOp lookup(llvm::StringRef function) const {
    return symbols.lookup<mlir::func::FuncOp>(function);
  }

  /// Index of the parameter that an op names, and its first and last size.
  int64_t paramIndex(mlir::Operation *op) const;
  int64_t paramRows(mlir::Operation *op) const;
  int64_t paramColumns(mlir::Operation *op) const;
  int64_t numParams() const { return params.size(); }
  /// Where memory stands in what is kept: rows are behind all marks.
  int64_t keptFrom(rt::KeptOp op) const {
    return op.getFrom() + (op.getMarks() ? 0 : markBytes);
  }

  /// A memref over memory. `sizes` are i64, one per dynamic dimension.
  mlir::Value memref(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::MemRefType type, mlir::Value memory,
                     mlir::ValueRange sizes);
  /// Matrices of `columns` columns in panels: those of `copy`, or where that is
  /// null the rows of `value`.
  mlir::Value panels(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::MemRefType type, mlir::Value copy, mlir::Value value,
                     int64_t columns);
  /// The array that field `offset` of a struct points to, whose length is the
  /// field `lengthOffset` plus `more`.
  mlir::Value arrayOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::MemRefType type, mlir::Value base, size_t offset,
                      size_t lengthOffset, int64_t more);
  /// The address of a text with its final 0.
  mlir::Value text(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef text);
  /// The address of the first element of a memref.
  mlir::Value firstElement(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value memref);
  mlir::Value cast(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Type type);
  /// The value as one of the converted type, and back.
  mlir::Value toPointer(mlir::OpBuilder &builder, mlir::Value value);
  mlir::Value fromPointer(mlir::OpBuilder &builder, mlir::Value pointer,
                          mlir::Type type);
  /// Memory on the stack of the function, taken once.
  mlir::Value stackMemory(mlir::func::FuncOp function, int64_t bytes,
                          mlir::Location loc);

  /// The parts of a captured value that a launch passes: of a memref the
  /// address of its first element, and what its type does not say of sizes and
  /// strides.
  llvm::SmallVector<mlir::Value> unpack(mlir::OpBuilder &builder,
                                        mlir::Location loc, mlir::Value value);
  /// The inverse of `unpack`. `next` gives the parts, by type, in order.
  mlir::Value pack(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Type type,
                   llvm::function_ref<mlir::Value(mlir::Type)> next);
  void appendPartTypes(mlir::Type type,
                       llvm::SmallVectorImpl<mlir::Type> &types);
  /// A pointer to an address space; and one as a pointer to any memory.
  mlir::Type pointerTo(unsigned space);
  mlir::Value inAnyMemory(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value pointer);

  /// Functions of a parameter's struct (and a row) that mark and unmark rows.
  mlir::func::FuncOp touchFunction();
  mlir::func::FuncOp clearTouchedFunction();

private:
  mlir::LogicalResult bindEntry(mlir::func::FuncOp entry);
  llvm::SmallVector<mlir::Value> readArguments(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::Value call,
                                               const EntrySignature &signature);
  mlir::func::FuncOp createHelper(llvm::StringRef name,
                                  mlir::TypeRange arguments);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::LLVMTypeConverter converter;
  struct Param {
    int64_t index, rows, columns;
  };
  llvm::StringMap<Param> params;
  llvm::StringSet<> tasks;
  bool onDevice;
  std::unique_ptr<Services> services;
  int64_t numTexts = 0, markBytes;
  llvm::DenseMap<mlir::Operation *, mlir::Value> calls;
  mlir::func::FuncOp touch, clearTouched;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_RTFUNCTIONS_H
