//===-- Folds.h - Parts of the training data to test on ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_FOLDS_H
#define CAMBIUM_TRAIN_FOLDS_H

#include "Chunks.h"

namespace cambium::train {

/// The part of each example: as many parts as `count`, each with its share of
/// the examples of each class, drawn by the seed.
std::vector<int64_t> drawFolds(const std::vector<int32_t> &classes,
                               int64_t count, uint64_t seed);

/// The files that one training of --folds has.
struct FoldFiles {
  std::string train, dev, test;
  std::vector<std::string> all() const { return {train, dev, test}; }
};

/// Writes the files of fold `number` (from 0) into the folder: it is tested on,
/// the next one is the dev data, and the others are trained on.
class Folds {
public:
  /// Reads the training data as the options say, and draws.
  Status open(const Options &options);
  Status write(int64_t number, const std::string &folder,
               FoldFiles &files) const;
  FoldFiles filesOf(int64_t number, const std::string &folder) const;
  /// Keeps what the files of a fold have until its training has begun.
  void setAside(int64_t number, const std::string &folder) const;
  /// It cannot begin: they have again what was kept.
  void putBack(int64_t number, const std::string &folder) const;
  /// It has begun.
  void dropKept(int64_t number, const std::string &folder) const;
  /// Removes the files of all folds, and folders that are empty then.
  void discard(const std::string &folder) const;

private:
  Chunks lines;               ///< Of the training data.
  std::vector<int64_t> parts; ///< Of each example.
  std::string end;            ///< ".tsv": as the training file has it.
  int64_t count = 0;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_FOLDS_H
