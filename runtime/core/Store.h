//===-- runtime/core/Store.h - Parameters, gradients, optimizer state -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_STORE_H
#define CAMBIUM_RUNTIME_CORE_STORE_H

#include "Device.h"
#include "Module.h"
#include "Panels.h"
#include "Region.h"

#include <map>
#include <string>
#include <vector>

struct cambium_store {
  cambium_store(const cambium_module *module, bool isForCalls)
      : module(module), isForCalls(isForCalls),
        numParameters(module->manifest.parameters.size()),
        parameters(numParameters + 1),
        stepCounts(module->manifest.steps.size()) {
    cambium::runtime::retain(module);
  }
  cambium_store(const cambium_store &) = delete;
  cambium_store &operator=(const cambium_store &) = delete;
  ~cambium_store();

  const cambium_module *module;
  /// What functions read in panels alone has no value.
  const bool isForCalls;
  size_t numParameters;
  /// As compiled code sees them, and behind them what calls keep.
  std::vector<cambium_abi_param_t> parameters;
  /// The arrays of parameters: their values, and what training needs beside.
  /// They lie one behind the other, since large pages hold several.
  cambium::runtime::Region values, training;
  std::vector<int64_t> stepCounts;
  std::map<std::string, std::string, std::less<>> metadata;
  /// Threads that initialize and load.
  int32_t numThreads = 1;
  int64_t memoryLimit = 0;
  int64_t bytes = 0;
  /// Calls of ACCUMULATE entries since the last update.
  int64_t pendingCalls = 0;
  /// Calls of entries that only read have to bring arrays to a device, too.
  mutable cambium::runtime::DeviceCopies copies{*this};
  /// And to copy values.
  mutable cambium::runtime::Panels panels{*this};

  const cambium_parameter_info_t &info(size_t index) const {
    return module->manifest.parameters[index];
  }
  int64_t valueBytes(size_t index) const {
    return info(index).num_elements * cambium_type_size(info(index).type);
  }
  bool hasValue(size_t index) const {
    return !isForCalls || info(index).num_elements == 0 ||
           !module->manifest.panels[index].areAlone;
  }
  int64_t stateBytes(size_t index, int slot) const {
    return module->manifest.states[index].slots[slot].numElements *
           cambium_type_size(info(index).type);
  }
  /// Zeroed memory that counts against the limit. It is the caller's.
  cambium_status_t allocate(int64_t size, const char *what, size_t index,
                            void *&out);
  /// The same of a region, which lives as long as the store does.
  cambium_status_t cut(cambium::runtime::Region &region, int64_t size,
                       const char *what, size_t index, void *&out);
  cambium_status_t allocateValues();
  /// Gives such memory back.
  void free(void *memory, int64_t size);
  /// Refuses what a store for calls cannot do.
  cambium_status_t expectAllValues(const char *what) const;
  cambium_status_t allocateState(size_t index, int slot);
  /// Gradients and state of all trainable parameters.
  cambium_status_t allocateTraining();
  void clearGradients();
  /// Bytes of all arrays when all of them are allocated.
  int64_t mostBytes() const;

private:
  cambium_status_t count(void *memory, int64_t size, const char *what,
                         size_t index, void *&out);
  cambium_status_t cutTraining(int64_t size, const char *what, size_t index,
                               void *&out);
};

namespace cambium::runtime {

/// Memory for a new value of a parameter: its place, or where it has none,
/// memory that lives until `keep` has made a copy of it.
class NewValue {
public:
  NewValue(cambium_store &store, size_t index) : store(store), index(index) {}
  NewValue(const NewValue &) = delete;
  NewValue &operator=(const NewValue &) = delete;
  ~NewValue() { store.free(passing, store.valueBytes(index)); }

  cambium_status_t allocate(void *&out);
  void keep(cambium_session &session);

private:
  cambium_store &store;
  size_t index;
  void *passing = nullptr;
};

/// A file initializer: reads one tensor.
cambium_status_t readTensorFile(const char *dataDir, const cambium_init_t &init,
                                const cambium_parameter_info_t &info,
                                void *out);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_STORE_H
