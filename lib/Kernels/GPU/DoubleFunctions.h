//===-- DoubleFunctions.h - Functions on f64 by arithmetic ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_DOUBLEFUNCTIONS_H
#define CAMBIUM_LIB_KERNELS_GPU_DOUBLEFUNCTIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cambium {

/// Emits functions of numbers in f64, right to about 1e-15 of their size; sines
/// and cosines of |x| < 2^30.
class DoubleFunctions {
public:
  DoubleFunctions(mlir::OpBuilder &builder, mlir::Location loc)
      : b(loc, builder) {}

  /// A number in f64, and one of f64 in another type.
  mlir::Value extend(mlir::Value value);
  mlir::Value truncate(mlir::Value value, mlir::Type type);

  mlir::Value atan(mlir::Value x);
  mlir::Value cos(mlir::Value x) { return sine(x, 1); }
  mlir::Value erf(mlir::Value x);
  mlir::Value exp(mlir::Value x);
  mlir::Value exp2(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value log2(mlir::Value x);
  mlir::Value pow(mlir::Value x, mlir::Value y);
  mlir::Value sin(mlir::Value x) { return sine(x, 0); }
  mlir::Value tanh(mlir::Value x);

private:
  using Value = mlir::Value;
  using Predicate = mlir::arith::CmpFPredicate;
  Value number(double value);
  Value integer(int64_t value);
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value is(Predicate predicate, Value x, double y);
  Value select(Value condition, Value x, Value y);
  Value abs(Value x);
  Value withSignOf(Value x, Value sign);
  /// A polynomial; the coefficient of the highest power comes first.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);
  /// The nearest integer, as f64 and as i64.
  Value round(Value x);
  Value toInteger(Value x);
  /// 2^k for an integer of which 2^k is a normal number.
  Value powerOfTwo(Value k);
  /// The sine of x + quarters * pi / 2.
  Value sine(Value x, int64_t quarters);

  mlir::ImplicitLocOpBuilder b;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_DOUBLEFUNCTIONS_H
