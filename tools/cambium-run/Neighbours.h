//===-- tools/cambium-run/Neighbours.h - The nearest texts ---- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_NEIGHBOURS_H
#define CAMBIUM_RUN_NEIGHBOURS_H

#include "runtime/train/Setup.h"

namespace cambium::run {

using data::Status;
using train::Setup;

/// Prints a line for each example: its vector, a tab, and what was read.
Status printVectors(const Setup &setup, const data::Dataset &dataset);

/// The examples of a file, found by the cosine of the vectors that a model
/// gives them with those of others.
class Neighbours {
public:
  /// Reads the examples and computes their vectors.
  Status open(const Setup &setup, const std::string &file);
  /// Prints the `count` nearest for each example: its number in its file, the
  /// cosine, the line of the neighbour, and the neighbour itself, between tabs.
  /// Of equally near ones the first comes first.
  Status print(const Setup &setup, const data::Dataset &queries,
               int64_t count) const;

private:
  data::Dataset dataset;
  std::vector<float> vectors; ///< Of length 1, or 0.
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_NEIGHBOURS_H
