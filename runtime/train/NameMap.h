//===-- runtime/train/NameMap.h - Names of tensors --------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_NAMEMAP_H
#define CAMBIUM_TRAIN_NAMEMAP_H

#include "cambium/data.h"

#include <string>
#include <vector>

namespace cambium::train {

using data::Status;

/// Which tensor of a file becomes which parameter (docs/ImportingWeights.md): a
/// rule per line, of which the first one that fits counts,
///
///     encoder.layer.*.output.dense.weight   layer.outer.W[*]  transpose
///     attention.qkv.weight[0:768]           query.W           transpose
///     pooler.**                             -
///
/// and `prefix TEXT`, which names lose before. `[*]` behind a parameter is one
/// of its slices along the first dimension; `[begin:end]` behind a tensor are
/// its rows, each range with a rule of its own. Without rules every name stands
/// for itself.
class NameMap {
public:
  /// What becomes of a tensor.
  struct Fate {
    bool isKnown = false;   ///< A rule fits.
    bool isDropped = false; ///< It says that the tensor is not needed.
    bool isTransposed = false;
    std::string name;   ///< Of the parameter.
    int64_t slice = -1; ///< Of the parameter; -1: all of it.
    /// The rows of the tensor; `end` < 0: all of them.
    int64_t begin = 0, end = -1;
  };

  static Status parse(std::string_view text, const std::string &source,
                      NameMap &result);
  static Status load(const std::string &path, NameMap &result);
  /// One, or one for each range of rows.
  std::vector<Fate> fatesOf(const std::string &tensor) const;

private:
  struct Rule {
    std::string pattern, name;
    bool isTransposed = false;
    int64_t begin = 0, end = -1;
  };
  std::vector<std::string> prefixes;
  std::vector<Rule> rules;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_NAMEMAP_H
