//===-- tools/cambium-run/Setup.h - Model, reader and data of a command ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_SETUP_H
#define CAMBIUM_RUN_SETUP_H

#include "Evaluation.h"
#include "Options.h"
#include "RunFolder.h"

namespace cambium::run {

/// A loaded model together with the reader of its data.
struct Setup {
  std::unique_ptr<Engine> engine;
  std::unique_ptr<data::Reader> reader;
  Evaluator evaluator;
  std::string splitBy; ///< A column; empty: evaluations are not split.

  /// Loads the module and finds what `evaluator` needs.
  Status loadModel(const ModelOptions &options);
  /// Makes the reader. Its vocabulary is not there yet.
  Status makeReader(const DataOptions &options);
  /// Reads a file.
  Status read(const std::string &path, data::Dataset &dataset) const {
    return reader->read(path, dataset);
  }
  /// The largest number of ids that all inputs fed with the words of the data
  /// take; 0 if any number.
  int64_t vocabularyLimit() const;
};

/// What eval, infer and bench are asked to run: a run folder, or a module.
struct Source {
  std::string run;        ///< A run folder; or
  ModelOptions model;     ///< a module
  std::string checkpoint; ///< with its parameters.
  DataOptions data;
  uint64_t seed = 1; ///< Of parameters where there is no checkpoint.
  /// Where there is no vocabulary: the file to make one from. Empty: an error.
  std::string vocabularyFrom;
};

/// Loads model, parameters, reader and vocabulary. Options given in `source`
/// take precedence over those of the run folder.
Status openSource(const Source &source, bool needsData, Setup &setup,
                  TrainOptions &trained);

} // namespace cambium::run

#endif // CAMBIUM_RUN_SETUP_H
