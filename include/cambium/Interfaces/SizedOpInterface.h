//===-- SizedOpInterface.h - Ops with sizes beside types ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_SIZEDOPINTERFACE
#define CAMBIUM_INTERFACES_SIZEDOPINTERFACE

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "cambium/Interfaces/SizedOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_SIZEDOPINTERFACE
