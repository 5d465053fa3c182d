//===-- runtime/core/Initialize.h - Drawing parameters ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_INITIALIZE_H
#define CAMBIUM_RUNTIME_CORE_INITIALIZE_H

#include "Support.h"

struct cambium_session;

namespace cambium::runtime {

/// A tensor to be drawn.
struct TensorToDraw {
  cambium_type_t type;
  int32_t rank;
  const int64_t *shape;
  /// Leading dimensions that number slices, each of which is filled as a
  /// tensor.
  int32_t slices;
  int64_t numElements;
  void *data;
};

/// Fills the tensor. `key` is what the randomness depends on; `threads` does
/// not change a bit. The initializer fits the tensor (type, rank), and is not a
/// file.
cambium_status_t draw(const cambium_init_t &init, uint64_t key,
                      const TensorToDraw &tensor, cambium_session &threads);

/// The key of a parameter.
uint64_t parameterKey(uint64_t seed, const char *name);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_INITIALIZE_H
