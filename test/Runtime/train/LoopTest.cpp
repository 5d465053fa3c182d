//===-- test/Runtime/train/LoopTest.cpp - Rates, state, texts -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"
#include "Format.h"
#include "Trainer.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace cambium;
using namespace cambium::train;

namespace {

TEST(Folds, haveTheirShareOfEachClass) {
  std::vector<int32_t> classes;
  for (int i = 0; i < 100; ++i)
    classes.push_back(i % 10 == 0);
  const std::vector<int64_t> parts = drawFolds(classes, 5, 1);
  std::map<int64_t, std::pair<int, int>> counts;
  for (size_t i = 0; i < parts.size(); ++i)
    ++(classes[i] ? counts[parts[i]].second : counts[parts[i]].first);
  ASSERT_EQ(counts.size(), 5u);
  for (const auto &[part, count] : counts)
    EXPECT_EQ(count, std::pair(18, 2));
  EXPECT_EQ(drawFolds(classes, 5, 1), parts);
  EXPECT_NE(drawFolds(classes, 5, 2), parts);
}

TEST(Schedule, warmsUpAndFalls) {
  Schedule schedule;
  schedule.warmup = 4;
  schedule.total = 14;
  EXPECT_DOUBLE_EQ(schedule.factor(0), 0.25);
  EXPECT_DOUBLE_EQ(schedule.factor(3), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(13), 1);
  schedule.kind = "linear";
  EXPECT_DOUBLE_EQ(schedule.factor(4), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(9), 0.5);
  EXPECT_DOUBLE_EQ(schedule.factor(14), 0);
  EXPECT_DOUBLE_EQ(schedule.factor(20), 0);
  schedule.kind = "polynomial";
  schedule.power = 2;
  schedule.floor = 0.2;
  EXPECT_DOUBLE_EQ(schedule.factor(9), 0.2 + 0.8 * 0.25);
  EXPECT_DOUBLE_EQ(schedule.factor(14), 0.2);
  schedule.decay = 0.25;
  schedule.every = 2;
  schedule.floor = 0;
  schedule.kind = "exponential";
  EXPECT_DOUBLE_EQ(schedule.factor(4), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(5), 0.5);
  EXPECT_DOUBLE_EQ(schedule.factor(8), 0.0625);
  schedule.kind = "steps";
  EXPECT_DOUBLE_EQ(schedule.factor(5), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(6), 0.25);
  schedule.kind = "plateau";
  EXPECT_DOUBLE_EQ(schedule.factor(100), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(100, 2), 0.0625);
  schedule.floor = 0.1;
  EXPECT_DOUBLE_EQ(schedule.factor(100, 2), 0.1);
  schedule.kind = "cosine";
  schedule.floor = 0;
  EXPECT_NEAR(schedule.factor(9), 0.5, 1e-12);
  EXPECT_GT(schedule.factor(6), 0.8);
  schedule.kind = "inverse-sqrt";
  EXPECT_DOUBLE_EQ(schedule.factor(15), 0.5);
}

TEST(Schedule, warmupIsInUpdatesOrEpochs) {
  int64_t updates = -1;
  EXPECT_TRUE(parseUpdates("warmup", "500", 100, updates).ok());
  EXPECT_EQ(updates, 500);
  EXPECT_TRUE(parseUpdates("warmup", "1.5epochs", 100, updates).ok());
  EXPECT_EQ(updates, 150);
  for (const char *bad : {"", "epoch", "-1", "3 weeks", "1e5", "nan"})
    EXPECT_FALSE(parseUpdates("warmup", bad, 100, updates).ok()) << bad;
}

TEST(Rates, areParsed) {
  std::vector<Rate> rates;
  ASSERT_TRUE(parseRates({"0.1", "words=1e-3"}, rates).ok());
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_EQ(rates[1].group, "words");
  EXPECT_DOUBLE_EQ(rates[1].value, 1e-3);
  for (const char *bad : {"", "words=", "-1", "inf", "1x"})
    EXPECT_FALSE(parseRates({bad}, rates).ok()) << bad;
}

TEST(Formula, isANumberOfTheProgress) {
  auto at = [](const char *text, double epoch, double training) {
    Formula formula;
    EXPECT_TRUE(Formula::parse(text, formula).ok()) << text;
    return formula.at({epoch, training});
  };
  EXPECT_DOUBLE_EQ(at("0.5", 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(at("1e-3", 0, 0), 1e-3);
  EXPECT_DOUBLE_EQ(at("1 + 2*3 - 8/4/2", 0, 0), 6);
  EXPECT_DOUBLE_EQ(at("-2^2", 0, 0), -4);
  EXPECT_DOUBLE_EQ(at("2^-1 * (1 - -1)", 0, 0), 1);
  EXPECT_DOUBLE_EQ(at("1/140+(140-1/140)*epoch", 0.5, 0),
                   1 / 140. + (140 - 1 / 140.) / 2);
  EXPECT_DOUBLE_EQ(at("2/(1+exp(-10*training))-1", 0, 0), 0);
  EXPECT_DOUBLE_EQ(at("sqrt(log(exp(4)))", 0, 0), 2);
  const std::string deep(200, '(');
  for (const char *bad :
       {"", "much", "1 2", "(1", "1+", "exp 1", "2x", "e", ")", deep.c_str()}) {
    Formula formula;
    EXPECT_FALSE(Formula::parse(bad, formula).ok()) << bad;
  }
  Formula still, moving;
  EXPECT_TRUE(Formula::parse("1/3", still).ok());
  EXPECT_TRUE(Formula::parse("training", moving).ok());
  EXPECT_FALSE(still.changes());
  EXPECT_TRUE(moving.changes());
}

TEST(TrainState, survivesItsText) {
  TrainState state, read;
  state.attempt = 1;
  state.epoch = 3;
  state.batch = 17;
  state.updates = 12345678901;
  state.lossSum = 0.1 + 0.2; // Needs all digits.
  state.bestMetric = 1.0 / 3;
  state.stopped = "patience";
  ASSERT_TRUE(TrainState::fromText(state.toText(), read).ok());
  EXPECT_EQ(read.toText(), state.toText());
  EXPECT_EQ(read.lossSum, state.lossSum);
  EXPECT_EQ(read.bestMetric, state.bestMetric);
  EXPECT_EQ(read.updates, state.updates);
  EXPECT_TRUE(std::isnan(read.firstLoss));
  EXPECT_FALSE(TrainState::fromText("", read).ok());
  EXPECT_FALSE(TrainState::fromText("{", read).ok());
}

TEST(Json, writesAndReads) {
  Json object = Json::object();
  object.set("text", "a\"b\n\xC3\xA9");
  object.set("none", std::nan(""));
  object.set("large", uint64_t(18446744073709551615u));
  Json back;
  ASSERT_TRUE(Json::parseObject(object.compact(), "t", back).ok());
  EXPECT_EQ(back["text"].text(), "a\"b\n\xC3\xA9");
  EXPECT_TRUE(back["none"].isNull());
  EXPECT_EQ(back["large"].natural(0), 18446744073709551615u);
  EXPECT_TRUE(back["missing"].isNull());
  EXPECT_EQ(back["text"].integer(7), 7);
  EXPECT_FALSE(Json::parseObject("[1]", "t", back).ok());
  EXPECT_FALSE(Json::parseObject("{\"a\": 1} x", "t", back).ok());
  // Nested too deeply to be written or destroyed safely.
  std::string deep = "{\"a\":";
  deep += std::string(1000000, '[') + std::string(1000000, ']') + "}";
  EXPECT_FALSE(Json::parseObject(deep, "t", back).ok());
}

TEST(Text, isReadable) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(-1234567), "-1,234,567");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatBytes(999), "999 bytes");
  EXPECT_EQ(formatBytes(2400000), "2.4 MB");
  EXPECT_EQ(formatDuration(59.4), "59 s");
  EXPECT_EQ(formatDuration(200), "3 min 20 s");
  EXPECT_EQ(formatDuration(3900), "1 h 5 min");
  EXPECT_EQ(formatDuration(std::nan("")), "?");
  EXPECT_EQ(formatShape({}), "[]");
  EXPECT_EQ(formatShape({2, 3}), "[2, 3]");
}

TEST(Metrics, knowWhatIsBetter) {
  EXPECT_TRUE(isBetter("accuracy", 0.6, 0.5));
  EXPECT_FALSE(isBetter("accuracy_all", 0.4, 0.5));
  EXPECT_TRUE(isBetter("rmse", 0.4, 0.5));
  EXPECT_FALSE(isBetter("loss", std::nan(""), 0.5));
  EXPECT_TRUE(isBetter("loss", 0.5, std::nan("")));
}

} // namespace
