//===-- runtime/core/StoreAccess.cpp - Reading and changing stores --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Store.h"
#include "Utf8.h"

using namespace cambium::runtime;

/// The arrays of a parameter, or null.
static const cambium_abi_param_t *arraysOf(const cambium_store *store,
                                           int64_t parameter) {
  if (!store || parameter < 0 ||
      parameter >= static_cast<int64_t>(store->numParameters))
    return nullptr;
  return &store->parameters[static_cast<size_t>(parameter)];
}

const cambium_module_t *cambium_store_module(const cambium_store_t *store) {
  if (!store)
    return nullptr;
  return store->module;
}

const void *cambium_store_value(const cambium_store_t *store,
                                int64_t parameter) {
  const cambium_abi_param_t *arrays = arraysOf(store, parameter);
  return arrays ? arrays->value : nullptr;
}

cambium_status_t cambium_store_set_value(cambium_store_t *store,
                                         int64_t parameter, cambium_type_t type,
                                         int64_t num_elements,
                                         const void *elements) {
  CAMBIUM_CHECK_ARGUMENT(store);
  if (num_elements != 0)
    CAMBIUM_CHECK_ARGUMENT(elements);
  const cambium_abi_param_t *arrays = arraysOf(store, parameter);
  if (!arrays)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected the index of one of %zu parameters, but got %lld",
                store->numParameters, static_cast<long long>(parameter));
  auto index = static_cast<size_t>(parameter);
  const cambium_parameter_info_t &info = store->info(index);
  if (type != info.type || num_elements != info.num_elements)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "parameter '%s': expected %lld elements of %s, but got %lld "
                "of %s",
                info.name, static_cast<long long>(info.num_elements),
                cambium_type_name(info.type),
                static_cast<long long>(num_elements), cambium_type_name(type));
  // Of the other arrays the newest may be on a device.
  CAMBIUM_TRY(store->copies.pull());
  if (!store->hasValue(index))
    store->panels.make(/*session=*/nullptr, index, elements);
  else if (num_elements > 0)
    std::memcpy(arrays->value, elements,
                static_cast<size_t>(store->valueBytes(index)));
  store->copies.changed();
  store->panels.changed();
  return CAMBIUM_STATUS_OK;
}

void *cambium_store_gradient(const cambium_store_t *store, int64_t parameter) {
  const cambium_abi_param_t *arrays = arraysOf(store, parameter);
  return arrays ? arrays->gradient : nullptr;
}

void *cambium_store_state(const cambium_store_t *store, int64_t parameter,
                          int32_t slot) {
  const cambium_abi_param_t *arrays = arraysOf(store, parameter);
  return arrays && (slot == 0 || slot == 1) ? arrays->state[slot] : nullptr;
}

int64_t cambium_store_state_elements(const cambium_store_t *store,
                                     int64_t parameter, int32_t slot) {
  if (!arraysOf(store, parameter) || slot < 0 || slot > 1 ||
      slot >= store->info(static_cast<size_t>(parameter)).state_slots)
    return 0;
  return store->module->manifest.states[static_cast<size_t>(parameter)]
      .slots[slot]
      .numElements;
}

int64_t cambium_store_touched_rows(const cambium_store_t *store,
                                   int64_t parameter,
                                   const int32_t **out_rows) {
  const cambium_abi_param_t *arrays = arraysOf(store, parameter);
  if (out_rows)
    *out_rows = arrays ? arrays->touched : nullptr;
  return arrays ? arrays->num_touched : 0;
}

cambium_status_t cambium_store_prepare_training(cambium_store_t *store) {
  CAMBIUM_CHECK_ARGUMENT(store);
  return store->allocateTraining();
}

void cambium_store_clear_gradients(cambium_store_t *store) {
  if (!store)
    return;
  store->clearGradients();
}

//===----------------------------------------------------------------------===//
// Step counts
//===----------------------------------------------------------------------===//

int64_t cambium_store_step_count(const cambium_store_t *store,
                                 const char *name) {
  if (!store)
    return -1;
  int64_t step = findStep(*store->module, name);
  return step < 0 ? -1 : store->stepCounts[static_cast<size_t>(step)];
}

cambium_status_t cambium_store_set_step_count(cambium_store_t *store,
                                              const char *name, int64_t count) {
  CAMBIUM_CHECK_ARGUMENT(store);
  int64_t step = findStep(*store->module, name);
  if (step < 0)
    return CAMBIUM_STATUS_NOT_FOUND;
  if (count < 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected a step count of 0 or more, but got %lld",
                static_cast<long long>(count));
  store->stepCounts[static_cast<size_t>(step)] = count;
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

cambium_status_t cambium_store_set_metadata(cambium_store_t *store,
                                            const char *key,
                                            const char *value) {
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(key);
  if (std::strncmp(key, "cambium.", 8) == 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "metadata key '%s': expected one that does not start with "
                "\"cambium.\"",
                key);
  return guarded("metadata", [&] {
    auto isUtf8 = [](std::string_view text) {
      return findNonUtf8(text) == text.size();
    };
    if (!isUtf8(key) || (value && !isUtf8(value)))
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "metadata key '%s': expected UTF-8 text", key);
    if (value)
      store->metadata.insert_or_assign(key, std::string(value));
    else if (auto found = store->metadata.find(key);
             found != store->metadata.end())
      store->metadata.erase(found);
    return CAMBIUM_STATUS_OK;
  });
}

const char *cambium_store_metadata(const cambium_store_t *store,
                                   const char *key) {
  if (!store)
    return nullptr;
  if (!key)
    return nullptr;
  auto found = store->metadata.find(key);
  return found == store->metadata.end() ? nullptr : found->second.c_str();
}

int64_t cambium_store_num_metadata(const cambium_store_t *store) {
  if (!store)
    return 0;
  return static_cast<int64_t>(store->metadata.size());
}

const char *cambium_store_metadata_key(const cambium_store_t *store,
                                       int64_t index) {
  if (index < 0 || index >= cambium_store_num_metadata(store))
    return nullptr;
  auto item = store->metadata.begin();
  std::advance(item, index);
  return item->first.c_str();
}
