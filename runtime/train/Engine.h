//===-- runtime/train/Engine.h - What runs a model --------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The commands see a model through an Engine: a compiled module, or anything
/// else that has entries and parameters. An engine owns one set of parameters.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_ENGINE_H
#define CAMBIUM_TRAIN_ENGINE_H

#include "cambium/data.h"
#include "cambium/runtime.h"

#include <memory>
#include <string>
#include <vector>

struct cambium_abi_module; // cambium/abi.h

namespace cambium::train {

using data::Status;

/// A tensor input or output of an entry (docs/Manifest.md).
struct TensorSpec {
  std::string name;
  cambium_type_t type = CAMBIUM_TYPE_F32;
  std::vector<int64_t> shape; ///< Of one row.
  int64_t rowElements = 1;
  int32_t space = CAMBIUM_SPACE_EXAMPLE;
  int32_t edgesOf = -1;
  int64_t limit = 0;
};

/// A tree input of an entry.
struct TreeSpec {
  std::string name;
  int32_t space = 0;
  int64_t arity = -1;
  bool singleRoot = true;
};

/// One function of a model.
struct EntrySpec {
  size_t index = 0; ///< In Engine::entries.
  std::string name;
  cambium_entry_kind_t kind = CAMBIUM_ENTRY_FUNCTION;
  std::string step; ///< Of accumulate and apply entries.
  bool random = false;
  std::vector<std::string> spaces;
  /// Of each space, that whose rows have its rows, or CAMBIUM_SPACE_EXAMPLE.
  std::vector<int32_t> outerSpaces;
  std::vector<TreeSpec> trees;
  std::vector<TensorSpec> inputs, outputs;
  std::vector<std::string> scalars;
};

/// A parameter of a model.
struct ParameterSpec {
  std::string name;
  cambium_type_t type = CAMBIUM_TYPE_F32;
  std::vector<int64_t> shape;
  int64_t numElements = 0;
  bool trainable = false, decay = false, rowSparse = false;
  std::string group;
  std::string init; ///< "uniform(-0.1, 0.1)"
};

/// The examples of one call: clear; for each example begin, set..., end;
/// finish.
class Batch {
public:
  virtual ~Batch() = default;
  /// Removes all examples. The random key of an example depends on `keySeed`
  /// and its ordinal.
  virtual void clear(uint64_t keySeed) = 0;
  virtual Status begin(uint64_t ordinal) = 0;
  virtual Status setTree(size_t tree, int64_t numNodes,
                         const int32_t *parents) = 0;
  /// The same with the number of children of each node, and all children.
  virtual Status setGraph(size_t tree, int64_t numNodes,
                          const int32_t *childCounts,
                          const int32_t *children) = 0;
  /// `data` has elements of the type of the input.
  virtual Status setInput(size_t input, int64_t numRows, const void *data) = 0;
  /// How many rows each row has, of a space with rows of rows.
  virtual Status setRowCounts(size_t space,
                              const std::vector<int32_t> &counts) = 0;
  virtual Status end() = 0;
  virtual Status finish() = 0;
  virtual int64_t numExamples() const = 0;
  /// Example i has the rows [offsets[i], offsets[i + 1]) of the space.
  virtual const int32_t *spaceOffsets(int32_t space) const = 0;
};

/// The result of a call: rows, one after the other.
struct Output {
  cambium_type_t type = CAMBIUM_TYPE_F32;
  std::vector<char> bytes;

  int64_t size() const {
    return static_cast<int64_t>(bytes.size()) / cambium_type_size(type);
  }
  /// An element as a number.
  double at(int64_t index) const;
};

/// Learning rates of the parameter groups.
struct Rate {
  std::string group; ///< Empty: all groups that are not named.
  double value = 0;
};

/// What a device measured of a stage of an entry (cambium/device.h).
struct StageTime {
  std::string stage;
  int64_t count = 0;
  double seconds = 0, waited = 0;
};

/// Runs the entries of a model on its parameters.
class Engine {
public:
  virtual ~Engine() = default;

