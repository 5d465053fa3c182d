//===-- dialects/NN/Transforms/Instance.h - Instances of modules *- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_TRANSFORMS_INSTANCE_H
#define CAMBIUM_DIALECTS_NN_TRANSFORMS_INSTANCE_H

#include "cambium/Interfaces/StackingOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/IR/Sizes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cambium::nn {

/// The sizes of the file that a function stands in.
struct FileSizes {
  /// Of the root; imported functions have theirs as an attribute.
  llvm::SmallVector<SizeAttr> root;

  llvm::SmallVector<SizeAttr> of(mlir::Operation *function) const;
};

/// Puts numbers in the place of each `#nn.given` and `nn.constant` of their
/// names; drops those that are used from `numbers`. Fails where a number is of
/// another kind.
llvm::LogicalResult giveNumbers(mlir::Operation *op, Numbers &numbers);

/// Puts into each `#nn.given` and `nn.constant` its own number.
void settleNumbers(mlir::Operation *op);

/// Where parameters are declared: the path of their names, the optimizer's
/// group of those that name none, and the loops of which each iteration has its
/// own.
struct Scope {
  std::string path;
  mlir::StringAttr group;
  llvm::SmallVector<StackingOpInterface> stacks;
};

/// Replaces calls by the functions called, and parameters declared in functions
/// by parameters of the module.
class Instantiator {
public:
  Instantiator(mlir::ModuleOp module, const FileSizes &files);

  /// Whether a function declares parameters, itself or in what it calls.
  bool declares(mlir::Operation *function) const {
    return declaring.contains(function);
  }
  /// Expands a copy of a function of the surface, whose scope is empty.
  llvm::FailureOr<mlir::OwningOpRef<mlir::Operation *>>
  expand(mlir::FunctionOpInterface entry);

private:
  /// What a call gives, and which of it was of use.
  struct Given {
    Numbers numbers;
    llvm::SmallDenseSet<mlir::StringAttr> used;
  };

  bool findDeclarers(mlir::FunctionOpInterface function,
                     llvm::DenseSet<mlir::Operation *> &seen);
  llvm::LogicalResult expandBlock(mlir::Block &block, const Scope &scope);
  llvm::LogicalResult expandRegions(mlir::Operation *op, const Scope &scope);
  llvm::LogicalResult checkPlainCall(mlir::Operation *op);

  llvm::LogicalResult expandCall(CallOp call, Scope scope);
  llvm::LogicalResult enterGroup(CallOp call, mlir::FunctionOpInterface callee,
                                 Scope &scope);
  llvm::LogicalResult checkCall(CallOp call, mlir::FunctionOpInterface callee);
  llvm::FailureOr<mlir::OwningOpRef<mlir::Operation *>>
  specialize(CallOp call, mlir::FunctionOpInterface callee);
  llvm::LogicalResult solveSizes(CallOp call, mlir::FunctionOpInterface callee,
                                 llvm::ArrayRef<SizeAttr> sizes,
                                 SizeValues &values);
  static llvm::LogicalResult checkUsed(CallOp call, const Given &numbers);
  llvm::LogicalResult giveSize(CallOp call, SizeAttr size, SizeValues &values);
  Numbers findNumbers() const;
  void markUsed(mlir::StringAttr name);

  llvm::FailureOr<ParamOp> declare(ParamOp local, const Scope &scope);
  llvm::LogicalResult checkSame(ParamOp declared, ParamOp again,
                                mlir::Type type, mlir::StringAttr group);
  mlir::Value valueOf(ParamOp param, const Scope &scope);

  mlir::ModuleOp module;
  const FileSizes &files;
  mlir::SymbolTable symbols;
  llvm::DenseSet<mlir::Operation *> declaring;
  /// The first op behind the parameters of the module.
  mlir::Operation *behindParams = nullptr;
  /// Where the parameters made here were declared.
  llvm::DenseMap<mlir::Operation *, mlir::Location> places;
  int64_t numOps = 0;

  // Of the function at hand.
  mlir::Block *entryBlock = nullptr;
  mlir::Operation *lastUse = nullptr;
  llvm::SmallVector<mlir::Operation *> calls;
  /// Of the calls around, from the outermost one.
  llvm::SmallVector<Given> given;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> uses;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, mlir::Value> slices;
};

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_TRANSFORMS_INSTANCE_H
