//===-- runtime/train/FiniteCheck.h - Refuses weights that are none *- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_FINITECHECK_H
#define CAMBIUM_TRAIN_FINITECHECK_H

#include "Engine.h"
#include "cambium/store.h"

namespace cambium::train {

/// What a call of the runtime answered, with its message.
Status check(cambium_status_t status);

/// Refuses a checkpoint whose parameters are not all finite, since every answer
/// would be nonsense. Looks at the values of the store that loaded it, and at
/// those of the file `path` where the store keeps none.
Status checkFinite(const cambium_module_t &module, const cambium_store_t &store,
                   const std::string &path);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_FINITECHECK_H
