//===-- tools/cambium-run/Setup.cpp - Model, reader and data of a command -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Setup.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace cambium;
using namespace cambium::run;

Status Setup::loadModel(const ModelOptions &options) {
  EngineOptions engineOptions;
  engineOptions.threads = options.threads;
  engineOptions.dataDir = options.dataDir;
  engineOptions.interpret = options.interpret;
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

Status Setup::makeReader(const DataOptions &options) {
  reader = data::createReader(options.format);
  if (!reader) {
    std::string known;
    for (const data::FormatInfo &format : data::formats())
      known += (known.empty() ? "" : ", ") + std::string(format.name);
    return Status::error("expected --data with one of the formats " + known +
                         ", but got '" + options.format + "'");
  }
  evaluator.targets = reader->targets();
  evaluator.renames.clear();
  Status status = parseRenames(options.maps, evaluator.renames);
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
  reader->options.tokenizer = options.tokenizer;
  reader->options.tokenizerProgram = tokenizerProgram();
  reader->options.maxTokens = options.maxTokens;
  reader->options.vocabularyLimit = vocabularyLimit();
  return status;
}

int64_t Setup::vocabularyLimit() const {
  const std::vector<std::string> fields = reader->wordFields();
  int64_t limit = 0;
  for (const EntrySpec &entry : engine->entries)
    for (const TensorSpec &input : entry.inputs) {
      auto renamed = evaluator.renames.find(input.name);
      const std::string &field =
          renamed == evaluator.renames.end() ? input.name : renamed->second;
      const bool hasWords =
          std::find(fields.begin(), fields.end(), field) != fields.end();
      if (hasWords && input.limit > 0)
        limit = limit ? std::min(limit, input.limit) : input.limit;
    }
  return limit;
}

/// Options of the command line win over those of the run folder.
static void merge(const Source &source, TrainOptions &trained) {
  if (!source.model.module.empty()) {
    trained.model.module = source.model.module;
    trained.model.interpret = source.model.interpret;
  }
  if (!source.model.dataDir.empty())
    trained.model.dataDir = source.model.dataDir;
  if (source.model.predict != ModelOptions().predict)
    trained.model.predict = source.model.predict;
  if (source.model.loss != ModelOptions().loss)
    trained.model.loss = source.model.loss;
  if (source.model.threads)
    trained.model.threads = source.model.threads;
  if (!source.data.format.empty())
    trained.data.format = source.data.format;
  if (!source.data.vocabulary.empty())
    trained.data.vocabulary = source.data.vocabulary;
  trained.data.maps.insert(trained.data.maps.end(), source.data.maps.begin(),
                           source.data.maps.end());
  trained.data.lowercase |= source.data.lowercase;
  if (!source.data.parses.empty())
    trained.data.parses = source.data.parses;
  if (!source.data.tokenizer.empty())
    trained.data.tokenizer = source.data.tokenizer;
  if (source.data.maxTokens)
    trained.data.maxTokens = source.data.maxTokens;
  trained.data.collapseUnary |= source.data.collapseUnary;
  if (!source.data.classes.empty())
    trained.data.classes = source.data.classes;
  if (source.data.binarize != DataOptions().binarize)
    trained.data.binarize = source.data.binarize;
}

static Status loadParameters(const std::string &checkpoint, uint64_t seed,
                             Engine &engine) {
  return checkpoint.empty() ? engine.initialize(seed)
                            : engine.load(checkpoint, /*parametersOnly=*/true);
}

Status run::openSource(const Source &source, bool needsData, Setup &setup,
                       TrainOptions &trained) {
  std::string checkpoint = source.checkpoint;
  if (!source.run.empty()) {
    RunFolder folder(source.run);
    Json config;
    if (Status status = folder.readConfig(config); !status.ok())
      return status;
    RunFolder::applyConfig(config, trained);
    if (trained.seeds > 0)
      return Status::error("expected the folder of one training, such as " +
                           source.run + "/seed-" +
                           std::to_string(trained.seed) + ", but " +
                           source.run + " holds one per seed");
    trained.model.module = folder.model(trained.model.interpret);
    if (folder.has(folder.vocabulary()))
      trained.data.vocabulary = folder.vocabulary();
    if (!trained.data.tokenizer.empty())
      trained.data.tokenizer = folder.tokenizer(trained.data.tokenizer);
    if (checkpoint.empty())
      checkpoint = folder.has(folder.best()) ? folder.best() : folder.last();
  }
  merge(source, trained);
  if (trained.model.module.empty())
    return Status::error("expected a run folder (--run) or a module (--model)");
  if (Status status = setup.loadModel(trained.model); !status.ok())
    return status;
  if (Status status = loadParameters(checkpoint, source.seed, *setup.engine);
      !status.ok())
    return status;
  if (!needsData)
    return Status();
  if (Status status = setup.makeReader(trained.data); !status.ok())
    return status;
  data::Vocabulary *words = setup.reader->vocabulary();
  if (words && trained.data.vocabulary.empty() &&
      !source.vocabularyFrom.empty())
    return setup.reader->fit(source.vocabularyFrom);
  if (words && trained.data.vocabulary.empty())
    return Status::error("expected --vocab with the vocabulary that the model "
                         "was trained with");
  return words ? words->load(trained.data.vocabulary) : Status();
}
