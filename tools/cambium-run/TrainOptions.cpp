//===-- tools/cambium-run/TrainOptions.cpp - The options of train ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MetricTable.h"
#include "Numbers.h"
#include "Schedule.h"

using namespace cambium;
using namespace cambium::run;

static const char kFooter[] =
    R"help(Example: a sentiment model, 20 epochs, stopping early
  cambium-run train model.so --data ptb --train train.txt --dev dev.txt \
    --test test.txt --out run --epochs 20 --batch-size 25 --lr 0.05 --patience 5
Killed or interrupted? The same with --resume goes on, to the same numbers:
  cambium-run train --out run --resume
How much is luck? Five trainings, mean and deviation:
  ... --out runs --seeds 5
A rate per parameter group, warm-up over one epoch, then linear decay:
  ... --lr 0.001 --lr embedding=0.01 --schedule linear --warmup 1epoch

The module must have the function 'predict' (output 0: class scores, or a number)
and a training step; with a function 'loss' the loss on the dev data is shown too.
Inputs are matched with the fields of the data by name; formats and their fields:)help";

static std::string footer() {
  std::string text = kFooter;
  for (const data::FormatInfo &format : data::formats())
    text += std::string("\n  ") + format.name + ": " + format.summary;
  return text;
}

static void addFileOptions(CLI::App &command, TrainOptions &options) {
  command.add_option("module", options.model.module,
                     "Module made by cambium-compile");
  command.add_option("--train", options.train, "Training data");
  command.add_option("--dev", options.dev, "Data to choose the best epoch by");
  command
      .add_option("--test", options.tests,
                  "Data that the best epoch is evaluated on at the end; may "
                  "be repeated")
      ->allow_extra_args(false);
  command.add_option("--out,--run", options.out, "Folder of this training")
      ->required();
  addDataOptions(command, options.data);
  command.add_option("--vocab", options.data.vocabulary,
                     "Vocabulary, a word per line (default: from the training "
                     "data)");
  command
      .add_option("--vectors", options.vectors,
                  "Begin the rows of a parameter with the word vectors of a "
                  "file (GloVe's format); the vocabulary then also has the "
                  "words of the file. May be repeated")
      ->type_name("PARAMETER=FILE")
      ->allow_extra_args(false);
  command.add_option("--init", options.init,
                     "Begin with the parameters of a checkpoint (a run's "
                     "best.safetensors) that the model has too, by name");
  command
      .add_option("--min-count", options.data.minCount,
                  "Words seen less often in training are unknown words")
      ->check(kPositive);
  command.add_option("--data-dir", options.model.dataDir,
                     "Folder of files that parameters are initialized from");
  command.add_option("--predict", options.model.predict,
                     "The function that predicts (default: predict)");
  command.add_option("--loss", options.model.loss,
                     "The function of the loss on other data (default: loss)");
  command.add_option("--step", options.step,
                     "The training step (default: the only one)");
  addRunOptions(command, options.model);
  command.add_flag("--resume", options.resume,
                   "Go on where the training in the folder was stopped");
  command.add_flag("--overwrite", options.overwrite,
                   "Replace a training that is in the folder");
  command.add_flag("--quiet", options.quiet, "No progress line");
}

/// How batches are made.
static void addBatchOptions(CLI::App &command, TrainOptions &options) {
  command.add_option("--epochs", options.epochs, "Passes over the data")
      ->capture_default_str()
      ->check(kPositive);
  command.add_option("--batch-size", options.batchSize, "Examples of a batch")
      ->capture_default_str()
      ->check(kPositive);
  command
      .add_option("--eval-batch-size", options.evalBatchSize,
                  "The same in evaluations")
      ->capture_default_str()
      ->check(kPositive);
  command
      .add_option("--batch-nodes", options.batchNodes,
                  "A batch ends before it has more nodes (or words) in all; an "
                  "example with more is alone (0: never)")
      ->capture_default_str()
      ->check(kNotNegative);
  command.add_flag("--bucket{size}", options.bucket,
                   "Put examples with similar numbers of nodes or words into a "
                   "batch; --bucket=height: trees of similar height");
  command
      .add_option("--prefetch", options.prefetch,
                  "Batches made ahead of time, by another thread (0: none); "
                  "changes no number")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
}

/// How parameters are updated.
static void addLearningOptions(CLI::App &command, TrainOptions &options) {
  command
      .add_option("--accumulate", options.accumulate,
                  "Batches of one update of the parameters")
      ->capture_default_str()
      ->check(kPositive);
  command
      .add_option("--lr", options.rates,
                  "Learning rate, of all groups or of one; may be repeated "
                  "(default: 0.001)")
      ->type_name("RATE|GROUP=RATE")
      ->allow_extra_args(false);
  command
      .add_option("--schedule", options.schedule,
                  "How rates fall after the warm-up")
      ->capture_default_str()
      ->check(CLI::IsMember(Schedule::kinds()));
  command
      .add_option("--warmup", options.warmup,
                  "Updates (500) or epochs (1epoch) in which rates rise")
      ->capture_default_str();
  command.add_option("--power", options.power, "Of the polynomial schedule")
      ->capture_default_str()
      ->check(kPositive);
  command
      .add_option("--final-factor", options.finalFactor,
                  "Rates fall to this part of their value")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
}

/// When a training ends, is saved, or begins anew.
static void addEndOptions(CLI::App &command, TrainOptions &options) {
  std::string metrics = "Chooses the best epoch (default: the usual one of the "
                        "format):";
  for (const MetricInfo &metric : metricTable())
    metrics += std::string(metrics.back() == ':' ? " " : "; ") + metric.name +
               ", " + metric.summary;
  command.add_option("--seed", options.seed, "Of all random numbers")
      ->capture_default_str();
  command
      .add_option("--seeds", options.seeds,
                  "Train so many times, with --seed and the numbers after it, "
                  "each in a folder of its own in the folder; then mean and "
                  "deviation")
      ->check(kPositive);
  command.add_option("--metric", options.metric, metrics);
  command
      .add_option("--patience", options.patience,
                  "Stop after so many epochs without a better one (0: never)")
      ->capture_default_str()
      ->check(kNotNegative);
  command
      .add_option("--checkpoint-every", options.checkpointSeconds,
                  "Seconds between checkpoints within an epoch")
      ->capture_default_str()
      ->check(kNotNegative);
  command
      .add_option("--restart-after", options.restartAfter,
                  "Restart with a new seed if the training loss of this epoch "
                  "is not below that of the first (0: never; else from 2)")
      ->capture_default_str()
      ->check(kNotNegative);
  command
      .add_option("--restart-gain", options.restartGain,
                  "The part of the loss by which it must be below")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--restarts", options.restarts, "Restarts at most")
      ->capture_default_str()
      ->check(kNotNegative);
}

void run::addTrainOptions(CLI::App &command, TrainOptions &options) {
  command.footer(footer());
  addFileOptions(command, options);
  addBatchOptions(command, options);
  addLearningOptions(command, options);
  addEndOptions(command, options);
}
