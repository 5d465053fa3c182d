//===-- test/Runtime/cuda/DeviceEngineTest.cpp - Training on a device -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The engine that training, evaluation and inference run on, on both targets.
/// The library is a part of the program here.
///
//===----------------------------------------------------------------------===//
#include "Engine.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace cambium::train;

static std::unique_ptr<Engine> open(const char *device, Status &status) {
  EngineOptions options;
  options.threads = 1;
  options.device = device;
  std::unique_ptr<Engine> engine;
  status = loadCompiled(CAMBIUM_TEST_MODULE, options, engine);
  return engine;
}

/// Two steps, a value that is written between them, and what is saved.
static std::string train(const char *device) {
  Status status;
  std::unique_ptr<Engine> engine = open(device, status);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(engine->initialize(3).ok());
  const EntrySpec *accumulate = nullptr, *apply = nullptr;
  EXPECT_TRUE(engine->findStep("", accumulate, apply).ok());
  std::unique_ptr<Batch> batch;
  EXPECT_TRUE(engine->makeBatch(*accumulate, batch).ok());
  for (int32_t i = 0; i < 2; ++i) {
    const float target = 3;
    batch->clear(0);
    EXPECT_TRUE(batch->begin(0).ok());
    EXPECT_TRUE(batch->setInput(0, 1, &i).ok());
    EXPECT_TRUE(batch->setInput(1, 1, &target).ok());
    EXPECT_TRUE(batch->end().ok() && batch->finish().ok());
    double loss = 0;
    status = engine->accumulate(*accumulate, *batch, loss);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_GT(loss, 0);
    status = engine->apply(*apply, {{"", 0.25}}, 1);
    EXPECT_TRUE(status.ok()) << status.message();
    const auto *now = static_cast<const float *>(engine->value(2));
    std::vector<float> values(now, now + engine->parameters[2].numElements);
    values[1] += 1;
    EXPECT_TRUE(engine->setValue(2, values.data()).ok());
  }
  EXPECT_GT(engine->memoryPeak(), 0) << device;
  const std::string path = testing::TempDir() + "device-engine.safetensors";
  EXPECT_TRUE(engine->save(path, false).ok());
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::remove(path.c_str());
  return bytes;
}

TEST(DeviceEngineTest, SameCheckpointOnBothTargets) {
  std::string here = train("cpu");
  EXPECT_FALSE(here.empty());
  EXPECT_TRUE(here == train("gpu"));
  EXPECT_TRUE(here == train("gpu:0"));
}

TEST(DeviceEngineTest, NoSuchDevice) {
  Status status;
  EXPECT_EQ(open("gpu:9", status), nullptr);
  EXPECT_EQ(status.message(),
            "expected a GPU with a number below 1, but got 9");
  EXPECT_EQ(open("tpu", status), nullptr);
  EXPECT_EQ(status.message(),
            "expected --device cpu, gpu or gpu:N, but got 'tpu': did you mean "
            "'cpu'?");
}
