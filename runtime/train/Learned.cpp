//===-- Learned.cpp - What a run keeps of what its reader has learned -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Learned.h"
#include "Names.h"
#include "Options.h"

#include <filesystem>

using namespace cambium;
using namespace cambium::train;

std::vector<NamedVocabulary> train::vocabulariesOf(data::Reader &reader) {
  std::vector<NamedVocabulary> all;
  if (data::Vocabulary *words = reader.vocabulary())
    all.emplace_back("", words);
  for (auto &[name, words] : reader.vocabularies)
    if (!name.empty())
      all.emplace_back(name, &words);
  return all;
}

data::Vocabulary *train::findVocabulary(data::Reader &reader,
                                        const std::string &name) {
  for (const auto &[known, words] : vocabulariesOf(reader))
    if (known == name)
      return words;
  return nullptr;
}

static Status loadVocabulary(const std::string &name, const std::string &file,
                             data::Reader &reader) {
  data::Vocabulary *words = findVocabulary(reader, name);
  // Where no columns are known yet, they come with the files that are read.
  const bool isTable = std::string_view(reader.name()) == "table";
  if (!words && isTable && reader.columns().empty())
    words = &reader.vocabularies[name];
  if (!words && isTable && name.empty())
    return Status::error("expected --vocab with a column of words that names "
                         "no vocabulary (--vocab-of NAME=FILE is for others)");
  if (!words && isTable) {
    std::string list;
    std::vector<std::string> known;
    for (const auto &[other, others] : vocabulariesOf(reader))
      if (!other.empty()) {
        list += (list.empty() ? "" : ", ") + other;
        known.push_back(other);
      }
    return Status::error("expected --vocab-of with a vocabulary that a column "
                         "names, one of " +
                         (list.empty() ? "(none)" : list) + ", but got '" +
                         name + "'" + didYouMean(name, known));
  }
  if (!words && !name.empty())
    return Status::error("expected --vocab-of with --data table, but got "
                         "--data " +
                         std::string(reader.name()));
  return words ? words->load(file) : Status();
}

Status train::loadVocabularies(const DataOptions &options,
                               data::Reader &reader) {
  Status status;
  if (!options.vocabulary.empty())
    status = loadVocabulary("", options.vocabulary, reader);
  for (const std::string &text : options.vocabularies) {
    const size_t equals = text.find('=');
    if (status.ok() && (equals == 0 || equals == std::string::npos ||
                        equals + 1 == text.size()))
      return Status::error("expected --vocab-of NAME=FILE, but got '" + text +
                           "'");
    if (status.ok())
      status = loadVocabulary(text.substr(0, equals), text.substr(equals + 1),
                              reader);
  }
  return status;
}

Status train::loadLabels(const DataOptions &options, data::Reader &reader) {
  std::error_code error;
  if (!std::filesystem::exists(options.labels, error))
    return Status::error(options.labels + ": cannot open: no such file");
  return reader.loadLabels(options.labels);
}

Status train::saveLearned(const RunFolder &folder, data::Reader &reader) {
  Status status;
  if (!reader.columns().empty())
    status =
        data::writeFileAtomically(folder.columns(), reader.columns() + "\n");
  for (const auto &[name, words] : vocabulariesOf(reader))
    if (status.ok())
      status = words->save(folder.vocabulary(name));
  if (status.ok() && !reader.labels.empty())
    status = reader.saveLabels(folder.labels());
  return status;
}

Status train::loadLearned(const RunFolder &folder, data::Reader &reader) {
  Status status;
  std::string columns;
  if (folder.has(folder.columns()))
    status = data::readTextFile(folder.columns(), columns);
  if (status.ok())
    status = reader.setColumns(columns, folder.columns());
  // The columns of a model made elsewhere come with the files that are read.
  if (columns.empty() && std::string_view(reader.name()) == "table")
    for (const std::string &name : folder.vocabularies())
      reader.vocabularies[name];
  for (const auto &[name, words] : vocabulariesOf(reader))
    if (status.ok())
      status = words->load(folder.vocabulary(name));
  return status.ok() ? reader.loadLabels(folder.labels()) : status;
}

std::vector<std::pair<std::string, std::string>>
train::learnedFiles(const RunFolder &folder, data::Reader &reader) {
  std::vector<std::pair<std::string, std::string>> files;
  if (!reader.columns().empty())
    files.emplace_back("the columns", folder.columns());
  for (const auto &[name, words] : vocabulariesOf(reader))
    files.emplace_back(name.empty() ? "the vocabulary"
                                    : "the vocabulary " + name,
                       folder.vocabulary(name));
  if (!reader.labels.empty())
    files.emplace_back("the labels", folder.labels());
  return files;
}

Status train::compareReaders(const RunFolder &one, const RunFolder &other) {
  Options mine, theirs;
  for (const auto &[folder, options] :
       {std::pair(&one, &mine), std::pair(&other, &theirs)}) {
    Json config;
    Status status = folder->readConfig(config);
    if (status.ok())
      status = folder->applyConfig(config, *options);
    if (!status.ok())
      return status;
  }
  for (const char *name :
       {"data", "map", "value", "set", "set-by", "lowercase", "layout",
        "binarize", "collapse-unary", "classes", "max-tokens"}) {
    const OptionInfo &option = *findOption(name);
    if (textOf(option, mine) != textOf(option, theirs))
      return Status::error("--with: expected a run with --" +
                           std::string(name) + " '" + textOf(option, mine) +
                           "', but " + other.name() + " has '" +
                           textOf(option, theirs) + "'");
  }
  return Status();
}
