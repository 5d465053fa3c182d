//===-- runtime/core/Chart.h - The spans of sequences -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_CHART_H
#define CAMBIUM_RUNTIME_CORE_CHART_H

#include "cambium/abi.h"
#include "cambium/runtime.h"

namespace cambium::runtime {

/// The charts of the segments of `rows` (`CAMBIUM_ABI_CHART`), in two steps:
/// the counts, which row numbers must be able to hold, then the arrays, placed
/// in `words`.
cambium_status_t measureChart(cambium_abi_forest_t &forest,
                              const cambium_abi_rows_t &rows);
void orderChart(cambium_abi_forest_t &forest, int32_t *words,
                const cambium_abi_rows_t &rows);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_CHART_H
