//===-- runtime/train/TaskMemory.h - What a memory keeps ------ -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TASKMEMORY_H
#define CAMBIUM_TRAIN_TASKMEMORY_H

#include <cstdint>
#include <functional>
#include <vector>

namespace cambium::train {

/// So many of `size` examples, drawn, in their order.
std::vector<int64_t> drawSome(int64_t count, int64_t size, uint64_t seed);

/// So many different points, in their order: of each centre of K-means (Lloyd
/// 1982, begun as by Arthur and Vassilvitskii 2007) in turn the nearest one
/// that is still free. A point is `width` numbers. None if it is asked to stop.
std::vector<int64_t> chooseCentral(const std::vector<float> &points,
                                   int64_t width, int64_t count, uint64_t seed,
                                   const std::function<bool()> &shouldStop);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TASKMEMORY_H
