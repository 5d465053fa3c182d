//===-- runtime/train/Setup.cpp - Model, reader and data of a command -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Setup.h"
#include "KeptEpochs.h"
#include "Learned.h"
#include "Names.h"
#include "Options.h"
#include "UnusedOptions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace cambium;
using namespace cambium::train;

Status Setup::loadModel(const ModelOptions &options, bool forCalls) {
  std::error_code error;
  if (!options.dataDir.empty() &&
      !std::filesystem::is_directory(options.dataDir, error))
    return Status::error("expected --data-dir with a folder, but got '" +
                         options.dataDir + "'");
  EngineOptions engineOptions;
  engineOptions.threads = options.threads;
  engineOptions.device = options.device;
  engineOptions.dataDir = options.dataDir;
  engineOptions.interpret = options.interpret;
  engineOptions.forCalls = forCalls;
  if (Status status = loadEngine(options.module, engineOptions, engine);
      !status.ok())
    return status;
  evaluator.engine = engine.get();
  return evaluator.findEntries(options.predict, options.loss);
}

/// Parses "0=0,1=0,3=1".
static Status parseClasses(const std::string &text,
                           std::map<int32_t, int32_t> &classes) {
  std::istringstream pairs(text);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    int label = -1, number = -1, length = 0;
    const bool isPair =
        sscanf(pair.c_str(), "%9d=%9d%n", &label, &number, &length) == 2 &&
        length == static_cast<int>(pair.size());
    if (!isPair || label < 0 || number < 0 || classes.count(label))
      return Status::error("expected --classes as different labels with their "
                           "classes (0=0,1=0,3=1,4=1), but got '" +
                           pair + "'");
    classes[label] = number;
  }
  return Status();
}

/// The program beside this one, or what CAMBIUM_TOKENIZE names.
static std::string tokenizerProgram() {
  if (const char *named = getenv("CAMBIUM_TOKENIZE"); named && *named)
    return named;
  std::error_code error;
  const std::filesystem::path beside =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() /
      "cambium-tokenize";
  return std::filesystem::exists(beside, error)
             ? beside.string()
             : data::ReaderOptions().tokenizerProgram;
}

/// What --map and --value name are inputs that the model has.
static Status checkFeeds(const Engine &engine, const Feeds &feeds) {
  std::vector<std::string> inputs;
  for (const EntrySpec &entry : engine.entries) {
    for (const TreeSpec &tree : entry.trees)
      inputs.push_back(tree.name);
    for (const TensorSpec &input : entry.inputs)
      inputs.push_back(input.name);
  }
  auto check = [&](const char *option, const std::string &input) {
    if (std::find(inputs.begin(), inputs.end(), input) != inputs.end())
      return Status();
    return Status::error(std::string("expected ") + option +
                         " with an input of the model, but got '" + input +
                         "'" + didYouMean(input, inputs));
  };
  for (const auto &[input, field] : feeds.fields)
    if (Status status = check("--map", input); !status.ok())
      return status;
  for (const auto &[input, output] : feeds.carry.outputs)
    if (Status status = check("--carry", input); !status.ok())
      return status;
  for (const auto &[input, value] : feeds.values)
    if (Status status = check("--value", input); !status.ok())
      return status;
  return Status();
}

/// Answers are compared with what feeds the inputs of the targets' names. Where
/// rows have other classes than those of the format, examples have none.
static data::TargetFields mapTargets(data::TargetFields targets,
                                     const Feeds &feeds) {
  if (feeds.fields.count(targets.perRow) &&
      !feeds.fields.count(targets.perExample))
    targets.perExample.clear();
  for (std::string *field :
       {&targets.perExample, &targets.perRow, &targets.value})
    *field = feeds.fieldOf(*field);
  return targets;
}

Status Setup::makeReader(const DataOptions &options) {
  reader = data::createReader(options.format);
  if (!reader) {
    std::string known;
    std::vector<std::string> names;
    for (const data::FormatInfo &format : data::formats()) {
      known += (known.empty() ? "" : ", ") + std::string(format.name);
      names.emplace_back(format.name);
    }
    return Status::error("expected --data with one of the formats " + known +
                         ", but got '" + options.format + "'" +
                         didYouMean(options.format, names));
  }
  if (Status status = refuseUnusedByReader(options); !status.ok())
    return status;
  evaluator.reader = reader.get();
  Status status = setFeeds(options);
  reader->options.lowercase = options.lowercase;
  reader->options.binarize = options.binarize == "left" ? data::Binarize::Left
                             : options.binarize == "right"
                                 ? data::Binarize::Right
                                 : data::Binarize::None;
  reader->options.collapseUnary = options.collapseUnary;
  if (status.ok())
    status = parseClasses(options.classes, reader->options.classes);
  reader->options.minCount = options.minCount;
  reader->options.parses = options.parses;
  reader->options.layout = options.layout;
  reader->options.tokenizer = options.tokenizer;
  reader->options.tokenizerProgram = tokenizerProgram();
  reader->options.maxTokens = options.maxTokens;
  return status;
}

