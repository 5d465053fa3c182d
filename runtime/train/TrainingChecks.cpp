//===-- runtime/train/TrainingChecks.cpp - What a training demands --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingChecks.h"
#include "Digests.h"
#include "KeptEpochs.h"
#include "Names.h"
#include "UnusedOptions.h"

#include <algorithm>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

/// Lines that are handed on have an order of their own.
static Status checkCarry(const Options &options) {
  if (options.data.carry.empty())
    return Status();
  const std::pair<const char *, bool> others[] = {
      {"--bucket", options.bucket != "none"},
      {"--batch-nodes", options.batchNodes > 0},
      {"--set", options.data.set > 0 || !options.data.setBy.empty()},
      {"--folds", options.folds > 0},
      {"several steps", options.step.find(',') != options.step.npos}};
  for (const auto &[name, isGiven] : others)
    if (isGiven)
      return Status::error(std::string("expected --carry without ") + name);
  return Status();
}

/// Whoever reads it second finds nothing.
static Status checkStandardInput(const Options &options) {
  std::vector<std::string> read = options.tests;
  read.insert(read.end(), {options.train, options.dev});
  return std::count(read.begin(), read.end(), "-") < 2
             ? Status()
             : Status::error("expected one of --train, --dev and --test from "
                             "the standard input, but got '-' twice");
}

Status train::checkTexts(const Options &options) {
  Status status = data::checkText(options.model.module, "the module's name", 1);
  for (const OptionInfo &option : optionTable())
    if (status.ok())
      status = data::checkText(textOf(option, options),
                               "--" + std::string(option.name), 1);
  return status.ok() ? data::checkText(options.command, "the command", 1)
                     : status;
}

Status train::checkOptions(const Options &options) {
  if (Status status = checkTexts(options); !status.ok())
    return status;
  if (options.resume && options.model.module.empty())
    return Status::error("expected a module, as there is no training to "
                         "resume in " +
                         options.out);
  auto isMissing = [&](const std::string &text, const char *name) {
    return text.empty() ? std::string(name) : std::string();
  };
  for (const std::string &missing :
       {isMissing(options.model.module, "a module"),
        isMissing(options.data.format, "--data"),
        isMissing(options.train, "--train"), isMissing(options.dev, "--dev")})
    if (!missing.empty())
      return Status::error("expected " + missing +
                           " (cambium-run train --help shows an example)");
  if (options.model.interpret)
    return Status::error("the interpreter evaluates functions and takes no "
                         "training steps: compile the model, and train without "
                         "--interpret");
  if (Status status = checkStandardInput(options); !status.ok())
    return status;
  if ((options.data.set > 0 || !options.data.setBy.empty()) &&
      options.bucket != "none")
    return Status::error("expected --bucket none with --set and --set-by, but "
                         "got '" +
                         options.bucket + "'");
  if (Status status = checkCarry(options); !status.ok())
    return status;
  if (!options.names.empty() && options.weights.empty())
    return Status::error("expected --weights beside --names");
  if (Status status = refuseUnusedInTraining(options); !status.ok())
    return status;
  if (options.resume &&
      (!options.data.vocabulary.empty() || !options.data.vocabularies.empty() ||
       !options.data.labels.empty()))
    return Status::error("expected --vocab, --vocab-of and --labels without "
                         "--resume: the folder keeps its own");
  EpochChoice choice;
  if (!options.average.empty())
    if (Status status = parseEpochs(options.average, choice); !status.ok())
      return Status::error("--average: " + status.message());
  if (options.restartAfter == 1)
    return Status::error("expected --restart-after of 0 or at least 2, but got "
                         "1");
  return Status();
}

Status train::checkFolder(const RunFolder &folder, const Options &options,
                          bool isPart) {
  // A series that begins has looked at its folders; one that goes on may have
  // more of them.
  const bool isKnown =
      isPart ? !options.resume || folder.isOfTraining()
             : options.resume && folder.has(folder.path("config.json"));
  return isKnown ? Status() : folder.refuseLosses(options);
}

Status train::checkInputs(const Evaluator &evaluator,
                          const data::Dataset &dataset) {
  Binding binding;
  Status status =
      Binding::create(*evaluator.predict, dataset, evaluator.feeds, binding);
  Carry carry;
  if (status.ok())
    status = Carry::create(*evaluator.predict, dataset, evaluator.feeds.carry,
                           1, carry);
  if (status.ok() && evaluator.loss && dataset.hasTargets)
    status =
        Binding::create(*evaluator.loss, dataset, evaluator.feeds, binding);
  return status;
}

Status train::checkTests(const Setup &setup,
                         const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    data::Dataset test;
    if (file == "-" || !data::expectRegular(file).ok())
      continue;
    Status status = setup.read(file, test);
    if (status.ok())
      status = checkInputs(setup.evaluator, test);
    if (!status.ok())
      return status;
  }
  return Status();
}

Status train::checkMetric(Setup &setup, const data::Dataset &devSet,
                          const std::string &metric) {
  data::Dataset one = devSet;
  Evaluation probe;
  if (Status status = setup.evaluator.run(one, probe); !status.ok())
    return status;
  if (probe.interrupted || !std::isnan(probe.metrics.find(metric)))
    return Status();
  for (const auto &[name, value] : probe.metrics.values)
    if (name == metric && metric.find("_all") == std::string::npos)
      return Status(); // Not a number now; it may be one later.
  std::vector<std::string> names;
  for (const auto &[name, value] : probe.metrics.values)
    names.push_back(name);
  return Status::error("expected --metric as one of " + probe.metrics.names() +
                       ", but got '" + metric + "'" +
                       (metric == "loss"
                            ? " (the module has no function 'loss')"
                        : metric == setup.evaluator.targets.metric
                            ? " (the usual one of the format)"
                            : didYouMean(metric, names)));
}

Status train::checkModule(const std::string &given, const RunFolder &folder,
                          bool interpret) {
  std::string before, now;
  if (given.empty())
    return Status();
  Status status = data::digestPath(folder.model(interpret), before);
  if (status.ok())
    status = data::digestPath(given, now);
  if (status.ok() && before != now)
    status = Status::error("expected the module of the training in " +
                           folder.name() + " (digest " + before +
                           "), but got " + given + " (digest " + now + ")");
  return status;
}
