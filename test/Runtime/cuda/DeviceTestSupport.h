//===-- test/Runtime/cuda/DeviceTestSupport.h - Tests of devices
//----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_DEVICE_DEVICETESTSUPPORT_H
#define CAMBIUM_TEST_RUNTIME_DEVICE_DEVICETESTSUPPORT_H

#include "../core/TestSupport.h"
#include "cambium/device.h"
#include "cambium/device_abi.h"

extern "C" const cambium_abi_module_t *device_cambium_module_query(void);
extern "C" const cambium_abi_device_module_t *device_cambium_device_query(void);

namespace cambium::test {

using Device = Owned<cambium_device_t, cambium_device_close>;

/// The module of DeviceModule.c; with another table of devices, if given.
inline Module deviceModule(const cambium_abi_device_module_t *(*query)() =
                               device_cambium_device_query) {
  cambium_module_t *module = nullptr;
  EXPECT_OK(
      cambium_module_from_queries(device_cambium_module_query, query, &module));
  return Module(module);
}

inline Device openDevice(const char *name = "gpu") {
  cambium_device_t *device = nullptr;
  EXPECT_OK(cambium_device_open(name, &device));
  return Device(device);
}

inline Session sessionOn(cambium_device_t *device,
                         cambium_session_options_t options = {}) {
  cambium_session_t *session = nullptr;
  EXPECT_OK(cambium_session_create_on(device, &options, &session));
  return Session(session);
}

/// Adds an example whose inputs are given by `set`.
template <typename Set>
void addExample(cambium_batch_t *batch, uint64_t ordinal, Set set) {
  EXPECT_OK(cambium_batch_begin_example(batch, ordinal));
  set();
  EXPECT_OK(cambium_batch_end_example(batch));
}

/// Examples with one number each.
template <typename T>
Batch scalarBatch(const cambium_module_t *module, const char *entry,
                  cambium_type_t type, const std::vector<T> &values) {
  Batch batch = makeBatch(module, entry);
  for (const T &value : values)
    addExample(batch.get(), 0, [&] {
      EXPECT_OK(cambium_batch_set_input(batch.get(), 0, type, 1, &value));
    });
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

/// Rows of the entry `affine`: `rows[i]` of example i.
inline Batch affineBatch(const cambium_module_t *module,
                         const std::vector<int64_t> &rows) {
  Batch batch = makeBatch(module, "affine");
  float next = 0.25f;
  for (int64_t count : rows) {
    std::vector<float> x;
    for (int64_t i = 0; i < 2 * count; ++i)
      x.push_back(next += 0.375f);
    addExample(batch.get(), 0, [&] {
      EXPECT_OK(cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_F32, count,
                                        x.data()));
    });
  }
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

/// Trees and words of the entry `tree`: random, by the number of the batch.
inline Batch treeBatch(const cambium_module_t *module, unsigned number,
                       int examples) {
  Batch batch = makeBatch(module, "tree");
  std::mt19937 random(number);
  for (int i = 0; i < examples; ++i) {
    auto nodes = static_cast<int32_t>(1 + random() % 9);
    std::vector<int32_t> parents, tokens, words(1 + random() % 7);
    for (int32_t n = 0; n < nodes; ++n) {
      parents.push_back(n ? (n - 1) / 3 : -1);
      tokens.push_back(static_cast<int32_t>(random() % 1000));
    }
    addExample(batch.get(), random(), [&] {
      cambium_batch_t *b = batch.get();
      EXPECT_OK(cambium_batch_set_tree_parents(b, 0, nodes, parents.data()));
      EXPECT_OK(cambium_batch_set_input(b, 0, CAMBIUM_TYPE_I32, nodes,
                                        tokens.data()));
      EXPECT_OK(cambium_batch_set_input(b, 1, CAMBIUM_TYPE_I32,
                                        static_cast<int64_t>(words.size()),
                                        words.data()));
    });
  }
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

/// Examples of the training step, by the number of the batch.
inline Batch trainBatch(const cambium_module_t *module, unsigned number) {
  Batch batch = makeBatch(module, "train.accumulate");
  std::mt19937 random(number);
  for (int i = 0; i < 5; ++i) {
    auto row = static_cast<int32_t>(random() % 8);
    float target = static_cast<float>(random() % 64) / 16;
    addExample(batch.get(), 0, [&] {
      cambium_batch_t *b = batch.get();
      EXPECT_OK(cambium_batch_set_input(b, 0, CAMBIUM_TYPE_I32, 1, &row));
      EXPECT_OK(cambium_batch_set_input(b, 1, CAMBIUM_TYPE_F32, 1, &target));
    });
  }
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

/// Stands for bytes in comparisons, so that messages stay short.
inline std::string digest(const std::string &bytes) {
  return std::to_string(bytes.size()) +
         " bytes: " + std::to_string(std::hash<std::string>()(bytes));
}

/// All outputs of a call, one behind the other.
inline cambium_status_t call(cambium_session_t *session,
                             const cambium_store_t *store,
                             const cambium_batch_t *batch, std::string &out) {
  const cambium_entry_t *entry = cambium_batch_entry(batch);
  std::vector<std::string> outputs;
  std::vector<cambium_buffer_t> buffers;
  for (int64_t i = 0; i < cambium_entry_info(entry)->num_outputs; ++i)
    outputs.emplace_back(
        static_cast<size_t>(cambium_batch_output_bytes(batch, i)), '\xEE');
  for (std::string &output : outputs)
    buffers.push_back({output.data(), static_cast<int64_t>(output.size())});
  cambium_status_t status =
      cambium_call(session, entry, store, batch, buffers.data(),
                   static_cast<int64_t>(buffers.size()));
  out.clear();
  for (const std::string &output : outputs)
    out += output;
  return status;
}

inline std::string callOk(cambium_session_t *session,
                          const cambium_store_t *store,
                          const cambium_batch_t *batch) {
  std::string out;
  EXPECT_OK(call(session, store, batch, out));
  return digest(out);
}

/// Values, gradients, state and touched rows that the host has.
inline std::string contentsOf(const cambium_store_t *store) {
  std::string all;
  const cambium_module_t *module = cambium_store_module(store);
  for (int64_t p = 0; p < cambium_module_num_parameters(module); ++p) {
    const cambium_parameter_info_t *info = cambium_module_parameter(module, p);
    auto bytes =
        static_cast<size_t>(info->num_elements * cambium_type_size(info->type));
    const void *arrays[] = {
        cambium_store_value(store, p), cambium_store_gradient(store, p),
        cambium_store_state(store, p, 0), cambium_store_state(store, p, 1)};
    for (const void *array : arrays)
      if (array)
        all.append(static_cast<const char *>(array), bytes);
    const int32_t *rows = nullptr;
    int64_t count = cambium_store_touched_rows(store, p, &rows);
    for (int64_t i = 0; i < count; ++i)
      all += " " + std::to_string(rows[i]);
  }
  return digest(all);
}

inline cambium_status_t step(cambium_session_t *session, cambium_store_t *store,
                             const cambium_batch_t *batch, double &loss) {
  const cambium_learning_rate_t rates[] = {{nullptr, 0.125},
                                           {"embedding", 0.5}};
  return cambium_step(session, store, batch, rates, 2, &loss);
}

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_DEVICE_DEVICETESTSUPPORT_H