Status Setup::setFeeds(const DataOptions &options) {
  evaluator.feeds = {};
  evaluator.feeds.sets = {options.set, options.setBy};
  Status status =
      parseCarry(options.carry, options.carryBy, evaluator.feeds.carry);
  if (status.ok())
    status = parseFeeds(options.maps, options.values, evaluator.feeds);
  if (status.ok())
    status = checkFeeds(*engine, evaluator.feeds);
  evaluator.targets = mapTargets(reader->targets(), evaluator.feeds);
  reader->options.fieldLimits = fieldLimits();
  return status;
}

std::map<std::string, int64_t, std::less<>> Setup::fieldLimits() const {
  std::map<std::string, int64_t, std::less<>> limits;
  for (const EntrySpec &entry : engine->entries)
    for (const TensorSpec &input : entry.inputs) {
      if (input.limit <= 0)
        continue;
      const std::string &field = evaluator.feeds.fieldOf(input.name);
      auto [limit, isNew] = limits.emplace(field, input.limit);
      if (!isNew)
        limit->second = std::min(limit->second, input.limit);
    }
  return limits;
}

/// Given options win over those of the run folder; what feeds inputs is added.
static void merge(const Options &given, Options &trained) {
  const std::vector<std::string> maps = trained.data.maps,
                                 values = trained.data.values;
  for (const OptionInfo &option : optionTable())
    if (option.isOfModel && isGiven(option, given))
      copyOption(option, given, trained);
  if (!given.model.module.empty())
    trained.model.module = given.model.module;
  trained.data.maps = maps;
  trained.data.maps.insert(trained.data.maps.end(), given.data.maps.begin(),
                           given.data.maps.end());
  trained.data.values = values;
  trained.data.values.insert(trained.data.values.end(),
                             given.data.values.begin(),
                             given.data.values.end());
}

/// What of a source makes it another than the result of its run.
static std::string differenceOf(const Source &source, const Options &saved) {
  std::string text;
  auto add = [&](const std::string &name, const std::string &value) {
    if (!value.empty())
      text += (text.empty() ? "--" : " --") + name + " " + value;
  };
  add("model", source.options.model.module);
  add("average", source.average);
  add("checkpoint", source.checkpoint);
  for (const std::string &run : source.with)
    add("with", run);
  for (const OptionInfo &option : optionTable())
    if (const std::string value = textOf(option, source.options);
        option.isOfModel && option.onResume != OnResume::Change &&
        source.options.given.count(option.name) > 0 &&
        value != textOf(option, saved))
      add(option.name, value.empty() ? "''" : value);
  return text;
}

static Status loadParameters(const std::string &checkpoint, uint64_t seed,
                             Engine &engine) {
  return checkpoint.empty() ? engine.initialize(seed)
                            : engine.load(checkpoint, /*parametersOnly=*/true);
}

/// What the reader has learned: what the run keeps, and what is given.
static Status openReader(const Source &source, const Options &trained,
                         Setup &setup) {
  data::Reader &reader = *setup.reader;
  Status status;
  const bool hasRun = !source.run.empty();
  // Imported weights have a run without a vocabulary.
  const RunFolder folder(source.run);
  const bool hasWords =
      reader.vocabulary() == nullptr || folder.has(folder.vocabulary());
  if (hasRun && hasWords)
    status = loadLearned(folder, reader);
  else if (hasRun)
    status = reader.loadLabels(folder.labels());
  if (status.ok() && !trained.data.labels.empty())
    status = loadLabels(trained.data, reader);
  if (!status.ok())
    return status;
  if (!trained.data.vocabulary.empty() || !trained.data.vocabularies.empty())
    return loadVocabularies(trained.data, reader);
  if (hasRun && hasWords)
    return Status();
  if (!source.vocabularyFrom.empty())
    return reader.fit(source.vocabularyFrom);
  return reader.vocabulary() ? Status::error("expected --vocab with the "
                                             "vocabulary that the model was "
                                             "trained with")
                             : Status();
}

