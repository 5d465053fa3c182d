//===-- runtime/train/Engine.cpp - What runs a model ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "Names.h"

#include <cstring>

using namespace cambium::train;

template <typename T>
static double element(const std::vector<char> &bytes, int64_t index) {
  T value;
  memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

double Output::at(int64_t index) const {
  switch (type) {
  case CAMBIUM_TYPE_F32:
    return element<float>(bytes, index);
  case CAMBIUM_TYPE_F64:
    return element<double>(bytes, index);
  case CAMBIUM_TYPE_I32:
    return element<int32_t>(bytes, index);
  case CAMBIUM_TYPE_I64:
    return element<int64_t>(bytes, index);
  case CAMBIUM_TYPE_I8:
  case CAMBIUM_TYPE_I1:
    return element<int8_t>(bytes, index);
  }
  return 0;
}

static EngineLoader interpreter = nullptr;

void cambium::train::setInterpreter(EngineLoader loader) {
  interpreter = loader;
}

bool cambium::train::hasInterpreter() { return interpreter != nullptr; }

Status cambium::train::loadEngine(const std::string &path,
                                  const EngineOptions &options,
                                  std::unique_ptr<Engine> &engine) {
  if (!options.interpret)
    return loadCompiled(path, options, engine);
  if (!interpreter)
    return Status::error("--interpret: expected a build with the compiler, but "
                         "this one has no interpreter");
  return interpreter(path, options, engine);
}

const EntrySpec *Engine::find(const std::string &name) const {
  for (const EntrySpec &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

Status Engine::findStep(const std::string &name, const EntrySpec *&accumulate,
                        const EntrySpec *&apply) const {
  accumulate = apply = nullptr;
  std::string known;
  std::vector<std::string> names;
  for (const EntrySpec &entry : entries) {
    if (entry.kind != CAMBIUM_ENTRY_ACCUMULATE)
      continue;
    known += (known.empty() ? "" : ", ") + entry.step;
    names.push_back(entry.step);
    if (!name.empty() && entry.step != name)
      continue;
    if (accumulate)
      return Status::error("expected --step with one of the training steps " +
                           known + ", because the module has several");
    accumulate = &entry;
  }
  for (const EntrySpec &entry : entries)
    if (accumulate && entry.kind == CAMBIUM_ENTRY_APPLY &&
        entry.step == accumulate->step)
      apply = &entry;
  if (accumulate && apply)
    return Status();
  if (known.empty())
    return Status::error("expected a module with a training step (train.step), "
                         "but this one has functions only");
  return Status::error("expected a training step, one of " + known +
                       ", but got '" + name + "'" + didYouMean(name, names));
}
