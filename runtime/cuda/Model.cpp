//===-- runtime/cuda/Model.cpp - A store on a device ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Model.h"

#include <string>

using namespace cambium::cuda;
using namespace cambium::runtime;

static_assert(sizeof(Address) == sizeof(void *), "pointers of 64 bits");

static int64_t sizeOf(cambium_type_t type) {
  switch (type) {
  case CAMBIUM_TYPE_F64:
  case CAMBIUM_TYPE_I64:
    return 8;
  case CAMBIUM_TYPE_I8:
  case CAMBIUM_TYPE_I1:
    return 1;
  default:
    return 4;
  }
}

/// The arrays of a parameter on the host, in our order.
static std::array<void *, BackendModel::kNumArrays>
arraysOf(const cambium_abi_param_t &param) {
  return {param.value,    param.gradient, param.state[0],
          param.state[1], param.touched,  param.is_touched};
}

int64_t BackendModel::Parameter::bytesOf(size_t array) const {
  int64_t rows = info->row_sparse ? info->shape[0] : 0;
  if (array == Touched)
    return rows * int64_t{sizeof(int32_t)};
  if (array == IsTouched)
    return rows;
  bool isState = array == State0 || array == State1;
  int64_t elements =
      isState ? state->slots[array - State0].numElements : info->num_elements;
  return elements * sizeOf(info->type);
}

BackendModel::BackendModel(const BackendDevice &device,
                           const cambium_abi_device_module_t &module,
                           const cambium_parameter_info_t *infos,
                           const StateShape *states, int64_t count)
    : device(device), code(device, module),
      parameters(static_cast<size_t>(count)), table(device),
      entries(static_cast<size_t>(count)) {
  for (size_t i = 0; i < parameters.size(); ++i)
    parameters[i].info = &infos[i], parameters[i].state = &states[i];
  fresh.reserve(parameters.size() * kNumArrays);
}

Address BackendModel::numTouched(size_t index) const {
  return table.address() + index * sizeof(cambium_abi_param_t) +
         offsetof(cambium_abi_param_t, num_touched);
}

//===----------------------------------------------------------------------===//
// To the device
//===----------------------------------------------------------------------===//

cambium_status_t BackendModel::pushParameter(size_t index,
                                             const cambium_abi_param_t &from,
                                             bool all) {
  Parameter &parameter = parameters[index];
  std::array<void *, kNumArrays> host = arraysOf(from);
  bool isNew = all;
  for (size_t i = 0; i < kNumArrays; ++i) {
    if (!host[i] || (parameter.has(i) && !all))
      continue;
    int64_t bytes = parameter.bytesOf(i);
    if (!parameter.has(i)) {
      auto memory = std::make_unique<Memory>(device);
      std::string name =
          "parameter '" + std::string(parameter.info->name) + "'";
      CAMBIUM_TRY(memory->reserve(bytes, name.c_str()));
      parameter.arrays[i] = std::move(memory);
      fresh.push_back(&parameter.arrays[i]);
      isNew = true;
    }
    CAMBIUM_TRY(device.upload(parameter.address(i), host[i], bytes));
  }
  if (!isNew)
    return CAMBIUM_STATUS_OK;
  cambium_abi_param_t &entry = entries[index];
  auto pointer = [&](size_t array) {
    return reinterpret_cast<void *>(parameter.address(array));
  };
  entry = {pointer(Value),
           pointer(Gradient),
           {pointer(State0), pointer(State1)},
           static_cast<int32_t *>(pointer(Touched)),
           static_cast<uint8_t *>(pointer(IsTouched)),
           from.num_touched,
           /*panels=*/nullptr};
  return device.upload(table.address() + index * sizeof(entry), &entry,
                       sizeof(entry));
}

cambium_status_t BackendModel::pushMissing(const cambium_abi_param_t *params,
                                           bool all) {
  CAMBIUM_TRY(
      table.reserve(static_cast<int64_t>(entries.size() * sizeof(entries[0])),
                    "the table of parameters"));
  for (size_t i = 0; i < parameters.size(); ++i)
    CAMBIUM_TRY(pushParameter(i, params[i], all));
  return all || !fresh.empty() ? device.finish() : CAMBIUM_STATUS_OK;
}

cambium_status_t BackendModel::push(const cambium_abi_param_t *params,
                                    bool all) {
  cambium_status_t status = pushMissing(params, all);
  if (status) {
    // Nothing of the host is read any more, and what was not filled is made
    // again by the next push.
    device.driver->cuStreamSynchronize(device.stream);
    for (std::unique_ptr<Memory> *memory : fresh)
      memory->reset();
  }
  fresh.clear();
  return status;
}

cambium_status_t BackendModel::clear() {
  for (size_t i = 0; i < parameters.size(); ++i) {
    Parameter &parameter = parameters[i];
    for (size_t array : {Gradient, IsTouched})
      if (parameter.has(array))
        CAMBIUM_TRY(
            device.zero(parameter.address(array), parameter.bytesOf(array)));
    if (parameter.has(IsTouched))
      CAMBIUM_TRY(device.zero(numTouched(i), sizeof(int64_t)));
  }
  return device.finish();
}

//===----------------------------------------------------------------------===//
// Back
//===----------------------------------------------------------------------===//

cambium_status_t BackendModel::pull(cambium_abi_param_t *params) {
  std::vector<cambium_abi_param_t> now(entries.size());
  auto load = [&]() -> cambium_status_t {
    CAMBIUM_TRY(
        device.download(now.data(), table.address(),
                        static_cast<int64_t>(now.size() * sizeof(now[0]))));
    for (size_t i = 0; i < parameters.size(); ++i) {
      // Nothing changes the others.
      if (!parameters[i].info->trainable)
        continue;
      std::array<void *, kNumArrays> host = arraysOf(params[i]);
      for (size_t array = 0; array < kNumArrays; ++array)
        if (host[array] && parameters[i].has(array))
          CAMBIUM_TRY(device.download(host[array], parameters[i].address(array),
                                      parameters[i].bytesOf(array)));
    }
    return device.finish();
  };
  cambium_status_t status = load();
  if (status) {
    device.driver->cuStreamSynchronize(device.stream);
    return status;
  }
  for (size_t i = 0; i < now.size(); ++i)
    params[i].num_touched = now[i].num_touched;
  return CAMBIUM_STATUS_OK;
}
