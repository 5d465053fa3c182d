//===-- runtime/core/Iterations.h - Rows that iterate ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_ITERATIONS_H
#define CAMBIUM_RUNTIME_CORE_ITERATIONS_H

#include "cambium/abi.h"
#include "cambium/runtime.h"

namespace cambium::runtime {

/// The forest of the `iterations` service, in two steps: the counts (`steps[r]`
/// is at least 0 for each of `rows` rows; else an error), then the arrays.
cambium_status_t measureIterations(cambium_abi_forest_t &forest,
                                   const int32_t *steps, int64_t rows);
void orderIterations(cambium_abi_forest_t &forest, int32_t *words,
                     const int32_t *steps);

/// Fills `rows.num_segments + 1` offsets: how the rows named by `ids`,
/// ascending, fall into the segments.
void groupRows(int32_t *offsets, const cambium_abi_rows_t &rows,
               const int32_t *ids, int64_t count);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_ITERATIONS_H
