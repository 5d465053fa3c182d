//===-- tools/cambium-run/Commands.h - The commands of cambium-run -*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_COMMANDS_H
#define CAMBIUM_RUN_COMMANDS_H

#include "Setup.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace cambium::run {

/// The whole program: parses the arguments, runs the command, returns its exit
/// code.
int runMain(int argc, char **argv);

/// Each adds a command to the program. The command leaves its exit code in
/// `exitCode`: 0, 1 after an error, 128 + n after signal n.
void addTrainCommand(CLI::App &app, const std::string &typed, int &exitCode);
void addEvalCommand(CLI::App &app, int &exitCode);
void addInferCommand(CLI::App &app, int &exitCode);
void addRowsCommand(CLI::App &app, int &exitCode);
void addImportCommand(CLI::App &app, const std::string &typed, int &exitCode);
void addInspectCommand(CLI::App &app, int &exitCode);
void addBenchCommand(CLI::App &app, int &exitCode);

/// Options that several commands share.
void addSourceOptions(CLI::App &command, Source &source);
void addDataOptions(CLI::App &command, DataOptions &data);
void addRunOptions(CLI::App &command, ModelOptions &model);

/// Prints "cambium-run: error: ..." and returns 1.
int fail(const Status &status);

/// Evaluates files and reports metrics on the standard output. With a run
/// folder, logs them there. The first file's predictions go to
/// `predictionsPath` (empty: nowhere).
Status evaluateFiles(Setup &setup, const std::vector<std::string> &files,
                     const RunFolder *folder, const std::string &metric,
                     const std::string &predictionsPath);

/// Declares the options of `train`.
void addTrainOptions(CLI::App &command, TrainOptions &options);

/// The options of the training in the folder, with those that were typed and
/// may change; an error names those that must not.
Status mergeResumed(const CLI::App &command, const RunFolder &folder,
                    TrainOptions &options);

/// Trains once: the whole command but for its exit code. `opened`, if any, is
/// called when nothing is left that could be wrong with the options.
Status train(const CLI::App &command, TrainOptions &options,
             const std::function<Status()> &opened);

/// Trains once per seed, each in a folder of its own, and sums up what came out
/// (docs/RunFolder.md).
Status sweepSeeds(const CLI::App &command, TrainOptions &options);

/// Writes tree.json (docs/RunFolder.md), an example of the data set with the
/// predictions at its nodes, and trees.jsonl, the best and the worst examples.
/// Data without trees of a size to draw leaves no file; without targets, none
/// of examples.
Status writeTrees(const RunFolder &folder, const data::Dataset &dataset,
                  const Setup &setup, const Predictions &predictions);

/// The same with predictions of its own, where the model takes trees.
Status drawTrees(const RunFolder &folder, const data::Dataset &dataset,
                 const Setup &setup);

/// Writes predictions.tsv (docs/RunFolder.md).
Status writePredictions(const std::string &path, const data::Dataset &dataset,
                        const Evaluator &evaluator,
                        const Predictions &predictions);

} // namespace cambium::run

#endif // CAMBIUM_RUN_COMMANDS_H
