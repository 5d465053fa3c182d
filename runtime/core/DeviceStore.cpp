//===-- runtime/core/DeviceStore.cpp - Parameters on devices --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"
#include "Store.h"

using namespace cambium::runtime;

DeviceCopies::~DeviceCopies() {
  while (Copy *copy = copies) {
    copies = copy->next;
    copy->device->backend->unload(copy->model);
    release(*copy->device);
    delete copy;
  }
}

/// The copy on a device, made where there is none.
cambium_status_t DeviceCopies::find(cambium_device &device,
                                    Copy *&out) noexcept {
  for (out = copies; out; out = out->next)
    if (out->device == &device)
      return CAMBIUM_STATUS_OK;
  const cambium_module &module = *store.module;
  if (!module.device)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "module '%s' has no code for devices of version %u: compile "
                "the model with --gpu-arch",
                module.name.c_str(), CAMBIUM_DEVICE_ABI_VERSION);
  auto *copy = new (std::nothrow) Copy{copies, &device, nullptr};
  if (!copy)
    return failOutOfMemory("a device");
  const std::vector<cambium_parameter_info_t> &parameters =
      module.manifest.parameters;
  cambium_status_t status = device.backend->load(
      device.handle, module.device, parameters.data(),
      module.manifest.states.data(), static_cast<int64_t>(parameters.size()),
      &copy->model);
  if (status) {
    delete copy;
    return status;
  }
  retain(device);
  out = copies = copy;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t DeviceCopies::finishClear(Copy &copy) {
  if (copy.hasToClear)
    CAMBIUM_TRY(copy.device->backend->clear(copy.model));
  copy.hasToClear = false;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t DeviceCopies::pullLocked() {
  if (!newest)
    return CAMBIUM_STATUS_OK;
  CAMBIUM_TRY(finishClear(*newest));
  CAMBIUM_TRY(
      newest->device->backend->pull(newest->model, store.parameters.data()));
  store.panels.changed();
  newest = nullptr;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t DeviceCopies::pull() {
  std::lock_guard<std::mutex> lock(mutex);
  return pullLocked();
}

cambium_status_t DeviceCopies::push(cambium_device &device,
                                    BackendModel *&out) {
  CAMBIUM_TRY(store.expectAllValues("a device"));
  std::lock_guard<std::mutex> lock(mutex);
  Copy *copy = nullptr;
  CAMBIUM_TRY(find(device, copy));
  if (!copy->isCurrent)
    CAMBIUM_TRY(pullLocked());
  CAMBIUM_TRY(finishClear(*copy));
  CAMBIUM_TRY(device.backend->push(copy->model, store.parameters.data(),
                                   !copy->isCurrent));
  copy->isCurrent = true;
  out = copy->model;
  return CAMBIUM_STATUS_OK;
}

void DeviceCopies::changed(const BackendModel *where) {
  std::lock_guard<std::mutex> lock(mutex);
  newest = nullptr;
  for (Copy *copy = copies; copy; copy = copy->next) {
    copy->isCurrent = copy->model == where;
    copy->hasToClear &= copy->isCurrent;
    if (copy->isCurrent)
      newest = copy;
  }
}

bool DeviceCopies::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  for (Copy *copy = copies; copy; copy = copy->next)
    copy->hasToClear |= copy->isCurrent;
  return !newest;
}

cambium_status_t cambium_store_pull(cambium_store_t *store) {
  CAMBIUM_CHECK_ARGUMENT(store);
  return store->copies.pull();
}

cambium_status_t cambium_store_push(cambium_store_t *store,
                                    cambium_device_t *device) {
  CAMBIUM_CHECK_ARGUMENT(store);
  store->copies.changed();
  store->panels.changed();
  if (!device)
    return CAMBIUM_STATUS_OK;
  BackendModel *model;
  return store->copies.push(*device, model);
}
