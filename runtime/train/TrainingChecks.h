//===-- runtime/train/TrainingChecks.h - What a training demands -*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TRAININGCHECKS_H
#define CAMBIUM_TRAIN_TRAININGCHECKS_H

#include "Options.h"
#include "RunFolder.h"
#include "Setup.h"

namespace cambium::train {

/// What a folder says of its training must be UTF-8: names of files, too.
Status checkTexts(const Options &options);

/// What must be given, and what goes together.
Status checkOptions(const Options &options);

/// A metric that the model and the data cannot give is an error before
/// training.
Status checkMetric(Setup &setup, const data::Dataset &devSet,
                   const std::string &metric);

/// A module that is named again must be the one of the folder.
Status checkModule(const std::string &given, const RunFolder &folder,
                   bool interpret);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TRAININGCHECKS_H
