//===-- runtime/train/Chunks.h - The lines of each example ---- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_CHUNKS_H
#define CAMBIUM_TRAIN_CHUNKS_H

#include "Setup.h"

namespace cambium::train {

/// A data file cut into the lines of its examples.
struct Chunks {
  std::string header;              ///< Lines before the first example.
  std::vector<std::string> chunks; ///< The lines of each example.

  /// Reads a file, of which `dataset` becomes the examples. `purpose` is the
  /// option that needs lines of one example each.
  Status read(Setup &setup, const std::string &path, const char *purpose,
              data::Dataset &dataset);
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_CHUNKS_H
