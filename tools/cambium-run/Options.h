//===-- tools/cambium-run/Options.h - What the commands are asked for -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_OPTIONS_H
#define CAMBIUM_RUN_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace cambium::run {

/// Which model, and how to run it.
struct ModelOptions {
  std::string module;
  std::string dataDir;
  std::string predict = "predict", loss = "loss";
  int threads = 0;
  bool interpret = false;
};

/// How data files become examples.
struct DataOptions {
  std::string format;
  std::string vocabulary;
  bool lowercase = false;
  std::string binarize = "none", classes;
  bool collapseUnary = false;
  int64_t minCount = 1;
  std::string parses; ///< Folder with the trees of sentences.
  std::vector<std::string> maps;
  std::string tokenizer; ///< Of texts.
  int64_t maxTokens = 0;
};

/// A training.
struct TrainOptions {
  ModelOptions model;
  DataOptions data;
  std::string out, train, dev;
  std::vector<std::string> tests;
  int64_t epochs = 10, batchSize = 32, evalBatchSize = 256, accumulate = 1;
  std::vector<std::string> rates{"0.001"};
  std::vector<std::string> vectors; ///< PARAMETER=FILE
  std::string init;                 ///< A checkpoint to begin with.
  std::string schedule = "constant", warmup = "0";
  double power = 1, finalFactor = 0;
  uint64_t seed = 1;
  int64_t seeds = 0; ///< Trainings of a sweep; 0: it is none.
  int64_t patience = 0;
  std::string metric, step;
  int64_t batchNodes = 0, prefetch = 1;
  std::string bucket = "none";
  double checkpointSeconds = 60;
  int64_t restartAfter = 0, restarts = 3;
  double restartGain = 0.01;
  // Not kept in the run folder:
  bool resume = false, overwrite = false, quiet = false;
  std::string command;     ///< As typed.
  std::string moduleFile;  ///< Where the module is, if not at its name.
  std::string sweepFolder; ///< Of a training that is part of a sweep.

  /// Calls visit(option name without dashes, member, whether a resumed training
  /// may change it) for everything that the run folder keeps.
  template <typename Visitor> void forEach(Visitor &&visit) {
    visit("data", data.format, false);
    visit("lowercase", data.lowercase, false);
    visit("binarize", data.binarize, false);
    visit("collapse-unary", data.collapseUnary, false);
    visit("classes", data.classes, false);
    visit("min-count", data.minCount, false);
    visit("map", data.maps, false);
    visit("parses", data.parses, false);
    visit("tokenizer", data.tokenizer, false);
    visit("max-tokens", data.maxTokens, false);
    visit("vectors", vectors, false);
    visit("init", init, false);
    visit("train", train, false);
    visit("dev", dev, false);
    visit("test", tests, true);
    visit("data-dir", model.dataDir, false);
    visit("predict", model.predict, false);
    visit("loss", model.loss, false);
    visit("interpret", model.interpret, false);
    visit("step", step, false);
    visit("epochs", epochs, true);
    visit("batch-size", batchSize, false);
    visit("eval-batch-size", evalBatchSize, false);
    visit("accumulate", accumulate, false);
    visit("batch-nodes", batchNodes, false);
    visit("bucket", bucket, false);
    visit("prefetch", prefetch, true);
    visit("lr", rates, false);
    visit("schedule", schedule, false);
    visit("warmup", warmup, false);
    visit("power", power, false);
    visit("final-factor", finalFactor, false);
    visit("seed", seed, false);
    visit("seeds", seeds, true);
    visit("metric", metric, false);
    visit("patience", patience, true);
    visit("restart-after", restartAfter, false);
    visit("restart-gain", restartGain, false);
    visit("restarts", restarts, false);
    visit("checkpoint-every", checkpointSeconds, true);
    visit("threads", model.threads, true);
  }
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_OPTIONS_H
