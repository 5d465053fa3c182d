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

namespace cambium {

/// While text is parsed, errors about an op, a type or an attribute of a
/// misspelled dialect, and about an unknown op of any, get a note that names
/// what was meant. Comes after the handler that shows errors.
class UnknownNames : public mlir::ScopedDiagnosticHandler {
public:
  explicit UnknownNames(mlir::MLIRContext *context);
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_UNKNOWNNAMES
