//===-- tools/cambium-run/Commands.h - The commands of cambium-run -*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_COMMANDS_H
#define CAMBIUM_RUN_COMMANDS_H

#include "runtime/train/Setup.h"

#include <CLI/CLI.hpp>

namespace cambium::run {

using data::Status;

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
void addOptionsCommand(CLI::App &app, int &exitCode);

/// Adds an option of the table, perhaps with other words about it.
void addOption(CLI::App &command, const train::OptionInfo &info,
               train::Options &options, const char *summary = nullptr);
/// Adds the options of the table: all, or those of a trained model.
void addOptions(CLI::App &command, train::Options &options, bool ofModel);
/// And what else names a model and its data.
void addSourceOptions(CLI::App &command, train::Source &source);
/// Numbers of examples and the like: such that their products are in range.
constexpr int64_t kMostCount = 1'000'000'000;
/// To `transform` an option that takes a number from 1 on: `expected a whole
/// number from 1 to 1000000000, but got '0'`. CLI11 itself takes 010 for 8, and
/// what is too large for the largest number.
CLI::Validator countUpTo(int64_t most = kMostCount);
/// A check of a learning rate.
extern const CLI::Validator kRate;
/// Adds an option that takes such numbers, separated by commas.
CLI::Option *addCounts(CLI::App &command, const std::string &name,
                       std::vector<int64_t> &counts,
                       const std::string &summary);

/// Prints "cambium-run: error: ..." and returns 1.
int fail(const Status &status);

} // namespace cambium::run

#endif // CAMBIUM_RUN_COMMANDS_H
