//===-- test/Runtime/train/TasksTest.cpp - Tasks in turn ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "Chunks.h"
#include "TaskData.h"
#include "TaskList.h"
#include "TaskMemory.h"
#include "TaskResults.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using namespace cambium;
using namespace cambium::train;

namespace {

using Numbers = std::vector<int64_t>;

/// 40 points about each of five places of the plane.
std::vector<float> makePoints() {
  const float places[][2] = {{0, 0}, {50, 0}, {0, 50}, {50, 50}, {25, 100}};
  std::vector<float> points;
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < 2; ++k)
      points.push_back(places[i / 40][k] +
                       float(cambium_mix(7, i * 2 + k) >> 40) * 0x1p-22f);
  return points;
}

/// The number of the point nearest to the mean of those of its place.
int64_t middleOf(const std::vector<float> &points, int64_t place) {
  double mean[2] = {0, 0};
  for (int64_t i = place * 40; i < place * 40 + 40; ++i)
    for (int k = 0; k < 2; ++k)
      mean[k] += points[i * 2 + k] / 40.0;
  auto far = [&](int64_t i) {
    const double x = points[i * 2] - mean[0], y = points[i * 2 + 1] - mean[1];
    return x * x + y * y;
  };
  int64_t best = place * 40;
  for (int64_t i = place * 40; i < place * 40 + 40; ++i)
    best = far(i) < far(best) ? i : best;
  return best;
}

static Numbers central(const std::vector<float> &points, int64_t width,
                       int64_t count, uint64_t seed) {
  return chooseCentral(points, width, count, seed, [] { return false; });
}

TEST(TaskMemory, OnePointOfEachPlace) {
  const std::vector<float> points = makePoints();
  Numbers middles;
  for (int64_t place = 0; place < 5; ++place)
    middles.push_back(middleOf(points, place));
  for (uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(central(points, 2, 5, seed), middles);
}

/// Asked early or late, it ends with the next point, and has nothing.
TEST(TaskMemory, Stops) {
  const std::vector<float> points = makePoints();
  for (int after : {0, 3, 100, 300}) {
    int asked = 0;
    EXPECT_EQ(chooseCentral(points, 2, 5, 1, [&] { return asked++ >= after; }),
              Numbers());
    EXPECT_LE(asked, after + 5);
  }
}

TEST(TaskMemory, Edges) {
  EXPECT_EQ(central(std::vector<float>(12), 3, 4, 1), (Numbers{0, 1, 2, 3}));
  const Numbers some = central(std::vector<float>(27), 3, 4, 1);
  EXPECT_EQ(some.size(), 4u);
  EXPECT_EQ(std::adjacent_find(some.begin(), some.end()), some.end());
  EXPECT_EQ(central({1}, 1, 1, 1), (Numbers{0}));
  EXPECT_EQ(central({1, 2, 4}, 1, 3, 1), (Numbers{0, 1, 2}));
  EXPECT_EQ(drawSome(3, 3, 1), (Numbers{0, 1, 2}));
  EXPECT_EQ(drawSome(2, 100, 1), drawSome(2, 100, 1));
  EXPECT_NE(drawSome(2, 100, 1), drawSome(2, 100, 2));
}

TEST(TaskList, StepsAfterTasks) {
  EXPECT_EQ(stepsAfter("replay:earlier/10,train", 3), "replay:3/10,train");
  EXPECT_EQ(stepsAfter("replay:earlier,critic:2,train", 1),
            "replay:1,critic:2,train");
  EXPECT_EQ(stepsAfter("replay:earlier/10,train", 0), "train");
  EXPECT_EQ(stepsAfter("train", 2), "train");
  EXPECT_EQ(stepsAfter("", 2), "");
  EXPECT_EQ(stepsAfter("a:earliest,train", 2), "a:earliest,train");
}

/// A last sentence may have no blank line behind it.
TEST(TaskData, SentencesStayApart) {
  const std::string folder = testing::TempDir() + "cambium-sentences";
  const std::string sentence = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                               "2\tb\t_\tNOUN\t_\t_\t1\tdep\t_\t_";
  std::vector<Task> tasks(2);
  std::filesystem::create_directories(folder);
  for (Task &task : tasks) {
    const bool isFirst = &task == &tasks[0];
    task.name = isFirst ? "one" : "two";
    task.options.train = folder + "/" + task.name + ".conllu";
    task.options.data.format = "conllu";
    ASSERT_TRUE(data::writeFileAtomically(task.options.train,
                                          sentence + (isFirst ? "" : "\n"))
                    .ok());
  }
  train::Setup setup; // A test has another one.
  setup.reader = data::createReader("conllu");
  const TaskData data(RunFolder(folder), tasks[0]);
  ASSERT_TRUE(data.writeLearn(tasks, *setup.reader).ok());
  ASSERT_TRUE(setup.reader->fit(data.learn()).ok());
  for (const auto &[file, count] :
       {std::pair(data.learn(), 2), std::pair(tasks[0].options.train, 1)}) {
    data::Dataset dataset;
    Chunks lines;
    const Status status = lines.read(setup, file, "--memory", dataset);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(dataset.size(), count);
    for (const std::string &chunk : lines.chunks)
      EXPECT_EQ(chunk, sentence + "\n\n");
  }
  data.remove();
  std::filesystem::remove_all(folder);
}

TEST(TaskResults, WhatSumsUp) {
  TaskResults results;
  results.names = {"a", "b", "c"};
  results.metric = "accuracy";
  results.matrix = {{0.9, 0.1, 0}, {0.95, 0.8, 0}, {0.6, 0.4, 0.8}};
  std::vector<double> transfer = results.transfer();
  std::vector<double> forgotten = results.forgotten();
  ASSERT_EQ(transfer.size(), 2u);
  ASSERT_EQ(forgotten.size(), 2u);
  EXPECT_NEAR(transfer[0], -0.3, 1e-12);
  EXPECT_NEAR(forgotten[0], 0.35, 1e-12); // 0.95 - 0.6
  EXPECT_NEAR(forgotten[1], 0.4, 1e-12);
  // Of a loss less is better.
  results.metric = "loss";
  EXPECT_NEAR(results.transfer()[0], 0.3, 1e-12);
  EXPECT_NEAR(results.forgotten()[0], -0.3, 1e-12); // At best 0.9, now 0.6.
  results.matrix.resize(1);
  EXPECT_TRUE(results.transfer().empty());
  EXPECT_TRUE(results.forgotten().empty());
}

} // namespace
