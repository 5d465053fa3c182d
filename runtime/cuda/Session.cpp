//===-- runtime/cuda/Session.cpp - Calls on a device ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Session.h"

#include <algorithm>

using namespace cambium::cuda;
using namespace cambium::runtime;

cambium_status_t BackendSession::open() {
  CAMBIUM_TRY(device.enter());
  CAMBIUM_CUDA(device, cuStreamCreate, &stream, kNonBlocking);
  return CAMBIUM_STATUS_OK;
}

BackendSession::~BackendSession() {
  // Memory goes back without an error, whether this works or not.
  device.driver->cuCtxSetCurrent(device.context);
  if (stream)
    device.driver->cuStreamDestroy_v2(stream);
}

void BackendSession::trim() {
  device.driver->cuCtxSetCurrent(device.context);
  block.free();
  pinned.free();
  workspace.free();
}

/// The forests of the batch and, behind them, the chains that the entry needs.
cambium_status_t BackendSession::placeForests(BackendCall &call) {
  const cambium_abi_device_entry_t &entry = *call.entry;
  forests.clear();
  if (call.call.forests)
    forests.assign(call.call.forests, call.call.forests + call.info->num_trees);
  for (int64_t i = 0; i < entry.num_chains; ++i) {
    const cambium_abi_chain_t &chain = entry.chains[i];
    const cambium_abi_forest_t *forest = call.call.services->sequence(
        &call.call, &call.call.spaces[chain.space], chain.kind);
    if (!forest)
      return CAMBIUM_STATUS_FAILED;
    forests.push_back(forest);
  }
  call.call.forests = forests.data();
  return CAMBIUM_STATUS_OK;
}

/// Memory of the call: what goes up and down, and the workspace.
cambium_status_t BackendSession::reserve(const BackendCall &call,
                                         const Layout &layout,
                                         int64_t &outWorkspace) {
  cambium_abi_call_t counts = call.call;
  counts.services = nullptr;
  counts.host = nullptr;
  counts.outputs = nullptr;
  int64_t bytes = call.entry->workspace ? call.entry->workspace(&counts) : 0;
  int64_t total = 0;
  if (bytes < 0 || __builtin_add_overflow(bytes, layout.end, &total))
    return device.fail(CAMBIUM_STATUS_OUT_OF_MEMORY,
                       "the workspace is larger than any memory");
  if (limit > 0 && total > limit)
    return device.fail(CAMBIUM_STATUS_OUT_OF_MEMORY,
                       "the call needs %lld bytes of the device, %lld of them "
                       "as workspace, but the limit is %lld",
                       static_cast<long long>(total),
                       static_cast<long long>(bytes),
                       static_cast<long long>(limit));
  // What another call has left must not count against this one.
  if (limit > 0 &&
      std::max(block.size(), layout.end) + std::max(workspace.size(), bytes) >
          limit)
    trim();
  CAMBIUM_TRY(block.reserve(layout.end, "inputs and outputs"));
  CAMBIUM_TRY(pinned.reserve(layout.downloadEnd, "inputs and outputs"));
  if (bytes > 0)
    CAMBIUM_TRY(workspace.reserve(bytes, "the workspace"));
  peak = std::max(peak, total);
  outWorkspace = bytes;
  return CAMBIUM_STATUS_OK;
}

/// One upload, the kernels, one download.
cambium_status_t BackendSession::launch(const BackendCall &call,
                                        const std::vector<Kernel> &kernels,
                                        const Layout &layout) {
  CAMBIUM_CUDA(device, cuMemcpyHtoDAsync_v2, block.address(), pinned.data(),
               static_cast<size_t>(layout.uploadEnd), stream);
  Address argument = block.address();
  void *arguments[] = {&argument};
  for (size_t i = 0; i < kernels.size(); ++i) {
    const cambium_abi_launch_t &launch = call.entry->launches[i];
    CAMBIUM_CUDA(device, cuLaunchCooperativeKernel, kernels[i].function,
                 kernels[i].blocks, 1, 1, static_cast<unsigned>(launch.threads),
                 1, 1, static_cast<unsigned>(launch.shared_bytes), stream,
                 arguments);
  }
  CAMBIUM_CUDA(device, cuMemcpyDtoHAsync_v2, pinned.data() + layout.state,
               block.address() + static_cast<Address>(layout.state),
               static_cast<size_t>(layout.downloadEnd - layout.state), stream);
  CAMBIUM_CUDA(device, cuStreamSynchronize, stream);
  return CAMBIUM_STATUS_OK;
}

/// What the kernels say of how it went.
cambium_status_t BackendSession::readState(const BackendCall &call,
                                           const Layout &layout) const {
  const auto &state = *reinterpret_cast<const cambium_abi_device_state_t *>(
      pinned.data() + layout.state);
  if (state.code == 0)
    return CAMBIUM_STATUS_OK;
  if (state.code < 0 || state.code > call.entry->num_messages)
    return device.fail(CAMBIUM_STATUS_FAILED, "failed with code %d",
                       state.code);
  const cambium_abi_message_t &message = call.entry->messages[state.code - 1];
  bool isKnown = message.status > CAMBIUM_STATUS_OK &&
                 message.status <= CAMBIUM_STATUS_DEVICE_ERROR;
  auto status = isKnown ? static_cast<cambium_status_t>(message.status)
                        : CAMBIUM_STATUS_FAILED;
  if (!state.has_row)
    return device.fail(status, "%s", message.text);
  return device.fail(status, "%s: row %lld", message.text,
                     static_cast<long long>(state.row));
}

void BackendSession::readTimes(const BackendCall &call, const Layout &layout) {
  const auto *times = reinterpret_cast<const cambium_abi_stage_time_t *>(
      pinned.data() + layout.times);
  for (int64_t i = 0; i < call.entry->num_stages; ++i)
    stages.push_back({call.entry->stages[i], times[i]});
}

cambium_status_t BackendSession::run(BackendModel &model, BackendCall &call) {
  stages.clear();
  CAMBIUM_TRY(device.enter());
  const std::vector<Kernel> *kernels = nullptr;
  CAMBIUM_TRY(model.code.find(*call.entry, kernels));
  CAMBIUM_TRY(placeForests(call));
  Staging staging(device.host, call, forests.data(),
                  static_cast<int64_t>(forests.size()));
  Layout layout = staging.measure();
  DeviceArrays arrays;
  CAMBIUM_TRY(reserve(call, layout, arrays.workspaceBytes));
  arrays.params = model.table.address();
  arrays.workspace = workspace.address();
  staging.fill(pinned.data(), block.address(), arrays);
  if (cambium_status_t status = launch(call, *kernels, layout)) {
    // Nothing of this call may touch the memory of the next one.
    device.driver->cuStreamSynchronize(stream);
    return status;
  }
  CAMBIUM_TRY(readState(call, layout));
  readTimes(call, layout);
  staging.takeOutputs(pinned.data());
  return CAMBIUM_STATUS_OK;
}
