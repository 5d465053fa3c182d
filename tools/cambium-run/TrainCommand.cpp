//===-- tools/cambium-run/TrainCommand.cpp - cambium-run train ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Console.h"
#include "Interrupt.h"

using namespace cambium;
using namespace cambium::run;

static const char kTrainFooter[] =
    R"help(Example: a sentiment model, 20 epochs, stopping early
  cambium-run train model.so --data ptb --train train.txt --dev dev.txt \
    --test test.txt --out run --epochs 20 --batch-size 25 --lr 0.05 --patience 5
Killed or interrupted? The same with --resume goes on, to the same numbers:
  cambium-run train --out run --resume
How much is luck? Five trainings, mean and deviation:
  ... --out runs --seeds 5
One task after the other (docs/Tasks.md), and what is forgotten:
  cambium-run train model.so --data table --tasks tasks.json --out course
A rate per parameter group, warm-up over one epoch, then linear decay:
  ... --lr 0.001 --lr embedding=0.01 --schedule linear --warmup 1epoch

The module must have the function 'predict' (output 0: class scores, or a number)
and a training step; with a function 'loss' the loss on the dev data is shown too.
Inputs are matched with the fields of the data by name; formats and their fields:)help";

static std::string footer() {
  std::string text = kTrainFooter;
  for (const data::FormatInfo &format : data::formats())
    text += std::string("\n  ") + format.name + ": " + format.summary;
  return text;
}

void run::addTrainCommand(CLI::App &app, const std::string &typed,
                          int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "train", "Trains a model and keeps the best parameters");
  command->footer(footer());
  auto options = std::make_shared<train::Options>();
  auto quiet = std::make_shared<bool>(false);
  options->command = typed;
  command->add_option("module", options->model.module,
                      "Module made by cambium-compile");
  addOptions(*command, *options, /*ofModel=*/false);
  command->add_flag("--quiet", *quiet, "No progress line");
  command->callback([options, quiet, &exitCode] {
    outliveReaders();
    Console console(*quiet);
    train::Result result;
    const Status status = train::run(*options, console, result);
    exitCode = !status.ok()      ? fail(status)
               : interruptedBy() ? 128 + interruptedBy()
                                 : 0;
  });
}
