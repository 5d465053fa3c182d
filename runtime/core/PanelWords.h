//===-- runtime/core/PanelWords.h - Parameters as words of panels -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_PANELWORDS_H
#define CAMBIUM_RUNTIME_CORE_PANELWORDS_H

#include <cstdint>

namespace cambium::runtime {

/// Columns of a matrix of f32 and where a panel of them goes.
struct PanelOfColumns {
  const float *from;
  /// Elements between two rows, rows, and columns that there are.
  int64_t stride, depth, columns;
  uint32_t *to;
  /// Columns of a panel.
  int64_t width;
};

/// Rows of a panel of bf16, and of integers of 8 bits (abi.h).
constexpr int64_t roundedRows(int64_t depth) { return (depth + 1) / 2; }
constexpr int64_t integerRows(int64_t depth) { return (depth + 3) / 4 + 2; }

/// Rounds to nearest even; NaN stays NaN.
void roundPanel(const PanelOfColumns &panel);
/// A column's scale is the largest of its absolute values by 127; NaN where one
/// is not finite, and 0 where all are less than 2^-120.
void quantizePanel(const PanelOfColumns &panel);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_PANELWORDS_H
