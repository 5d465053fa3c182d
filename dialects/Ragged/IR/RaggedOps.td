//===-- dialects/Ragged/IR/RaggedOps.td - Operations of the ragged dialect ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_OPS_TD
#define CAMBIUM_RAGGED_OPS_TD

include "dialects/Ragged/IR/AttentionOps.td"
include "dialects/Ragged/IR/ChartOps.td"
include "dialects/Ragged/IR/IterateOps.td"
include "dialects/Ragged/IR/KeyOps.td"
include "dialects/Ragged/IR/LevelsOp.td"
include "dialects/Ragged/IR/PairOps.td"
include "dialects/Ragged/IR/PartitionOps.td"
include "dialects/Ragged/IR/RowOps.td"
include "dialects/Ragged/IR/SegmentOps.td"
include "dialects/Ragged/IR/SelectOps.td"
include "dialects/Ragged/IR/SliceOps.td"
include "dialects/Ragged/IR/TrainingOps.td"
include "dialects/Ragged/IR/WindowOps.td"

#endif // CAMBIUM_RAGGED_OPS_TD
