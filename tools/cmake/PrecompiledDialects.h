//===-- tools/cmake/PrecompiledDialects.h - Of dialects --------*- C++ -*--===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers of the project, for builds from nothing (CAMBIUM_PCH_DIALECTS): most
// libraries read them. A change of one builds everything anew.
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Tree/IR/Tree.h"
