//===-- runtime/train/Digests.h - What a training was made of ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_DIGESTS_H
#define CAMBIUM_TRAIN_DIGESTS_H

#include "Json.h"
#include "cambium/train.h"

namespace cambium::train {

/// The files that the numbers of a training depend on, each with a digest of
/// its contents: kept in config.json, and compared when the training goes on.
class Digests {
public:
  /// Adds a file by what it is for ("the training data"), unless it has no
  /// name.
  Status add(const std::string &what, const std::string &path);
  /// The same of contents that are known already.
  void add(const std::string &what, const std::string &path,
           const std::string &digest);
  /// An error that names every file that is not what it was. `source` is the
  /// file that `saved` is from.
  Status compare(const Json &saved, const std::string &source) const;
  Json toJson() const;

private:
  struct Entry {
    std::string what, path, digest;
  };
  std::vector<Entry> entries;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_DIGESTS_H
