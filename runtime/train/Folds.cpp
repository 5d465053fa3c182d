//===-- Folds.cpp - Parts of the training data to test on -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"
#include "Batches.h"

#include <filesystem>
#include <map>

using namespace cambium;
using namespace cambium::train;

std::vector<int64_t> train::drawFolds(const std::vector<int32_t> &classes,
                                      int64_t count, uint64_t seed) {
  std::map<int32_t, std::vector<int64_t>> byClass;
  for (size_t i = 0; i < classes.size(); ++i)
    byClass[classes[i]].push_back(static_cast<int64_t>(i));
  std::vector<int64_t> parts(classes.size());
  // Classes go on where the one before has ended, so that parts are of one
  // size.
  int64_t next = 0;
  for (auto &[label, examples] : byClass) {
    const uint64_t key = cambium_mix(seed, static_cast<uint64_t>(label));
    for (size_t i = examples.size(); i > 1; --i)
      std::swap(examples[i - 1], examples[randomBelow(cambium_mix(key, i), i)]);
    for (int64_t example : examples)
      parts[example] = next++ % count;
  }
  return parts;
}

static std::string dataFolder(int64_t number, const std::string &folder) {
  return folder + "/data-" + std::to_string(number + 1);
}

Status Folds::open(const Options &options) {
  count = options.folds;
  for (int64_t number = 0; number < count; ++number)
    if (isInFolder(options.train, dataFolder(number, options.out)))
      return Status::error(
          "expected --train outside of " + dataFolder(number, options.out) +
          ", where --folds writes its own, but got " + options.train);
  end = std::filesystem::path(options.train).extension().string();
  Setup setup;
  data::Dataset dataset;
  Status status = setup.loadModel(options.model);
  if (status.ok())
    status = setup.makeReader(options.data);
  if (status.ok())
    status = setup.reader->fit(options.train);
  if (status.ok())
    status = lines.read(setup, options.train, "--folds", dataset);
  if (!status.ok())
    return status;
  if (dataset.size() < count)
    return Status::error(
        options.train + ": expected at least " + std::to_string(count) +
        " examples for --folds, but got " + std::to_string(dataset.size()));
  std::vector<int32_t> classes(dataset.size(), 0);
  const data::Field *labels =
      classField(dataset, setup.evaluator.targets.perExample, false);
  for (int64_t i = 0; labels && i < dataset.size(); ++i)
    classes[i] = labels->intsOf(i)[0];
  parts = drawFolds(classes, count, options.seed);
  return Status();
}

FoldFiles Folds::filesOf(int64_t number, const std::string &folder) const {
  const std::string path = dataFolder(number, folder);
  return {path + "/train" + end, path + "/dev" + end, path + "/test" + end};
}

static std::string keptName(const std::string &file) { return file + ".old"; }

/// What a call that was killed has kept is older than what is there.
void Folds::setAside(int64_t number, const std::string &folder) const {
  std::error_code error;
  for (const std::string &file : filesOf(number, folder).all())
    if (!std::filesystem::exists(keptName(file), error))
      std::filesystem::rename(file, keptName(file), error);
}

void Folds::putBack(int64_t number, const std::string &folder) const {
  std::error_code error;
  for (const std::string &file : filesOf(number, folder).all()) {
    std::filesystem::remove(file, error);
    std::filesystem::rename(keptName(file), file, error);
  }
}

void Folds::dropKept(int64_t number, const std::string &folder) const {
  std::error_code error;
  for (const std::string &file : filesOf(number, folder).all())
    std::filesystem::remove(keptName(file), error);
}

void Folds::discard(const std::string &folder) const {
  std::error_code error;
  for (int64_t number = 0; number < count; ++number) {
    dropKept(number, folder);
    for (const std::string &file : filesOf(number, folder).all())
      std::filesystem::remove(file, error);
    // Where it is empty.
    std::filesystem::remove(dataFolder(number, folder), error);
  }
}

Status Folds::write(int64_t number, const std::string &folder,
                    FoldFiles &files) const {
  std::string train = lines.header, dev = train, test = train;
  for (size_t i = 0; i < lines.chunks.size(); ++i)
    (parts[i] == number                 ? test
     : parts[i] == (number + 1) % count ? dev
                                        : train) += lines.chunks[i];
  std::error_code error;
  const std::string path = dataFolder(number, folder);
  std::filesystem::create_directories(path, error);
  if (error)
    return Status::error(path + ": cannot create: " + error.message());
  files = filesOf(number, folder);
  Status status = data::writeFileAtomically(files.train, train);
  if (status.ok())
    status = data::writeFileAtomically(files.dev, dev);
  return status.ok() ? data::writeFileAtomically(files.test, test) : status;
}
