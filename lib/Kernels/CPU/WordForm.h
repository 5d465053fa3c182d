//===-- lib/Kernels/CPU/WordForm.h - How words of panels are multiplied ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_WORDFORM_H
#define CAMBIUM_LIB_KERNELS_CPU_WORDFORM_H

#include "cambium/Support/TargetCosts.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cambium {

/// How the words of panels (`rt.panels as bf16|int8`) are multiplied with those
/// of a converted left operand on a target.
class WordForm {
public:
  WordForm(mlir::OpBuilder &builder, mlir::Location loc, rt::PanelFormat format,
           const TargetCosts &costs);

  bool isInt8() const { return format == rt::PanelFormat::Int8; }
  /// Elements that a word of a panel holds.
  int64_t wordElements() const { return rt::getWordElements(format); }
  /// Whether there is an instruction for the format. Else bf16 become f32,
  /// which have the same products, and integers of 8 bits those of 16.
  bool hasDot() const { return isInt8() ? costs.hasInt8Dot : costs.hasBF16Dot; }
  /// Whether tiles of the processor are multiplied, and not vectors.
  bool hasTiles() const {
    return isInt8() ? costs.hasInt8Tiles : costs.hasBF16Tiles;
  }
  /// Whether the left operand is kept as f32, one in a word.
  bool keepsF32() const { return !isInt8() && !hasDot() && !hasTiles(); }
  /// Words of the left operand that meet one of a panel.
  int64_t leftWords() const { return keepsF32() ? numParts() : 1; }

  /// 32-bit lanes of a vector.
  int64_t numLanes() const { return lanes; }
  /// Words of the left operand that a row is filled up to whole numbers of.
  int64_t rowWords() const {
    if (hasTiles())
      return TargetCosts::amxWords;
    return keepsF32() ? lanes : lanes / wordElements();
  }
  mlir::VectorType vectorOf(mlir::Type element) const {
    return mlir::VectorType::get({lanes}, element);
  }
  /// What sums and words of the left operand are of.
  mlir::Type sumType() const;
  mlir::Type leftType() const;

  /// The products of a word are added in so many steps.
  int64_t numParts() const { return hasDot() ? 1 : 2; }
  /// What of a word of the left operand, a scalar, and of a vector of words of
  /// a panel is multiplied in a step.
  mlir::Value leftPart(mlir::Value word, int64_t part);
  mlir::Value rightPart(mlir::Value words, int64_t part);
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sum);
  /// A vector of f32 rounded to bf16 by the instruction that processors with
  /// tiles have: what is below the normal numbers becomes 0.
  mlir::Value truncated(mlir::Value elements) const;

private:
  mlir::Value broadcast(mlir::Value scalar);
  mlir::Value constant(mlir::Type type, int64_t value);
  /// Lanes of a narrower type over the same bits.
  mlir::Value lanesOf(mlir::Value words, mlir::Type element);
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type type,
                        mlir::ValueRange operands) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
  rt::PanelFormat format;
  const TargetCosts &costs;
  int64_t lanes;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_WORDFORM_H
