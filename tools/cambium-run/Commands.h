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

namespace cambium::run {

/// Each adds a command to the program. The command leaves its exit code in
/// `exitCode`: 0, 1 after an error, 128 + n after signal n.
void addTrainCommand(CLI::App &app, const std::string &typed, int &exitCode);
void addEvalCommand(CLI::App &app, int &exitCode);
void addInferCommand(CLI::App &app, int &exitCode);
void addInspectCommand(CLI::App &app, int &exitCode);
void addBenchCommand(CLI::App &app, int &exitCode);

/// Options that several commands share.
void addSourceOptions(CLI::App &command, Source &source);
void addDataOptions(CLI::App &command, DataOptions &data);
void addThreadsOption(CLI::App &command, ModelOptions &model);

/// Prints "cambium-run: error: ..." and returns 1.
int fail(const Status &status);

/// Evaluates files and reports metrics on the standard output. With a run
/// folder, logs them there. The first file's predictions go to
/// `predictionsPath` (empty: nowhere).
Status evaluateFiles(Setup &setup, const std::vector<std::string> &files,
                     const RunFolder *folder, const std::string &metric,
                     const std::string &predictionsPath);

/// Writes predictions.tsv (docs/RunFolder.md).
Status writePredictions(const std::string &path, const data::Dataset &dataset,
                        const Evaluator &evaluator,
                        const Predictions &predictions);

} // namespace cambium::run

#endif // CAMBIUM_RUN_COMMANDS_H
