//===-- runtime/core/Store.cpp - Parameters, gradients, optimizer state ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Store.h"
#include "Initialize.h"
#include "Session.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <unistd.h>

using namespace cambium::runtime;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

cambium_store::~cambium_store() {
  std::free(parameters.back().value);
  release(module);
}

/// Memory that is there counts against the limit; null: there is none.
cambium_status_t cambium_store::count(void *memory, int64_t size,
                                      const char *what, size_t index,
                                      void *&out) {
  if (!memory)
    return fail(CAMBIUM_STATUS_OUT_OF_MEMORY,
                "the %s of parameter '%s' needs %lld bytes beside %lld of this "
                "store, but the limit is %lld",
                what, info(index).name, static_cast<long long>(size),
                static_cast<long long>(bytes),
                static_cast<long long>(memoryLimit));
  std::memset(memory, 0, static_cast<size_t>(size));
  bytes += size;
  out = memory;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_store::allocate(int64_t size, const char *what,
                                         size_t index, void *&out) {
  void *memory = size > memoryLimit - bytes ? nullptr : allocateAligned(size);
  return count(memory, size, what, index, out);
}

/// An array begins with a line of the caches, and has one.
static int64_t placeOf(int64_t size) {
  return std::max(kAlignment,
                  (size + kAlignment - 1) / kAlignment * kAlignment);
}

cambium_status_t cambium_store::cut(Region &region, int64_t size,
                                    const char *what, size_t index,
                                    void *&out) {
  int64_t place = region.size();
  bool fits = size <= memoryLimit - bytes && size <= region.capacity() &&
              region.commit(place + placeOf(size));
  return count(fits ? region.begin() + place : nullptr, size, what, index, out);
}

/// All of them have room in the region: what is too large has none.
cambium_status_t cambium_store::allocateValues() {
  int64_t total = 0;
  for (size_t i = 0; i < numParameters; ++i)
    total += hasValue(i) ? placeOf(valueBytes(i)) : 0;
  values = Region::reserve(total, total);
  for (size_t i = 0; i < numParameters; ++i)
    if (hasValue(i))
      CAMBIUM_TRY(cut(values, valueBytes(i), "value", i, parameters[i].value));
  return panels.allocateAlone();
}

/// What training may need of any parameter has room there.
cambium_status_t cambium_store::cutTraining(int64_t size, const char *what,
                                            size_t index, void *&out) {
  if (!training.capacity()) {
    constexpr int64_t most = std::numeric_limits<int64_t>::max() / 4;
    int64_t arrays = 5 * static_cast<int64_t>(numParameters);
    int64_t total = std::min(mostBytes(), most) + arrays * kAlignment;
    training = Region::reserve(total, total);
  }
  return cut(training, size, what, index, out);
}

void cambium_store::free(void *memory, int64_t size) {
  std::free(memory);
  bytes -= memory ? size : 0;
}

cambium_status_t cambium_store::expectAllValues(const char *what) const {
  if (!isForCalls)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_WRONG_STATE,
              "%s: expected a store of cambium_store_create, but got one of "
              "cambium_store_create_for_calls",
              what);
}

cambium_status_t NewValue::allocate(void *&out) {
  out = store.parameters[index].value;
  if (store.hasValue(index))
    return CAMBIUM_STATUS_OK;
  CAMBIUM_TRY(store.allocate(store.valueBytes(index), "value", index, passing));
  out = passing;
  return CAMBIUM_STATUS_OK;
}

void NewValue::keep(cambium_session &session) {
  if (passing)
    store.panels.make(&session, index, passing);
}

cambium_status_t cambium_store::allocateState(size_t index, int slot) {
  if (parameters[index].state[slot])
    return CAMBIUM_STATUS_OK;
  return cutTraining(stateBytes(index, slot), "optimizer state", index,
                     parameters[index].state[slot]);
}

