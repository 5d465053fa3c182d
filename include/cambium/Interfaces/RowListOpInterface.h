//===-- RowListOpInterface.h - Ops that read a list of rows ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_ROWLISTOPINTERFACE
#define CAMBIUM_INTERFACES_ROWLISTOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "cambium/Interfaces/RowListOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_ROWLISTOPINTERFACE
