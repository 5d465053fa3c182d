//===-- cambium/Support/UnknownNames.h - Names that no dialect has -*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_UNKNOWNNAMES
#define CAMBIUM_SUPPORT_UNKNOWNNAMES

#include "mlir/IR/Diagnostics.h"
#include <string>

namespace cambium {

/// What was meant by the misspelled dialect, or the unknown op of any, or the
/// keyword behind an op, that an error of the parser is about: `nn.relu`,
/// `!tree.tree`, `frozen`. Empty if it is about something else, or nothing is
/// close. `before` is the text before the error.
std::string findMeant(mlir::MLIRContext *context, llvm::StringRef error,
                      llvm::StringRef before);

/// The text before a line and a column, both from 1.
llvm::StringRef textBefore(llvm::StringRef text, unsigned line,
                           unsigned column);

/// While text is parsed, such errors get a note that names what was meant.
/// Comes after the handler that shows errors: the last one is asked first.
class UnknownNames : public mlir::ScopedDiagnosticHandler {
public:
  UnknownNames(mlir::MLIRContext *context, llvm::StringRef text);
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_UNKNOWNNAMES
