//===-- dialects/NN/IR/Expression.h - Arithmetic written as text ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that are data (elementwise derivatives, optimizer updates) are written
// as expressions and built as `arith` and `math` ops on scalars or tensors:
//
//   expression := comparison
//   comparison := sum (('<' | '>' | '==') sum)?
//   sum        := product (('+' | '-') product)*
//   product    := unary (('*' | '/') unary)*
//   unary      := '-' unary | number | name | name '(' expression, ... ')'
//               | '(' expression ')'
//
// Functions: exp, log, log1p, sqrt, rsqrt, tanh, sin, cos, abs, erf, sigmoid,
// pow(x, y), min(x, y), max(x, y), select(condition, x, y), sign(x).
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_EXPRESSION_H
#define CAMBIUM_DIALECTS_NN_IR_EXPRESSION_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace cambium {

/// Builds the expression; `names` gives the values of its names, all of one
/// type. A number becomes a constant in the shape of `like`. Fails with an
/// error at `loc` on a malformed expression or an unknown name.
mlir::FailureOr<mlir::Value>
buildExpression(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::StringRef text, const llvm::StringMap<mlir::Value> &names,
                mlir::Value like);

/// The names that occur in the expression, for those who must fetch their
/// values first. Functions are not names.
llvm::SmallVector<llvm::StringRef> namesIn(llvm::StringRef text);

} // namespace cambium

#endif // CAMBIUM_DIALECTS_NN_IR_EXPRESSION_H
