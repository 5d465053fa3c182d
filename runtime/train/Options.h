//===-- runtime/train/Options.h - Options, saved and compared ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_OPTIONS_H
#define CAMBIUM_TRAIN_OPTIONS_H

#include "Json.h"
#include "cambium/train.h"

namespace cambium::train {

/// The options that a run keeps, as an object.
Json optionsToJson(const Options &options);
/// Reads them back; what the object does not have stays as it is. A value that
/// is none of the option's is an error.
Status optionsFromJson(const Json &object, const std::string &source,
                       Options &options);

/// Whether all values that were read are some that can be given: whoever edits
/// the file of a run gets an error where the command line would be one.
Status checkSaved(const Options &options, const std::string &source);

/// An error if two items of a list are about the same, as in GROUP=RATE.
Status refuseDoubles(const OptionInfo &option, const Options &options);

/// Whether the caller gave the option: by name, or by a value of its own.
bool isGiven(const OptionInfo &option, const Options &options);

/// Copies the value of one option.
void copyOption(const OptionInfo &option, const Options &from, Options &to);

/// The options of a saved run, with those that are given and may change; an
/// error names those that must not. `source` is the file of the saved ones.
Status mergeResumed(const Options &saved, const std::string &source,
                    Options &options);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_OPTIONS_H
