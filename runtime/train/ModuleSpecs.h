//===-- runtime/train/ModuleSpecs.h - What a module says of itself -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_MODULESPECS_H
#define CAMBIUM_TRAIN_MODULESPECS_H

#include "Engine.h"

namespace cambium::train {

/// An entry, the `index`th of its module.
EntrySpec entrySpec(const cambium_entry_t *entry, size_t index);
ParameterSpec parameterSpec(const cambium_parameter_info_t &info);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_MODULESPECS_H