  std::vector<EntrySpec> entries;
  std::vector<ParameterSpec> parameters;

  /// The entry of that name, or null.
  const EntrySpec *find(const std::string &name) const;
  /// The two halves of the training step `name` (empty: the only one).
  Status findStep(const std::string &name, const EntrySpec *&accumulate,
                  const EntrySpec *&apply) const;

  /// What it was made for, for `inspect`: pairs of a word and a text.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
  /// The manifest, JSON.
  virtual std::string manifest() const = 0;

  /// Draws the parameters anew, forgets optimizer state and step counts.
  virtual Status initialize(uint64_t seed) = 0;
  virtual Status makeBatch(const EntrySpec &entry,
                           std::unique_ptr<Batch> &batch) = 0;
  /// Runs a function; fills the first `outputs.size()` outputs.
  virtual Status call(const EntrySpec &entry, const Batch &batch,
                      std::vector<Output> &outputs) = 0;
  virtual Status accumulate(const EntrySpec &entry, const Batch &batch,
                            double &loss) = 0;
  /// The same; fills the first `outputs.size()` outputs, too.
  virtual Status accumulateWith(const EntrySpec &entry, const Batch &batch,
                                std::vector<Output> &outputs, double &loss) {
    if (!outputs.empty())
      return Status::error("expected a model that gives the outputs of its "
                           "steps (--carry)");
    return accumulate(entry, batch, loss);
  }
  virtual Status apply(const EntrySpec &entry, const std::vector<Rate> &rates,
                       double gradientScale) = 0;
  virtual void clearGradients() = 0;
  /// The elements of a parameter; null where a device does not give them back,
  /// or they are not kept (EngineOptions::forCalls).
  virtual const void *value(size_t parameter) = 0;
  virtual Status setValue(size_t parameter, const void *elements) = 0;

  /// Checkpoints; with `parametersOnly`, without the state of the optimizer.
  virtual Status save(const std::string &path, bool parametersOnly) = 0;
  virtual Status load(const std::string &path, bool parametersOnly) = 0;
  /// Texts that are kept in checkpoints; empty if there is none of that key,
  /// and setting an empty one removes it.
  virtual Status setMetadata(const std::string &key,
                             const std::string &value) = 0;
  virtual std::string metadata(const std::string &key) const = 0;
  /// Bytes of workspace of the largest call so far.
  virtual int64_t memoryPeak() const = 0;
  /// The stages of the last call, where code measures them.
  virtual std::vector<StageTime> stages() const { return {}; }
};

/// How an engine is set up.
struct EngineOptions {
  int threads = 0;         ///< 0: one per processor.
  std::string device;      ///< Empty or "cpu": this machine's processors.
  std::string dataDir;     ///< Paths of `file` initializers are relative to it.
  int64_t memoryLimit = 0; ///< Bytes of workspace; 0: no limit.
  bool forCalls = false;   ///< Of functions only; no value, no `save`.
  bool interpret = false;  ///< The model is a description, not a module.
};

/// Loads a model from a file. Parameters are not initialized yet.
using EngineLoader = Status (*)(const std::string &path,
                                const EngineOptions &options,
                                std::unique_ptr<Engine> &engine);

/// Loads a module made by cambium-compile.
Status loadCompiled(const std::string &path, const EngineOptions &options,
                    std::unique_ptr<Engine> &engine);

/// Takes a module that is part of the program, by its query function.
Status loadStatic(const cambium_abi_module *(*query)(),
                  const EngineOptions &options,
                  std::unique_ptr<Engine> &engine);

/// Sets what `--interpret` loads a description (.mlir) with: a program that has
/// an interpreter does so before runMain. Null at first.
void setInterpreter(EngineLoader loader);
bool hasInterpreter();

/// Loads a module, or with `options.interpret` a description.
Status loadEngine(const std::string &path, const EngineOptions &options,
                  std::unique_ptr<Engine> &engine);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_ENGINE_H
