//===-- runtime/core/Device.cpp - Opening devices -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <cstdio>
#include <dlfcn.h>

using namespace cambium::runtime;

static std::atomic<const Backend *> registered{nullptr};
static const BackendHost kHost = {fail, log, numRowsOf};

/// Opens the library of devices in the folder of this one. Library search paths
/// are not used.
static cambium_status_t openLibrary() {
  Dl_info here = {};
  char path[4096] = "";
  dladdr(&kHost, &here);
  const char *name = here.dli_fname ? here.dli_fname : "";
  const char *slash = std::strrchr(name, '/');
  std::snprintf(path, sizeof(path), "%.*s/%s",
                slash ? static_cast<int>(slash - name) : 1, slash ? name : ".",
                kBackendLibrary);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *query = library ? dlsym(library, kBackendSymbol) : nullptr;
  if (!query)
    return fail(CAMBIUM_STATUS_NO_DEVICE,
                "cannot open the library of devices: %s", dlerror());
  using Query = const struct cambium_backend *(*)();
  return cambium_device_register(reinterpret_cast<Query>(query)());
}

/// Reads "gpu" or "gpu:N".
static bool readName(const char *name, int32_t &index) {
  index = 0;
  if (std::strncmp(name, "gpu", 3) != 0)
    return false;
  if (!name[3])
    return true;
  char *end = nullptr;
  bool isNumber = name[3] == ':' && name[4] >= '0' && name[4] <= '9';
  unsigned long number = isNumber ? std::strtoul(name + 4, &end, 10) : 0;
  index = static_cast<int32_t>(number);
  return isNumber && !*end && number < 65536;
}

static cambium_status_t openDevice(const char *name, cambium_device *&out) {
  int32_t index = 0;
  if (!readName(name, index))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected a device 'gpu' or 'gpu:N', but got '%s'", name);
  if (!registered)
    CAMBIUM_TRY(openLibrary());
  const Backend *backend = registered;
  if (backend->version != kBackendVersion)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "the library of devices is of another release: expected "
                "version %u, but got %u",
                kBackendVersion, backend->version);
  auto *device = new (std::nothrow) cambium_device();
  if (!device)
    return failOutOfMemory("a device");
  device->backend = backend;
  cambium_status_t status = backend->open(&kHost, index, &device->handle);
  if (status)
    delete device;
  else
    out = device;
  return status;
}

cambium_status_t cambium_device_open(const char *name,
                                     cambium_device_t **out_device) {
  CAMBIUM_CHECK_ARGUMENT(out_device);
  *out_device = nullptr;
  CAMBIUM_CHECK_ARGUMENT(name);
  return openDevice(name, *out_device);
}

void cambium_device_close(cambium_device_t *device) {
  if (device)
    release(*device);
}

const char *cambium_device_describe(const cambium_device_t *device) {
  return device ? device->backend->describe(device->handle) : "";
}

cambium_status_t
cambium_device_register(const struct cambium_backend *backend) {
  CAMBIUM_CHECK_ARGUMENT(backend);
  registered = reinterpret_cast<const Backend *>(backend);
  return CAMBIUM_STATUS_OK;
}

void cambium::runtime::retain(cambium_device &device) {
  device.references.fetch_add(1, std::memory_order_relaxed);
}

void cambium::runtime::release(cambium_device &device) {
  if (device.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  device.backend->close(device.handle);
  delete &device;
}

cambium_status_t
cambium_session_create_on(cambium_device_t *device,
                          const cambium_session_options_t *options,
                          cambium_session_t **out_session) {
  CAMBIUM_CHECK_ARGUMENT(out_session);
  *out_session = nullptr;
  CAMBIUM_CHECK_ARGUMENT(device);
  cambium_session_options_t chosen = {};
  if (options)
    chosen = *options;
  chosen.num_threads = 1;
  chosen.parallel_for = nullptr;
  cambium_session *session = nullptr;
  CAMBIUM_TRY(cambium_session_create(&chosen, &session));
  cambium_status_t status = device->backend->begin(
      device->handle, chosen.memory_limit, &session->onDevice);
  if (status) {
    delete session;
    return status;
  }
  retain(*device);
  session->device = device;
  *out_session = session;
  return CAMBIUM_STATUS_OK;
}
