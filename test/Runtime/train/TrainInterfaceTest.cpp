//===-- test/Runtime/train/TrainInterfaceTest.cpp - What programs do ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of cambium/train.h that release 1 keeps (docs/Compatibility.md): a
/// program that was written for 1.0 builds with every 1.x. Lines are added here
/// with what is added there, and are not changed.
///
//===----------------------------------------------------------------------===//

#include "cambium/train.h"

#include <gtest/gtest.h>
#include <type_traits>

using namespace cambium;
using namespace cambium::train;

namespace {

template <typename Type, typename... Members> constexpr bool have(Members...) {
  return (std::is_same_v<Members, Type> && ...);
}

using Texts = std::vector<std::string>;
using Model = ModelOptions;
using Data = DataOptions;
static_assert(have<std::string Model::*>(&Model::module, &Model::dataDir,
                                         &Model::predict, &Model::loss));
static_assert(have<int Model::*>(&Model::threads));
static_assert(have<bool Model::*>(&Model::interpret));
static_assert(have<std::string Data::*>(&Data::format, &Data::vocabulary,
                                        &Data::labels, &Data::binarize,
                                        &Data::classes, &Data::parses,
                                        &Data::layout, &Data::tokenizer));
static_assert(have<bool Data::*>(&Data::lowercase, &Data::collapseUnary));
static_assert(have<int64_t Data::*>(&Data::minCount, &Data::maxTokens));
static_assert(have<Texts Data::*>(&Data::maps, &Data::values));
static_assert(have<std::string Options::*>(
    &Options::out, &Options::train, &Options::dev, &Options::init,
    &Options::names, &Options::schedule, &Options::warmup, &Options::metric,
    &Options::step, &Options::bucket, &Options::command));
static_assert(have<Texts Options::*>(&Options::tests, &Options::rates,
                                     &Options::vectors, &Options::weights));
static_assert(have<int64_t Options::*>(
    &Options::epochs, &Options::batchSize, &Options::evalBatchSize,
    &Options::accumulate, &Options::seeds, &Options::patience,
    &Options::batchNodes, &Options::prefetch, &Options::restartAfter,
    &Options::restarts));
static_assert(have<double Options::*>(&Options::power, &Options::finalFactor,
                                      &Options::checkpointSeconds,
                                      &Options::restartGain));
static_assert(have<uint64_t Options::*>(&Options::seed));
static_assert(have<bool Options::*>(&Options::resume, &Options::overwrite));
static_assert(have<int64_t Result::*>(&Result::epochs, &Result::bestEpoch));
static_assert(have<double Result::*>(&Result::bestMetric));
static_assert(have<std::string Result::*>(&Result::metric, &Result::stopped));

/// Every event, and what may be read of it.
struct Listener : Events {
  void began(const BeginEvent &e) override {
    said += e.model + e.metric + e.initialValues;
    counted += e.parameters + e.trainExamples + e.devExamples + e.isResumed +
               e.epoch + e.batch;
  }
  bool wantsProgress() override { return true; }
  void progressed(const ProgressEvent &e) override {
    counted += e.epoch + e.epochs + e.done + e.total;
    sum += e.loss + e.examplesPerSecond + e.secondsLeft;
  }
  void evaluating(int64_t epoch, int64_t) override { counted += epoch; }
  void finishedEpoch(const EpochEvent &e) override {
    counted += e.epoch + e.epochs + e.updates + e.isBest + e.bestEpoch;
    sum += e.trainLoss + e.devLoss + e.dev.find(e.metric) + e.bestMetric +
           e.seconds + e.examplesPerSecond;
  }
  void restarted(int64_t epochs) override { counted += epochs; }
  void finished(const Result &result) override {
    for (const auto &[file, found] : result.tests)
      said += file + found.text() + found.names();
  }
  void evaluated(const EvaluationEvent &e) override {
    said += e.file + e.digest + e.splitBy;
    counted += e.examples;
    sum += e.loss + e.seconds + e.metrics.find("loss");
    for (const Group &group : e.groups)
      counted += group.numExamples + !group.value.empty();
  }
  void interrupted(const std::string &folder) override { said += folder; }
  void seed(const SeedEvent &e) override {
    said += e.isDone ? e.folder : std::to_string(e.seed);
  }
  void sweepFinished(const std::vector<Texts> &table) override {
    counted += static_cast<int64_t>(table.size());
  }
  bool shouldStop() override { return false; }

  std::string said;
  int64_t counted = 0;
  double sum = 0;
};
static_assert(!std::is_abstract_v<Events> && !std::is_abstract_v<Listener>);

const char *const kOptionNames[] = {"predict",
                                    "loss",
                                    "step",
                                    "data-dir",
                                    "vectors",
                                    "init",
                                    "weights",
                                    "names",
                                    "interpret",
                                    "threads",
                                    "train",
                                    "dev",
                                    "test",
                                    "data",
                                    "map",
                                    "value",
                                    "vocab",
                                    "labels",
                                    "min-count",
                                    "lowercase",
                                    "layout",
                                    "parses",
                                    "binarize",
                                    "collapse-unary",
                                    "classes",
                                    "tokenizer",
                                    "max-tokens",
                                    "epochs",
                                    "batch-size",
                                    "eval-batch-size",
                                    "accumulate",
                                    "batch-nodes",
                                    "bucket",
                                    "prefetch",
                                    "lr",
                                    "schedule",
                                    "warmup",
                                    "power",
                                    "final-factor",
                                    "seed",
                                    "seeds",
                                    "metric",
                                    "patience",
                                    "checkpoint-every",
                                    "restart-after",
                                    "restart-gain",
                                    "restarts",
                                    "out",
                                    "resume",
                                    "overwrite"};

TEST(TrainInterface, OptionsKeepTheirNames) {
  for (const char *name : kOptionNames)
    EXPECT_NE(findOption(name), nullptr) << name;
}

/// A program says so much, and gets an error with a text.
TEST(TrainInterface, Runs) {
  Options options;
  EXPECT_TRUE(options.set("epochs", "3").ok());
  EXPECT_FALSE(options.set("epochs", "many").ok());
  EXPECT_EQ(options.epochs, 3);
  options.model.module = "no.so";
  options.out = testing::TempDir() + "train-interface";
  Listener events;
  Result result;
  data::Status status = run(options, events, result);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message(), "");
}

} // namespace
