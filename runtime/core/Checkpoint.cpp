//===-- runtime/core/Checkpoint.cpp - Saving and loading stores -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Safetensors.h"
#include "Session.h"
#include "Store.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>

using namespace cambium::runtime;

static constexpr const char *kStepPrefix = "cambium.step.";
static constexpr const char *kFormatKey = "cambium.format";

static std::string stateName(const char *parameter, int slot) {
  return std::string(parameter) + "#state" + std::to_string(slot);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

static cambium_status_t save(const cambium_store &store, const char *path,
                             uint32_t flags) {
  bool withState = !(flags & CAMBIUM_CHECKPOINT_PARAMETERS_ONLY);
  CAMBIUM_TRY(store.copies.pull());
  std::vector<TensorToWrite> tensors;
  for (size_t i = 0; i < store.numParameters; ++i) {
    const cambium_parameter_info_t &info = store.info(i);
    if (!store.hasValue(i))
      return fail(CAMBIUM_STATUS_WRONG_STATE,
                  "expected a store with all values for a checkpoint, but got "
                  "one for calls, in which parameter '%s' is a copy alone",
                  info.name);
    tensors.push_back({info.name, info.type, info.shape, info.rank,
                       store.parameters[i].value, store.valueBytes(i)});
    for (int slot = 0; withState && slot < 2; ++slot) {
      const SlotShape &of = store.module->manifest.states[i].slots[slot];
      if (const void *state = store.parameters[i].state[slot])
        tensors.push_back({stateName(info.name, slot), info.type, of.shape,
                           of.rank, state, store.stateBytes(i, slot)});
    }
  }
  std::map<std::string, std::string, std::less<>> metadata = store.metadata;
  metadata[kFormatKey] = "1";
  const std::vector<const char *> &steps = store.module->manifest.steps;
  for (size_t i = 0; withState && i < steps.size(); ++i)
    metadata[kStepPrefix + std::string(steps[i])] =
        std::to_string(store.stepCounts[i]);
  CAMBIUM_TRY(writeTensors(path, tensors, metadata));
  log(CAMBIUM_LOG_INFO, "saved '%s': %zu tensors", path, tensors.size());
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_store_save(const cambium_store_t *store,
                                    const char *path, uint32_t flags) {
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(path);
  return guarded("a checkpoint", [&] { return save(*store, path, flags); });
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {

/// Compares a file with a store, then copies.
class Loader {
public:
  Loader(cambium_store &store, uint32_t flags) : store(store), flags(flags) {}
  cambium_status_t load(const char *path);

private:
  /// Data of the file and its place in the store; slot -1 is the value.
  struct Copy {
    const FileTensor *tensor;
    size_t parameter;
    int slot;
  };

  bool withState() const {
    return !(flags & CAMBIUM_CHECKPOINT_PARAMETERS_ONLY) && !store.isForCalls;
  }
  void *arrayOf(const Copy &item) const {
    cambium_abi_param_t &arrays = store.parameters[item.parameter];
    return item.slot < 0 ? arrays.value : arrays.state[item.slot];
  }
  void match();
  void matchTensor(size_t parameter, const std::string &name, int slot);
  void matchExtra();
  void matchSteps();
  cambium_status_t copy();
  cambium_status_t copyInPlace();
  void takeMetadata() noexcept;

  cambium_store &store;
  uint32_t flags;
  TensorReader reader;
  std::vector<Copy> copies;
  std::set<std::string> known;
  std::vector<int64_t> stepCounts;
  Differences differences;
};

std::string describeShape(const cambium_parameter_info_t &info,
                          const SlotShape &of) {
  return describeTensor(fileTypeName(info.type), of.shape,
                        static_cast<size_t>(of.rank));
}

std::string describeParameter(const cambium_parameter_info_t &info) {
  return describeShape(info, {info.rank, info.shape, info.num_elements});
}

void Loader::matchTensor(size_t parameter, const std::string &name, int slot) {
  known.insert(name);
  const cambium_parameter_info_t &info = store.info(parameter);
  SlotShape of = {info.rank, info.shape, info.num_elements};
  if (slot >= 0)
    of = store.module->manifest.states[parameter].slots[slot];
  auto found = reader.tensors.find(name);
  if (found == reader.tensors.end()) {
    if (slot < 0 && !(flags & CAMBIUM_CHECKPOINT_ALLOW_MISSING))
      differences.add(format("'%s' is missing, expected %s", name.c_str(),
                             describeShape(info, of).c_str()));
    return;
  }
  const FileTensor &tensor = found->second;
  auto rank = static_cast<size_t>(of.rank);
  if (tensor.type != fileTypeName(info.type) || tensor.shape.size() != rank ||
      !std::equal(tensor.shape.begin(), tensor.shape.end(), of.shape)) {
    differences.add(format(
        "'%s': expected %s, but got %s", name.c_str(),
        describeShape(info, of).c_str(),
        describeTensor(tensor.type, tensor.shape.data(), tensor.shape.size())
            .c_str()));
    return;
  }
  copies.push_back({&tensor, parameter, slot});
}

void Loader::matchExtra() {
  for (const auto &item : reader.tensors) {
    if (known.count(item.first))
      continue;
    bool isState = item.first.find("#state") != std::string::npos;
    if ((isState && !withState()) || (flags & CAMBIUM_CHECKPOINT_ALLOW_EXTRA))
      continue;
    differences.add(format("'%s' is in the file, but not in the module",
                           item.first.c_str()),
                    Differences::Extra);
  }
}

void Loader::matchSteps() {
  const std::vector<const char *> &steps = store.module->manifest.steps;
  stepCounts.assign(steps.size(), 0);
  for (size_t i = 0; i < steps.size(); ++i) {
    auto found = reader.metadata.find(kStepPrefix + std::string(steps[i]));
    if (found == reader.metadata.end())
      continue;
    char *end = nullptr;
    errno = 0;
    stepCounts[i] = std::strtoll(found->second.c_str(), &end, 10);
    if (found->second.empty() || *end || stepCounts[i] < 0 || errno == ERANGE)
      differences.add(
          format("the count of step '%s': expected a number, but got \"%s\"",
                 steps[i], found->second.c_str()));
  }
}

void Loader::match() {
  for (size_t i = 0; i < store.numParameters; ++i) {
    const cambium_parameter_info_t &info = store.info(i);
    matchTensor(i, info.name, -1);
    for (int slot = 0; withState() && slot < info.state_slots; ++slot)
      matchTensor(i, stateName(info.name, slot), slot);
  }
  matchExtra();
  matchSteps();
}

/// One after the other, so that values of which a copy alone is kept need the
/// memory of one.
cambium_status_t Loader::copyInPlace() {
  return withThreads(store.numThreads, [&](cambium_session &session) {
    for (const Copy &item : copies) {
      NewValue value(store, item.parameter);
      void *memory = nullptr;
      CAMBIUM_TRY(value.allocate(memory));
      CAMBIUM_TRY(reader.read(*item.tensor, memory));
      value.keep(session);
    }
    return CAMBIUM_STATUS_OK;
  });
}

cambium_status_t Loader::copy() {
  if (store.isForCalls)
    return copyInPlace();
  // Allocation may fail, so it comes before the first change.
  for (const Copy &item : copies)
    if (item.slot >= 0)
      CAMBIUM_TRY(store.allocateState(item.parameter, item.slot));
  std::set<const void *> read;
  for (const Copy &item : copies)
    read.insert(arrayOf(item));
  // Read aside first, so that a disk that fails half-way changes nothing. Where
  // there is no memory for that, in place.
  int64_t total = 0;
  for (const Copy &item : copies)
    total += item.tensor->end - item.tensor->begin;
  Buffer<char> aside;
  bool isAside = aside.resize(total);
  char *place = aside.data();
  for (const Copy &item : copies) {
    void *out = isAside ? place : arrayOf(item);
    CAMBIUM_TRY(reader.read(*item.tensor, out));
    place += isAside ? item.tensor->end - item.tensor->begin : 0;
  }
  place = aside.data();
  for (const Copy &item : copies) {
    int64_t size = item.tensor->end - item.tensor->begin;
    if (isAside && size > 0)
      std::memcpy(arrayOf(item), place, static_cast<size_t>(size));
    place += isAside ? size : 0;
  }
  // State that the file lacks.
  for (size_t i = 0; withState() && i < store.numParameters; ++i)
    for (int slot = 0; slot < 2; ++slot)
      if (void *state = store.parameters[i].state[slot])
        if (!read.count(state))
          std::memset(state, 0, static_cast<size_t>(store.stateBytes(i, slot)));
  return CAMBIUM_STATUS_OK;
}

void Loader::takeMetadata() noexcept {
  store.metadata.swap(reader.metadata);
  if (withState())
    store.stepCounts.swap(stepCounts);
}

cambium_status_t Loader::load(const char *path) {
  CAMBIUM_TRY(reader.open(path, "checkpoint"));
  CAMBIUM_TRY(reader.verify());
  match();
  if (differences.size())
    return fail(CAMBIUM_STATUS_MISMATCH,
                "checkpoint '%s' does not fit module '%s' (%zu mismatches):%s",
                path, store.module->name.c_str(), differences.size(),
                differences.text().c_str());
  CAMBIUM_TRY(store.copies.pull());
  store.copies.changed();
  CAMBIUM_TRY(copy());
  // From here on nothing can fail.
  for (auto item = reader.metadata.begin(); item != reader.metadata.end();)
    item = item->first.compare(0, 8, "cambium.") == 0
               ? reader.metadata.erase(item)
               : std::next(item);
  takeMetadata();
  store.clearGradients();
  log(CAMBIUM_LOG_INFO, "loaded '%s': %zu tensors", path, copies.size());
  return CAMBIUM_STATUS_OK;
}

} // namespace

cambium_status_t cambium_store_load(cambium_store_t *store, const char *path,
                                    uint32_t flags) {
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(path);
  return guarded("a checkpoint", [&] {
    store->panels.changed();
    return Loader(*store, flags).load(path);
  });
}

cambium_status_t cambium::runtime::readTensorFile(
    const char *dataDir, const cambium_init_t &init,
    const cambium_parameter_info_t &info, void *out) {
  auto load = [&]() -> cambium_status_t {
    std::string path = init.path;
    if (dataDir && path[0] != '/')
      path = std::string(dataDir) + "/" + path;
    TensorReader reader;
    CAMBIUM_TRY(reader.open(path.c_str(), "file"));
    CAMBIUM_TRY(reader.verify());
    auto found = reader.tensors.find(init.tensor);
    if (found == reader.tensors.end())
      return fail(CAMBIUM_STATUS_NOT_FOUND, "file '%s' has no tensor '%s'",
                  path.c_str(), init.tensor);
    const FileTensor &tensor = found->second;
    if (tensor.type != fileTypeName(info.type) ||
        tensor.shape.size() != static_cast<size_t>(info.rank) ||
        !std::equal(tensor.shape.begin(), tensor.shape.end(), info.shape))
      return fail(
          CAMBIUM_STATUS_MISMATCH,
          "file '%s', tensor '%s': expected %s, but got %s", path.c_str(),
          init.tensor, describeParameter(info).c_str(),
          describeTensor(tensor.type, tensor.shape.data(), tensor.shape.size())
              .c_str());
    return reader.read(tensor, out);
  };
  cambium_status_t status = guarded("a file of tensors", load);
  if (status)
    prefixError("initializer of parameter '%s': ", info.name);
  return status;
}
