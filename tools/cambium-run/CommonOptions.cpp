//===-- tools/cambium-run/CommonOptions.cpp - Options of several commands -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "runtime/train/KeptEpochs.h"
#include "runtime/train/Schedule.h"

#include <algorithm>
#include <charconv>

using namespace cambium;
using namespace cambium::run;
using train::OptionInfo;

/// A switch, perhaps with a value: --lowercase, --bucket, --bucket=height.
static CLI::Option *addSwitch(CLI::App &command, const OptionInfo &info,
                              train::Options &options) {
  const std::string name = std::string("--") + info.name;
  auto storage = std::make_shared<std::string>();
  CLI::Option *option =
      command.add_flag(info.implied ? name + "{" + info.implied + "}" : name,
                       *storage, info.summary);
  // The storage lives as long as the option.
  return option->each([&info, &options, storage](const std::string &text) {
    (void)options.set(info.name,
                      info.implied || text == "true" ? text : "false");
  });
}

static CLI::Option *addValue(CLI::App &command, const OptionInfo &info,
                             train::Options &options) {
  std::string names = std::string("--") + info.name;
  if (names == "--out")
    names += ",--run";
  using Texts = std::vector<std::string>;
  const bool isList = std::holds_alternative<Texts *>(info.valueOf(options));
  auto take = [&info, &options](const Texts &texts) {
    for (const std::string &text : texts)
      if (Status status = options.set(info.name, text); !status.ok())
        throw CLI::ValidationError(
            status.message(),
            static_cast<int>(CLI::ExitCodes::ValidationError));
  };
  CLI::Option *option =
      command.add_option_function<Texts>(names, take, info.summary);
  option->type_name(info.valueName)->expected(1)->allow_extra_args(false);
  if (isList)
    option->expected(1, -1)->allow_extra_args(false)->multi_option_policy(
        CLI::MultiOptionPolicy::TakeAll);
  const std::string text = textOf(info, options);
  return text.empty() || info.onResume == train::OnResume::NotKept
             ? option
             : option->default_str(text);
}

void run::addOption(CLI::App &command, const OptionInfo &info,
                    train::Options &options, const char *summary) {
  CLI::Option *option = !info.valueName || info.implied
                            ? addSwitch(command, info, options)
                            : addValue(command, info, options);
  option->group(info.group)
      ->check(CLI::Validator(
          [&info](std::string &text) {
            train::Options scratch;
            return setOption(info, text, scratch).message();
          },
          ""));
  if (summary)
    option->description(summary);
}

void run::addOptions(CLI::App &command, train::Options &options, bool ofModel) {
  for (const OptionInfo &info : train::optionTable())
    if (!ofModel || info.isOfModel)
      addOption(command, info, options);
}

static bool readCount(std::string_view text, int64_t most, int64_t &count) {
  const char *end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, count);
  return error == std::errc() && last == end && count >= 1 && count <= most;
}

CLI::Validator run::countUpTo(int64_t most) {
  return CLI::Validator(
      [most](std::string &text) -> std::string {
        int64_t count = 0;
        if (!readCount(text, most, count))
          return "expected a whole number from 1 to " + std::to_string(most) +
                 ", but got '" + text + "'";
        text = std::to_string(count);
        return {};
      },
      "");
}

CLI::Option *run::addCounts(CLI::App &command, const std::string &name,
                            std::vector<int64_t> &counts,
                            const std::string &summary) {
  std::string defaults;
  for (int64_t count : counts)
    defaults += (defaults.empty() ? "" : ",") + std::to_string(count);
  auto take = [name, &counts](const std::string &text) {
    counts.clear();
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      if (!readCount(std::string_view(text).substr(begin, end - begin),
                     kMostCount, counts.emplace_back()))
        throw CLI::ValidationError(
            name + ": expected whole numbers from 1 to " +
                std::to_string(kMostCount) +
                ", separated by commas (1,10,64), but got '" + text + "'",
            static_cast<int>(CLI::ExitCodes::ValidationError));
      begin = end + 1;
    }
  };
  return command.add_option_function<std::string>(name, take, summary)
      ->type_name("N,...")
      ->default_str(defaults);
}

const CLI::Validator run::kRate(
    [](std::string &text) -> std::string {
      std::vector<train::Rate> rates;
      if (train::parseRates({text}, rates).ok() && rates[0].group.empty())
        return {};
      return "expected a rate (0.001), but got '" + text + "'";
    },
    "");

/// What --average takes.
static const CLI::Validator kEpochs(
    [](std::string &text) -> std::string {
      train::EpochChoice choice;
      return train::parseEpochs(text, choice).message();
    },
    "[last:|best:]N");

void run::addSourceOptions(CLI::App &command, train::Source &source) {
  command.add_option(
      "--run", source.run,
      "Folder of a training: its module, best checkpoint, format "
      "and vocabulary");
  command.add_option(
      "--model", source.options.model.module,
      "A module made by cambium-compile, instead of the folder's");
  command
      .add_option("--average", source.average,
                  "The mean of the parameters of the last N epochs that the "
                  "run keeps (train --keep), also last:N, or of the best ones, "
                  "best:N (train --keep-best)")
      ->check(kEpochs);
  command
      .add_option("--with", source.with,
                  "Further runs of the same model, which answer together: "
                  "the mean of their probabilities, or of their numbers; "
                  "may be repeated")
      ->allow_extra_args(false);
  command.add_option("--checkpoint", source.checkpoint,
                     "Parameters to load, instead of the folder's best ones");
  addOption(command, *train::findOption("seed"), source.options,
            "Seed of the parameters where there is no checkpoint");
  addOptions(command, source.options, /*ofModel=*/true);
}
