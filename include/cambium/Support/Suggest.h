//===-- cambium/Support/Suggest.h - Names that were meant -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_SUGGEST
#define CAMBIUM_SUPPORT_SUGGEST

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cambium {

/// The name that a misspelled one is close to; empty if there is none.
llvm::StringRef closestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> names);

/// `: did you mean 'x'?`, to be put behind an error; empty if no name is close.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> names);

/// The same among the symbols of an op's symbol table that are of one of the
/// kinds.
template <typename... Ops>
std::string didYouMeanSymbol(llvm::StringRef name, mlir::Operation *op) {
  llvm::SmallVector<llvm::StringRef> names;
  mlir::Operation *table = mlir::SymbolTable::getNearestSymbolTable(op);
  for (mlir::Operation &each : table->getRegion(0).getOps())
    if (auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(each);
        symbol && llvm::isa<Ops...>(each) && symbol.getNameAttr())
      names.push_back(symbol.getName());
  return didYouMean(name, names);
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_SUGGEST
