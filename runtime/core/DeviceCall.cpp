//===-- runtime/core/DeviceCall.cpp - Running entries on devices ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Device.h"

using namespace cambium::runtime;

cambium_status_t cambium::runtime::runOnDevice(cambium_session &session,
                                               const CallArguments &arguments,
                                               const cambium_abi_call_t &call) {
  const cambium_entry &entry = *arguments.entry;
  DeviceCopies &copies = arguments.store->copies;
  BackendModel *model = nullptr;
  CAMBIUM_TRY(copies.push(*session.device, model));
  if (!entry.device)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "entry '%s' has no code for devices", entry.info.name);
  BackendCall described = {entry.device,        &entry.info,
                           entry.inputs.data(), entry.outputs.data(),
                           arguments.batch,     call};
  cambium_status_t status =
      session.device->backend->call(session.onDevice, model, &described);
  if (status)
    prefixError("entry '%s': ", entry.info.name);
  if (entry.info.kind != CAMBIUM_ENTRY_FUNCTION)
    copies.changed(model);
  session.hasStages = !status;
  return status;
}

int64_t cambium_session_stages(const cambium_session_t *session,
                               cambium_stage_time_t *out_stages,
                               int64_t capacity) {
  if (!session || !session->hasStages)
    return 0;
  int64_t count = 0;
  const BackendStage *stages =
      session->device->backend->stages(session->onDevice, &count);
  for (int64_t i = 0; out_stages && i < count && i < capacity; ++i) {
    const cambium_abi_stage_time_t &time = stages[i].time;
    out_stages[i] = {stages[i].text, time.count,
                     1e-9 * static_cast<double>(time.nanoseconds),
                     1e-9 * static_cast<double>(time.waited)};
  }
  return count;
}