cambium_status_t cambium_store::allocateTraining() {
  CAMBIUM_TRY(expectAllValues("training"));
  for (size_t i = 0; i < numParameters; ++i) {
    const cambium_parameter_info_t &parameter = info(i);
    cambium_abi_param_t &arrays = parameters[i];
    if (!parameter.trainable || arrays.gradient)
      continue;
    for (int slot = 0; slot < parameter.state_slots; ++slot)
      CAMBIUM_TRY(allocateState(i, slot));
    if (parameter.row_sparse) {
      void *memory = arrays.touched;
      if (!memory)
        CAMBIUM_TRY(cutTraining(parameter.shape[0] * int64_t{sizeof(int32_t)},
                                "list of touched rows", i, memory));
      arrays.touched = static_cast<int32_t *>(memory);
      memory = arrays.is_touched;
      if (!memory)
        CAMBIUM_TRY(cutTraining(parameter.shape[0], "flags of touched rows", i,
                                memory));
      arrays.is_touched = static_cast<uint8_t *>(memory);
    }
    // Last, since it says that the parameter is complete.
    CAMBIUM_TRY(cutTraining(valueBytes(i), "gradient", i, arrays.gradient));
  }
  return CAMBIUM_STATUS_OK;
}

int64_t cambium_store::mostBytes() const {
  int64_t total = module->manifest.kept.bytes;
  auto add = [&total](int64_t size) {
    if (__builtin_add_overflow(total, size, &total))
      total = std::numeric_limits<int64_t>::max();
  };
  for (size_t i = 0; i < numParameters; ++i) {
    const cambium_parameter_info_t &parameter = info(i);
    add(hasValue(i) ? valueBytes(i) : panels.bytesOf(i));
    if (isForCalls)
      continue;
    if (parameter.trainable)
      add(valueBytes(i));
    for (int slot = 0; slot < parameter.state_slots; ++slot)
      add(stateBytes(i, slot));
    if (parameter.trainable && parameter.row_sparse)
      add(parameter.shape[0] * int64_t{sizeof(int32_t) + 1});
  }
  return total;
}

