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

/// Whether the folder of a training, or of a part of a series, has files that
/// are no training's and would be removed.
Status checkFolder(const RunFolder &folder, const Options &options,
                   bool isPart);

/// Whether the data has what the functions that evaluate it ask for.
Status checkInputs(const Evaluator &evaluator, const data::Dataset &dataset);

/// What is wrong with tests is found before training; of a pipe, when all is
/// trained.
Status checkTests(const Setup &setup, const std::vector<std::string> &files);

/// A metric that the model and the data cannot give is an error before
/// training.
Status checkMetric(Setup &setup, const data::Dataset &devSet,
                   const std::string &metric);

/// A module that is named again must be the one of the folder.
Status checkModule(const std::string &given, const RunFolder &folder,
                   bool interpret);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TRAININGCHECKS_H
