//===-- dialects/RT/IR/RTOps.td - Operations of the rt dialect -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RT_OPS_TD
#define CAMBIUM_RT_OPS_TD

include "dialects/RT/IR/CallOps.td"
include "dialects/RT/IR/ForEachOp.td"
include "dialects/RT/IR/GpuOps.td"
include "dialects/RT/IR/KeptOp.td"
include "dialects/RT/IR/ModuleOps.td"
include "dialects/RT/IR/ParamOps.td"
include "dialects/RT/IR/ServiceOps.td"

#endif // CAMBIUM_RT_OPS_TD
