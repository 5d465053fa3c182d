//===-- runtime/train/RunFolder.h - The folder of a training ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_RUNFOLDER_H
#define CAMBIUM_TRAIN_RUNFOLDER_H

#include "Json.h"
#include "Options.h"

namespace cambium::train {

class RunLock;

/// The files of a training (docs/RunFolder.md).
class RunFolder {
public:
  explicit RunFolder(std::string path) : folder(std::move(path)) {}

  const std::string &name() const { return folder; }
  std::string path(const char *name) const { return folder + "/" + name; }
  /// The model: a module, or a description to interpret.
  std::string model(bool interpret) const {
    return path(interpret ? "model.mlir" : "module.so");
  }
  /// The names of the vocabularies that are there, of vocabulary.txt the empty
  /// one.
  std::vector<std::string> vocabularies() const;
  /// A vocabulary; those of columns of tables may have names.
  std::string vocabulary(const std::string &name = {}) const {
    return folder + "/vocabulary" + (name.empty() ? "" : "-" + name) + ".txt";
  }
  /// The first line of the training file, where that is a table.
  std::string columns() const { return path("columns.tsv"); }
  std::string labels() const { return path("labels.tsv"); }
  /// The copy of a tokenizer; its end says which kind it is.
  std::string tokenizer(const std::string &original) const {
    const bool isModel =
        original.size() > 6 && original.substr(original.size() - 6) == ".model";
    return path(isModel ? "tokenizer.model" : "tokenizer.json");
  }
  std::string best() const { return path("best.safetensors"); }
  std::string last() const { return path("last.safetensors"); }
  /// The mean of some epochs (--average).
  std::string mean() const { return path("mean.safetensors"); }
  /// The parameters that stand for the training.
  std::string result() const;
  /// The parameters of an epoch (--keep).
  std::string epoch(int64_t number) const {
    return folder + "/epoch-" + std::to_string(number) + ".safetensors";
  }
  /// The moving average after so many updates.
  std::string average(int64_t updates) const {
    return folder + "/average-" + std::to_string(updates) + ".safetensors";
  }
  /// Removes all but one of them.
  Status removeAverages(int64_t updates) const;
  /// The numbers of the epochs that are kept, the last one first.
  std::vector<int64_t> epochs() const;
  /// Removes all but those of these numbers.
  Status keepEpochs(const std::vector<int64_t> &numbers) const;
  bool has(const std::string &file) const;
  /// The names of folders in it that begin with one of these.
  std::vector<std::string> parts(const std::vector<std::string> &begins) const;

  /// Before a training takes the folder, and its lock: an error if files would
  /// be lost that no training has made, or that this one needs.
  Status refuseLosses(const Options &options) const;
  /// Whether a training has made what is in it: it has a configuration, or was
  /// killed before it had one, and has left its lock.
  bool isOfTraining() const;
  /// Whether a file is, or would be, one of the run.
  bool holds(const std::string &file) const;
  /// An error if files that a training reads would be replaced here.
  Status refuseInputs(const Options &options) const;
  /// Makes the folder, and removes files of an earlier training in it.
  Status create() const;
  /// Removes what a training that could not begin has made, and the folder if
  /// that was not there before. A training that can be resumed stays.
  void discard(RunLock &lock, bool hadFolder) const;
  /// Removes temporary files of a training that was killed while it wrote.
  void removeLeftovers() const;
  /// Writes and reads config.json. Reading leaves options that the file does
  /// not have as they are.
  Status writeConfig(const Options &options, const Json &facts) const;
  Status readConfig(Json &config) const;
  Status applyConfig(const Json &config, Options &options) const;

  /// Appends an event to log.jsonl.
  Status log(const Json &event) const;
  /// Reads all events. A last line without its end (the training was killed
  /// while it wrote) is left out; no file is no event.
  Status readLog(std::vector<Json> &events) const;
  /// The size of log.jsonl in bytes, and cutting it back to a size.
  int64_t logSize() const;
  Status cutLog(int64_t size) const;

private:
  Status removeFiles() const;

  std::string folder;
};

/// All files that a training reads.
std::vector<std::string> inputsOf(const Options &options);

/// Whether a file lies right in a folder.
bool isInFolder(const std::string &file, const std::string &folder);

/// Copies a file such that the copy appears whole or not at all.
Status copyFile(const std::string &from, const std::string &to);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_RUNFOLDER_H
