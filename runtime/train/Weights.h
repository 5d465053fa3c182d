//===-- runtime/train/Weights.h - Parameters from files ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_WEIGHTS_H
#define CAMBIUM_TRAIN_WEIGHTS_H

#include "Engine.h"
#include "NameMap.h"

namespace cambium::train {

/// Sets the parameters of a model from safetensors files. Numbers of 16, 32 and
/// 64 bits become those of the parameter. All tensors that are missing, not
/// needed or of the wrong shape or type are named in one error, and then no
/// parameter has changed. With `isPartial`, parameters that no file has keep
/// their values.
Status importWeights(const std::vector<std::string> &files, const NameMap &map,
                     bool isPartial, Engine &engine, std::string &summary);

/// Begins a training with the parameters of a checkpoint that the model has
/// too, by their names. Others keep the values that they were drawn with;
/// `summary` says which. None, or one of another shape, is an error.
Status loadInitial(const std::string &path, Engine &engine,
                   std::string &summary);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_WEIGHTS_H
