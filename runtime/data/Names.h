//===-- runtime/data/Names.h - Mistyped names ------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_NAMES_H
#define CAMBIUM_DATA_NAMES_H

#include "cambium/data.h"

#include <string>
#include <string_view>
#include <vector>

namespace cambium::data {

/// The one of `names` that a mistyped name may mean; empty if there is none.
std::string closestName(std::string_view name,
                        const std::vector<std::string> &names);
/// ": did you mean 'x'?", or nothing.
std::string didYouMean(std::string_view name,
                       const std::vector<std::string> &names);

/// What the fields of a data set are called.
std::vector<std::string> namesOf(const Dataset &dataset);

} // namespace cambium::data

#endif // CAMBIUM_DATA_NAMES_H
