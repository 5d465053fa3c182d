//===-- Sets.h - Examples that are sets of lines ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function that takes sets is called with several lines of the data as one
/// example, whose rows they are (docs/Tables.md).
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SETS_H
#define CAMBIUM_TRAIN_SETS_H

#include "cambium/data.h"

namespace cambium::train {

using data::Status;

/// Which lines are a set.
struct SetOptions {
  int64_t size = 0; ///< Lines of a set at most; 0: any number.
  std::string by;   ///< The field that lines of a set have in common; or empty.

  bool areGiven() const { return size > 0 || !by.empty(); }
};

/// The lines of a data set as sets.
class Sets {
public:
  /// Fails if there is no such field.
  static Status create(const data::Dataset &dataset, const SetOptions &options,
                       Sets &result);

  /// All sets, one after the other: of the lines of `order`, which is the
  /// file's, where the lines of a set have a field in common.
  std::vector<std::vector<int32_t>> of(const std::vector<int32_t> &order) const;
  /// Where the set that begins at `first` ends, among lines that are whole sets
  /// of `of`.
  int64_t endOf(const int32_t *lines, int64_t count, int64_t first) const;
  bool isByField() const { return field != nullptr; }

private:
  int64_t size = 0;
  const data::Field *field = nullptr;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SETS_H
