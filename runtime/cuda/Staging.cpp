//===-- runtime/cuda/Staging.cpp - A call as one block of memory ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Staging.h"

using namespace cambium::cuda;
using namespace cambium::runtime;

namespace {

/// An index array of a forest: where its pointer is, and its length, a count of
/// the forest and a number.
struct IndexArray {
  size_t pointer, length;
  int64_t more;
};

#define FIELD(name) offsetof(cambium_abi_forest_t, name)
constexpr IndexArray kIndexArrays[] = {
    {FIELD(level_nodes), FIELD(num_levels), 1},
    {FIELD(child_offsets), FIELD(num_nodes), 1},
    {FIELD(child_nodes), FIELD(num_edges), 0},
    {FIELD(edge_parents), FIELD(num_edges), 0},
    {FIELD(parent_offsets), FIELD(num_nodes), 1},
    {FIELD(parent_edges), FIELD(num_edges), 0},
    {FIELD(node_to_user), FIELD(num_nodes), 0},
    {FIELD(user_to_node), FIELD(num_nodes), 0},
    {FIELD(edge_to_user), FIELD(num_edges), 0},
    {FIELD(roots), FIELD(num_trees), 0}};
#undef FIELD

template <typename T> T &fieldOf(cambium_abi_forest_t &forest, size_t offset) {
  return *reinterpret_cast<T *>(reinterpret_cast<char *>(&forest) + offset);
}

} // namespace

/// More than any memory, and such that what is added does not wrap.
static constexpr int64_t kTooLarge = int64_t(1) << 60;

Address Staging::reserve(int64_t bytes) {
  constexpr int64_t alignment = CAMBIUM_ABI_DEVICE_ALIGNMENT;
  used = (used + alignment - 1) / alignment * alignment;
  Address place = address + static_cast<Address>(used);
  used = bytes > kTooLarge - used ? kTooLarge : used + bytes;
  return place;
}

static int64_t bytesOf(int64_t rows, int64_t rowBytes) {
  int64_t bytes = 0;
  return __builtin_mul_overflow(rows, rowBytes, &bytes) ? kTooLarge : bytes;
}

Address Staging::put(const void *data, int64_t bytes) {
  Address place = reserve(bytes);
  if (!memory || bytes <= 0)
    return place;
  if (data)
    std::memcpy(at(place), data, static_cast<size_t>(bytes));
  else
    std::memset(at(place), 0, static_cast<size_t>(bytes));
  return place;
}

void Staging::putSpaces(cambium_abi_call_t &out) {
  const cambium_abi_rows_t *spaces = call.call.spaces;
  int64_t count = spaces ? call.info->num_spaces : 0;
  out.spaces = putArray(spaces, count);
  char *table = at(reinterpret_cast<Address>(out.spaces));
  for (int64_t i = 0; i < count; ++i) {
    const int32_t *offsets =
        putArray(spaces[i].offsets, spaces[i].num_segments + 1);
    if (table)
      reinterpret_cast<cambium_abi_rows_t *>(table)[i].offsets = offsets;
  }
}

void Staging::putForests(cambium_abi_call_t &out) {
  out.forests = putArray(forests, numForests);
  char *table = at(reinterpret_cast<Address>(out.forests));
  for (int64_t i = 0; i < numForests; ++i) {
    cambium_abi_forest_t forest = *forests[i];
    const cambium_abi_forest_t *place = putArray(&forest, 1);
    for (const IndexArray &array : kIndexArrays) {
      auto &pointer = fieldOf<const int32_t *>(forest, array.pointer);
      pointer = putArray(pointer,
                         fieldOf<int64_t>(forest, array.length) + array.more);
    }
    if (!table)
      continue;
    std::memcpy(at(reinterpret_cast<Address>(place)), &forest, sizeof(forest));
    reinterpret_cast<const cambium_abi_forest_t **>(table)[i] = place;
  }
}

