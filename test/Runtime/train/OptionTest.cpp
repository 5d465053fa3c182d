//===-- test/Runtime/train/OptionTest.cpp - The table of options ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RunLock.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace cambium;
using namespace cambium::train;

namespace {

TEST(OptionTable, hasEachNameOnce) {
  std::set<std::string> names;
  for (const OptionInfo &option : optionTable())
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
  EXPECT_EQ(findOption("none"), nullptr);
}

/// A text that is a good value of the option, other than the default one.
std::string otherValue(const OptionInfo &option) {
  Options scratch;
  const std::string before = textOf(option, scratch);
  std::vector<std::string> texts = {"true",   "2",    "3",    "0.5", "0.25",
                                    "linear", "left", "size", "x=1"};
  for (const std::string &text : texts)
    if (Options other;
        setOption(option, text, other).ok() && textOf(option, other) != before)
      return text;
  return "";
}

TEST(OptionTable, survivesTheSavedRun) {
  for (const OptionInfo &option : optionTable()) {
    Options options, read;
    const std::string value = otherValue(option);
    ASSERT_NE(value, "") << option.name;
    ASSERT_TRUE(options.set(option.name, value).ok()) << option.name;
    Json json;
    ASSERT_TRUE(
        Json::parseObject(optionsToJson(options).compact(), "t", json).ok());
    ASSERT_TRUE(optionsFromJson(json, "t", read).ok());
    const bool isKept = option.onResume != OnResume::NotKept;
    EXPECT_EQ(textOf(option, read),
              textOf(option, isKept ? options : Options()))
        << option.name;
  }
}

TEST(OptionTable, isComparedOnResume) {
  for (const OptionInfo &option : optionTable()) {
    Options saved, again, other;
    ASSERT_TRUE(saved.set(option.name, otherValue(option)).ok());
    // What is not given is taken from the saved run.
    ASSERT_TRUE(mergeResumed(saved, "config.json", again).ok()) << option.name;
    if (option.onResume != OnResume::NotKept)
      EXPECT_EQ(textOf(option, again), textOf(option, saved)) << option.name;
    // The default value, where it is given, is refused or replaces it.
    other.given.insert(option.name);
    const Status status = mergeResumed(saved, "config.json", other);
    EXPECT_EQ(status.ok(), option.onResume != OnResume::Refuse) << option.name;
    if (option.onResume == OnResume::Change)
      EXPECT_EQ(textOf(option, other), textOf(option, Options()));
    if (!status.ok())
      EXPECT_NE(status.message().find("--" + std::string(option.name)),
                std::string::npos);
  }
}

TEST(Options, refuseWhatIsNone) {
  Options options;
  for (const auto &[name, value] :
       {std::pair("seed", "-1"), std::pair("seed", "18446744073709551616"),
        std::pair("epochs", "0"), std::pair("epochs", "4.5"),
        std::pair("epochs", "9223372036854775808"), std::pair("threads", "x"),
        std::pair("power", "0"), std::pair("power", "nan"),
        std::pair("final-factor", "1.5"), std::pair("schedule", "stairs"),
        std::pair("lowercase", "maybe"), std::pair("epochs", "")})
    EXPECT_FALSE(options.set(name, value).ok()) << name << " " << value;
  EXPECT_TRUE(options.given.empty());
  EXPECT_EQ(optionsToJson(options).compact(),
            optionsToJson(Options()).compact());
  EXPECT_EQ(options.set("ephocs", "3").message(),
            "expected the name of an option, but got 'ephocs': did you mean "
            "'epochs'?");
}

TEST(Options, listsGrowFromTheGivenOnes) {
  Options options;
  ASSERT_TRUE(options.set("lr", "0.1").ok());
  ASSERT_TRUE(options.set("lr", "words=0.2").ok());
  EXPECT_EQ(options.rates, (std::vector<std::string>{"0.1", "words=0.2"}));
}

TEST(Options, savedValuesHaveTheirType) {
  Json json;
  Options options;
  ASSERT_TRUE(Json::parseObject(R"({"epochs": "many"})", "t", json).ok());
  EXPECT_FALSE(optionsFromJson(json, "t", options).ok());
  ASSERT_TRUE(Json::parseObject(R"({"lr": [1]})", "t", json).ok());
  EXPECT_FALSE(optionsFromJson(json, "t", options).ok());
}

TEST(RunLock, isHeldOnce) {
  const std::string folder = testing::TempDir() + "/cambium-lock";
  std::filesystem::remove_all(folder);
  RunLock first, second;
  ASSERT_TRUE(first.acquire(folder).ok());
  const Status refused = second.acquire(folder);
  EXPECT_NE(refused.message().find("process"), std::string::npos);
  first.release();
  EXPECT_TRUE(second.acquire(folder).ok());
  second.release();
  EXPECT_FALSE(std::filesystem::exists(folder + "/lock"));
  // What nobody holds, nobody has locked.
  std::filesystem::copy_file("/proc/self/status", folder + "/lock");
  EXPECT_TRUE(first.acquire(folder).ok());
}

} // namespace