static Status loadAverage(const Source &source, const std::string &metric,
                          Engine &engine) {
  const RunFolder folder(source.run);
  EpochChoice choice;
  std::vector<int64_t> numbers;
  Status status = parseEpochs(source.average, choice);
  if (status.ok())
    status = chooseEpochs(folder, choice, metric, numbers);
  if (!status.ok())
    return status;
  const int64_t found = static_cast<int64_t>(numbers.size());
  if (found < choice.count)
    return Status::error("expected " + std::to_string(choice.count) +
                         " epochs that " + source.run + " keeps (train " +
                         (choice.areBest ? "--keep-best" : "--keep") +
                         ") for --average, but got " + std::to_string(found));
  return loadMeanOf(folder, numbers, engine);
}

/// The parameters of further runs of the same module with the same ids.
static Status openEnsemble(const Source &source, const std::string &module,
                           Setup &setup) {
  Engine &engine = *setup.engine;
  if (source.with.empty())
    return Status();
  Status status = setup.evaluator.ensemble.add(engine);
  const RunFolder first(source.run);
  for (const std::string &name : source.with) {
    const RunFolder folder(name);
    std::vector<std::pair<std::string, std::string>> files = {
        {module, folder.model(first.has(first.model(true)))}};
    for (const auto &[what, file] : learnedFiles(first, *setup.reader))
      files.emplace_back(file, name + file.substr(source.run.size()));
    for (const char *kind : {"tokenizer.json", "tokenizer.model"})
      files.emplace_back(first.path(kind), folder.path(kind));
    if (status.ok())
      status = compareReaders(first, folder);
    for (const auto &[here, there] : files) {
      std::string mine, theirs;
      if (status.ok() && first.has(here))
        status = data::digestPath(here, mine);
      if (status.ok() && first.has(here))
        status = data::digestPath(there, theirs);
      if (status.ok() && mine != theirs)
        status = Status::error("--with: expected a run of the same model and "
                               "data, but " +
                               there + " is another than " + here);
    }
    if (status.ok())
      status = engine.load(folder.result(), /*parametersOnly=*/true);
    if (status.ok())
      status = setup.evaluator.ensemble.add(engine);
    if (!status.ok())
      return status;
  }
  return status;
}

/// What a run folder says of its training: the options, and where its files
/// are.
static Status openRun(const std::string &run, Options &trained,
                      std::string &checkpoint) {
  const RunFolder folder(run);
  Json config;
  Status status = folder.readConfig(config);
  if (status.ok())
    status = folder.applyConfig(config, trained);
  if (!status.ok())
    return status;
  const char *kind = !trained.tasks.empty() ? "task"
                     : trained.folds > 0    ? "fold"
                     : trained.seeds > 0    ? "seed"
                                            : nullptr;
  if (kind)
    return Status::error("expected the folder of one training, such as " + run +
                         "/" + kind + "-" +
                         (!trained.tasks.empty() ? "NAME"
                          : trained.folds > 0 ? "1"
                                              : std::to_string(trained.seed)) +
                         ", but " + run + " holds one per " + kind);
  trained.model.module = folder.model(trained.model.interpret);
  if (!trained.data.tokenizer.empty())
    trained.data.tokenizer = folder.tokenizer(trained.data.tokenizer);
  if (checkpoint.empty())
    checkpoint = folder.result();
  return status;
}

Status train::openSource(const Source &source, bool needsData, Setup &setup,
                         Options &trained) {
  std::string checkpoint = source.checkpoint;
  if (!source.run.empty())
    if (Status status = openRun(source.run, trained, checkpoint); !status.ok())
      return status;
  if (source.run.empty() && (!source.average.empty() || !source.with.empty()))
    return Status::error("expected a run folder (--run) for --average and "
                         "--with");
  if (!source.average.empty() && !source.checkpoint.empty())
    return Status::error("expected --average or --checkpoint, but got both");
  setup.differs = differenceOf(source, trained);
  merge(source.options, trained);
  if (trained.model.module.empty())
    return Status::error("expected a run folder (--run) or a module (--model)");
  const bool forCalls =
      !source.trains && source.average.empty() && source.with.empty();
  if (Status status = setup.loadModel(trained.model, forCalls); !status.ok())
    return status;
  if (Status status =
          !source.average.empty()
              ? loadAverage(source, trained.metric, *setup.engine)
              : loadParameters(checkpoint, source.options.seed, *setup.engine);
      !status.ok())
    return status;
  if (!needsData)
    return Status();
  if (Status status = setup.makeReader(trained.data); !status.ok())
    return status;
  Status status = openReader(source, trained, setup);
  return status.ok() ? openEnsemble(source, trained.model.module, setup)
                     : status;
}
