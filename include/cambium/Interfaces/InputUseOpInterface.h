//===-- InputUseOpInterface.h - What is asked of inputs ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_INPUTUSEOPINTERFACE
#define CAMBIUM_INTERFACES_INPUTUSEOPINTERFACE

#include "mlir/IR/OpDefinition.h"

namespace cambium {} // namespace cambium

#include "cambium/Interfaces/InputUseOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_INPUTUSEOPINTERFACE