void Staging::putInputs(cambium_abi_call_t &out) {
  int64_t count = call.call.inputs ? call.info->num_inputs : 0;
  out.inputs = putArray(call.call.inputs, count);
  char *table = at(reinterpret_cast<Address>(out.inputs));
  for (int64_t i = 0; i < count; ++i) {
    const cambium_tensor_info_t &info = call.inputs[i];
    Address place =
        put(call.call.inputs[i],
            bytesOf(host.numRows(call.batch, info), info.row_bytes));
    if (table)
      reinterpret_cast<Address *>(table)[i] = place;
  }
}

int64_t Staging::timesBytes() const {
  return call.entry->num_stages *
         static_cast<int64_t>(sizeof(cambium_abi_stage_time_t));
}

int64_t Staging::outputBytes(int64_t index) const {
  const cambium_tensor_info_t &info = call.outputs[index];
  return bytesOf(host.numRows(call.batch, info), info.row_bytes);
}

void Staging::placeOutputs(bool areWanted, Address table) {
  for (int64_t i = 0; i < call.info->num_outputs; ++i) {
    if ((call.call.outputs[i] != nullptr) != areWanted)
      continue;
    Address place = reserve(outputBytes(i));
    if (memory)
      reinterpret_cast<Address *>(at(table))[i] = place;
  }
}

Layout Staging::place(const DeviceArrays &arrays) {
  used = 0;
  Address self = reserve(sizeof(cambium_abi_device_call_t));
  cambium_abi_device_call_t out = {};
  out.call.num_examples = call.call.num_examples;
  out.call.step = call.call.step;
  out.call.params = reinterpret_cast<cambium_abi_param_t *>(arrays.params);
  out.workspace = reinterpret_cast<void *>(arrays.workspace);
  out.workspace_bytes = arrays.workspaceBytes;
  putSpaces(out.call);
  putForests(out.call);
  putInputs(out.call);
  out.call.scalars = putArray(call.call.scalars, call.info->num_scalars);
  out.call.example_keys =
      putArray(call.call.example_keys, call.call.num_examples);
  Address outputs = put(nullptr, call.info->num_outputs *
                                     static_cast<int64_t>(sizeof(void *)));
  out.call.outputs = reinterpret_cast<void **>(outputs);
  out.barriers = reinterpret_cast<cambium_abi_device_barrier_t *>(
      put(nullptr, call.entry->num_launches *
                       static_cast<int64_t>(sizeof(*out.barriers))));
  Layout layout;
  Address state = put(nullptr, sizeof(*out.state));
  out.state = reinterpret_cast<cambium_abi_device_state_t *>(state);
  layout.state = static_cast<int64_t>(state - address);
  Address times = put(nullptr, timesBytes());
  out.times = reinterpret_cast<cambium_abi_stage_time_t *>(times);
  layout.times = static_cast<int64_t>(times - address);
  layout.uploadEnd = used;
  placeOutputs(true, outputs);
  layout.downloadEnd = used;
  placeOutputs(false, outputs);
  layout.end = used;
  if (memory)
    std::memcpy(at(self), &out, sizeof(out));
  return layout;
}

Layout Staging::measure() {
  memory = nullptr;
  address = 0;
  return place({});
}

void Staging::fill(char *newMemory, Address newAddress,
                   const DeviceArrays &arrays) {
  memory = newMemory;
  address = newAddress;
  place(arrays);
}

void Staging::takeOutputs(const char *from) const {
  auto *table = reinterpret_cast<const cambium_abi_device_call_t *>(from);
  auto *places = reinterpret_cast<const Address *>(
      at(reinterpret_cast<Address>(table->call.outputs)));
  for (int64_t i = 0; i < call.info->num_outputs; ++i)
    if (int64_t bytes = outputBytes(i); call.call.outputs[i] && bytes > 0)
      std::memcpy(call.call.outputs[i], at(places[i]),
                  static_cast<size_t>(bytes));
}
