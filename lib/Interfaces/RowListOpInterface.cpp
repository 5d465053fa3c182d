//===-- RowListOpInterface.cpp - Generated definitions --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/RowListOpInterface.h"
#include "cambium/Interfaces/RowListOpInterface.cpp.inc"
