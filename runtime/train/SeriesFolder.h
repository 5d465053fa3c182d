//===-- runtime/train/SeriesFolder.h - A folder of trainings -- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SERIESFOLDER_H
#define CAMBIUM_TRAIN_SERIESFOLDER_H

#include "Options.h"
#include "RunFolder.h"
#include "RunLock.h"

namespace cambium::train {

/// The folder of trainings that belong together: of seeds, folds or tasks. It
/// has the module and, once a training has begun, the configuration: with it,
/// there is something to resume.
class SeriesFolder {
public:
  explicit SeriesFolder(Options &options)
      : folder(options.out), options(options) {}

  /// Locks what is there. With --resume, `options` become those that hold; a
  /// folder that is not of this kind is an error, which ends with `expected`.
  Status open(bool (*isOfKind)(const Options &saved), const char *expected);
  /// An error if files that are read would be replaced here or in the folder of
  /// a training.
  Status refuseInputs(const Options &inputs) const;
  /// Before data is written into these folders in it: an error if files would
  /// be lost that no series has made; locks the folder.
  Status openData(const std::vector<std::string> &names);
  /// Fills the folder, when nothing is left that could be wrong; what it had
  /// goes only now. After a failure, the training of the folder `part` has not
  /// begun, either.
  Status fill(const std::string &metric, const Json &made,
              const std::string &part);
  /// After a failure: a folder that was not there before goes again, unless
  /// there is something to resume. Whether it may go.
  bool discard();

  RunFolder folder;
  bool hasConfig = false;
  bool replaces = false; ///< Another one, for --overwrite.
  Json digests;          ///< What the trainings before were made of; or null.

private:
  Status refuseLosses() const;
  std::vector<std::string> partsOf() const;
  void removeLeftovers() const;
  Status resume(bool (*isOfKind)(const Options &saved), const char *expected);

  Options &options;
  RunLock lock;
  bool hadFolder = false;
  bool isOwn = false; ///< A training has made what was there.
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SERIESFOLDER_H