void cambium_store::clearGradients() {
  pendingCalls = 0;
  if (!copies.clear())
    return;
  for (size_t i = 0; i < numParameters; ++i) {
    cambium_abi_param_t &arrays = parameters[i];
    if (!arrays.gradient)
      continue;
    int64_t size = valueBytes(i);
    if (!info(i).row_sparse) {
      std::memset(arrays.gradient, 0, static_cast<size_t>(size));
      continue;
    }
    auto rowBytes =
        static_cast<size_t>(info(i).shape[0] ? size / info(i).shape[0] : 0);
    for (int64_t t = 0; t < arrays.num_touched; ++t) {
      auto row = static_cast<size_t>(arrays.touched[t]);
      std::memset(static_cast<char *>(arrays.gradient) + row * rowBytes, 0,
                  rowBytes);
      arrays.is_touched[row] = 0;
    }
    arrays.num_touched = 0;
  }
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// The memory of this machine in bytes.
static int64_t machineMemory() {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? int64_t{pages} * size
                               : std::numeric_limits<int64_t>::max();
}

/// A model that is too large is refused before any work.
static cambium_status_t expectRoomForValues(const cambium_store &store) {
  int64_t total = 0;
  for (size_t i = 0; i < store.numParameters; ++i)
    if (__builtin_add_overflow(total,
                               store.hasValue(i) ? store.valueBytes(i)
                                                 : store.panels.bytesOf(i),
                               &total))
      total = std::numeric_limits<int64_t>::max();
  if (total > store.memoryLimit)
    return fail(
        CAMBIUM_STATUS_OUT_OF_MEMORY,
        "the parameters of module '%s' need %lld bytes, but the limit is "
        "%lld",
        store.module->name.c_str(), static_cast<long long>(total),
        static_cast<long long>(store.memoryLimit));
  return CAMBIUM_STATUS_OK;
}

static cambium_status_t initialize(cambium_store &store, size_t index,
                                   const cambium_store_options_t &options,
                                   cambium_session &session) {
  const cambium_parameter_info_t &info = store.info(index);
  NewValue value(store, index);
  void *memory = nullptr;
  CAMBIUM_TRY(value.allocate(memory));
  if (info.init.kind == CAMBIUM_INIT_FILE)
    CAMBIUM_TRY(readTensorFile(options.data_dir, info.init, info, memory));
  else
    CAMBIUM_TRY(draw(info.init, parameterKey(options.seed, info.name),
                     {info.type, info.rank, info.shape, info.slices,
                      info.num_elements, memory},
                     session));
  value.keep(session);
  return CAMBIUM_STATUS_OK;
}

static cambium_status_t fillStore(cambium_store &store,
                                  const cambium_store_options_t &options) {
  if (options.memory_limit < 0 || options.num_threads < 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected a memory limit and a number of threads of 0 or more, "
                "but got %lld and %d",
                static_cast<long long>(options.memory_limit),
                options.num_threads);
  store.memoryLimit =
      options.memory_limit > 0 ? options.memory_limit : machineMemory();
  store.numThreads = std::max(options.num_threads, 1);
  CAMBIUM_TRY(expectRoomForValues(store));
  CAMBIUM_TRY(store.allocateValues());
  if (options.skip_initializers)
    return CAMBIUM_STATUS_OK;
  return withThreads(store.numThreads, [&](cambium_session &session) {
    for (size_t i = 0; i < store.numParameters; ++i)
      CAMBIUM_TRY(initialize(store, i, options, session));
    return CAMBIUM_STATUS_OK;
  });
}

static cambium_status_t create(const cambium_module_t *module,
                               const cambium_store_options_t *options,
                               bool isForCalls, cambium_store_t **out_store) {
  cambium_store *store = nullptr;
  CAMBIUM_TRY(guarded("a store", [&] {
    store = new cambium_store(module, isForCalls);
    return CAMBIUM_STATUS_OK;
  }));
  cambium_store_options_t defaults = {};
  if (cambium_status_t status =
          fillStore(*store, options ? *options : defaults)) {
    delete store;
    return status;
  }
  *out_store = store;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_store_create(const cambium_module_t *module,
                                      const cambium_store_options_t *options,
                                      cambium_store_t **out_store) {
  CAMBIUM_CHECK_ARGUMENT(out_store);
  *out_store = nullptr;
  CAMBIUM_CHECK_ARGUMENT(module);
  return create(module, options, /*isForCalls=*/false, out_store);
}

cambium_status_t
cambium_store_create_for_calls(const cambium_module_t *module,
                               const cambium_store_options_t *options,
                               cambium_store_t **out_store) {
  CAMBIUM_CHECK_ARGUMENT(out_store);
  *out_store = nullptr;
  CAMBIUM_CHECK_ARGUMENT(module);
  return create(module, options, /*isForCalls=*/true, out_store);
}

void cambium_store_destroy(cambium_store_t *store) { delete store; }

cambium_status_t cambium_initialize(const cambium_init_t *init, uint64_t seed,
                                    const char *name, cambium_type_t type,
                                    int32_t rank, const int64_t *shape,
                                    void *out_data) {
  CAMBIUM_CHECK_ARGUMENT(init);
  CAMBIUM_CHECK_ARGUMENT(name);
  CAMBIUM_CHECK_ARGUMENT(out_data);
  if (rank > 0)
    CAMBIUM_CHECK_ARGUMENT(shape);
  bool isFloat = type == CAMBIUM_TYPE_F32 || type == CAMBIUM_TYPE_F64;
  bool needsMatrix = init->kind == CAMBIUM_INIT_ORTHOGONAL ||
                     init->kind == CAMBIUM_INIT_SINUSOIDAL;
  if (init->kind < CAMBIUM_INIT_ZEROS || init->kind > CAMBIUM_INIT_SINUSOIDAL ||
      init->kind == CAMBIUM_INIT_FILE ||
      (init->kind >= CAMBIUM_INIT_UNIFORM && !isFloat) ||
      (needsMatrix && rank < 2) || cambium_type_size(type) == 0 || rank < 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "initializer %d does not fit a tensor of %s with %d dimensions",
                init->kind, cambium_type_name(type), rank);
  if (!std::isfinite(init->a) || !std::isfinite(init->b))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "initializer %d of '%s': expected finite numbers, but got %g "
                "and %g",
                init->kind, name, init->a, init->b);
  int64_t elements = 1;
  for (int32_t i = 0; i < rank; ++i)
    if (shape[i] < 0 || __builtin_mul_overflow(elements, shape[i], &elements))
      return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                  "expected sizes that fit into memory, but got %lld",
                  static_cast<long long>(shape[i]));
  return withThreads(1, [&](cambium_session &session) {
    return draw(*init, parameterKey(seed, name),
                {type, rank, shape, /*slices=*/0, elements, out_data}, session);
  });
}
