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
  return status;
}
