//===-- runtime/train/Batches.h - Which examples meet -----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_BATCHES_H
#define CAMBIUM_TRAIN_BATCHES_H

#include "Carry.h"
#include "Sets.h"

namespace cambium::train {

/// How examples are put into batches.
struct BatchOptions {
  int64_t examples = 32; ///< Of a batch, at most.
  /// Nodes (or words) of all examples of a batch, at most, unless one example
  /// alone has more; 0: any number.
  int64_t nodes = 0;
  /// "none": examples in random order; "size": examples of similar numbers of
  /// nodes (or words) go together; "height": trees of similar height.
  std::string bucket = "none";
  SetOptions sets = {}; ///< An example is a set of lines, if they are given.
  /// With it, as many texts as examples of a batch run side by side.
  CarryOptions carry = {};
};

/// Indices of the examples of each batch.
using Batches = std::vector<std::vector<int32_t>>;

/// A number below `bound` from a random one.
uint64_t randomBelow(uint64_t key, uint64_t bound);

/// The batches of an epoch: a permutation of all examples that depends on
/// nothing but the arguments. With a bucket, the permutation is cut into pieces
/// of 50 batches, whose examples are sorted, and the batches are shuffled.
Batches makeBatches(const data::Dataset &dataset, uint64_t seed, int64_t epoch,
                    const BatchOptions &options);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_BATCHES_H
