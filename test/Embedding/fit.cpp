//===-- test/Embedding/fit.cpp - Training with the library ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: fit MODULE TRAIN DEV WEIGHTS FOLDER
/// Trains a model of trees, beginning with published weights, until the dev
/// data gets no better. Killed and started again, it goes on where it was. A
/// program of docs/Embedding.md.
///
//===----------------------------------------------------------------------===//
#include "cambium/train.h"

#include <cstdio>

using namespace cambium;

class Lines : public train::Events {
  void finishedEpoch(const train::EpochEvent &epoch) override {
    std::printf("epoch %d  loss %.4f  dev %.4f%s\n", int(epoch.epoch),
                epoch.trainLoss, epoch.dev.find(epoch.metric),
                epoch.isBest ? " *" : "");
  }
};

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: fit MODULE TRAIN DEV WEIGHTS FOLDER\n");
    return 2;
  }
  train::Options options;
  options.model.module = argv[1];
  options.data.format = "ptb";
  options.train = argv[2];
  options.dev = argv[3];
  options.weights = {argv[4]}; // What the file lacks is drawn.
  options.out = argv[5];       // Checkpoints, log, best.safetensors.
  options.rates = {"0.05"};
  options.epochs = 200;
  options.patience = 3;
  options.resume = true;
  Lines lines;
  train::Result result;
  data::Status status = train::run(options, lines, result);
  if (!status.ok())
    std::fprintf(stderr, "fit: error: %s\n", status.message().c_str());
  else
    std::printf("best: epoch %d of %d, %s %.4f\n", int(result.bestEpoch),
                int(result.epochs), result.metric.c_str(), result.bestMetric);
  return status.ok() ? 0 : 1;
}
