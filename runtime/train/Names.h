//===-- runtime/train/Names.h - Mistyped names ------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_NAMES_H
#define CAMBIUM_TRAIN_NAMES_H

#include "../data/Names.h"

namespace cambium::train {

using data::closestName;
using data::didYouMean;

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_NAMES_H
