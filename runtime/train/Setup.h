//===-- runtime/train/Setup.h - Model, reader and data of a command -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_SETUP_H
#define CAMBIUM_TRAIN_SETUP_H

#include "../data/Text.h"
#include "Evaluation.h"
#include "RunFolder.h"

namespace cambium::train {

/// A loaded model together with the reader of its data.
struct Setup {
  std::unique_ptr<Engine> engine;
  std::unique_ptr<data::Reader> reader;
  Evaluator evaluator;
  /// What was asked for beside the result of a run: "--average 3"; empty: this
  /// is the run's result.
  std::string differs;

  /// Loads the module and finds what `evaluator` needs. With `forCalls`, only
  /// functions are called, and values of parameters are not asked for.
  Status loadModel(const ModelOptions &options, bool forCalls = false);
  /// Makes the reader. Its vocabulary is not there yet.
  Status makeReader(const DataOptions &options);
  /// Says what of the data feeds which input; the reader stays what it is.
  Status setFeeds(const DataOptions &options);
  /// Reads a file.
  Status read(const std::string &path, data::Dataset &dataset) const {
    return reader->read(path, dataset);
  }
  /// Reads a file that a training needs again when it goes on: no pipe.
  Status readKept(const std::string &path, data::Dataset &dataset) const {
    Status status = data::expectRegular(path);
    return status.ok() ? read(path, dataset) : status;
  }
  /// By field: the largest number of ids that all inputs fed with it take.
  std::map<std::string, int64_t, std::less<>> fieldLimits() const;
};

/// What eval, infer and bench are asked to run: a run folder, or a module.
struct Source {
  std::string run;        ///< A run folder; or options.model.module
  std::string checkpoint; ///< with its parameters.
  /// The mean of the parameters of epochs that the run keeps: a number of the
  /// last ones, last:N or best:N; empty: none.
  std::string average;
  std::vector<std::string> with; ///< Further runs, which answer together.
  /// Those that are given win over those of the run folder. The seed is that of
  /// parameters where there is no checkpoint.
  Options options;
  bool trains = false; ///< Steps are called, too.
  /// Where there is no vocabulary: the file to make one from. Empty: an error.
  std::string vocabularyFrom;
};

/// Loads model, parameters, reader and vocabularies.
Status openSource(const Source &source, bool needsData, Setup &setup,
                  Options &trained);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_SETUP_H
