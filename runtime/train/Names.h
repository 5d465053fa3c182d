//===-- runtime/train/Names.h - Mistyped names ------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_NAMES_H
#define CAMBIUM_TRAIN_NAMES_H

#include <string>
#include <string_view>
#include <vector>

namespace cambium::train {

/// The one of `names` that a mistyped name may mean; empty if there is none.
std::string closestName(std::string_view name,
                        const std::vector<std::string> &names);
/// ": did you mean 'x'?", or nothing.
std::string didYouMean(std::string_view name,
                       const std::vector<std::string> &names);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_NAMES_H
