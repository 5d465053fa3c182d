//===-- runtime/cuda/Backend.cpp - The table of functions -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Session.h"
#include "cambium/cuda.h"

#include <memory>
#include <stdexcept>

using namespace cambium::runtime;

/// Runs what may throw for lack of memory, which becomes a status.
template <typename Body>
static cambium_status_t guardedOn(const BackendHost &host,
                                  Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return host.fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "out of memory for a device");
}

static cambium_status_t openDevice(const BackendHost *host, int32_t index,
                                   BackendDevice **out) noexcept {
  return guardedOn(*host, [&]() -> cambium_status_t {
    auto device = std::make_unique<BackendDevice>(*host);
    CAMBIUM_TRY(device->open(index));
    *out = device.release();
    return CAMBIUM_STATUS_OK;
  });
}

static void closeDevice(BackendDevice *device) noexcept { delete device; }

static const char *describe(const BackendDevice *device) noexcept {
  return device->text;
}

static cambium_status_t load(BackendDevice *device,
                             const cambium_abi_device_module_t *module,
                             const cambium_parameter_info_t *parameters,
                             const StateShape *states, int64_t count,
                             BackendModel **out) noexcept {
  return guardedOn(device->host, [&]() -> cambium_status_t {
    CAMBIUM_TRY(device->enter());
    auto model = std::make_unique<BackendModel>(*device, *module, parameters,
                                                states, count);
    CAMBIUM_TRY(model->code.load());
    *out = model.release();
    return CAMBIUM_STATUS_OK;
  });
}

static void unload(BackendModel *model) noexcept {
  model->device.driver->cuCtxSetCurrent(model->device.context);
  delete model;
}

/// A function of a model, with the context of its device.
template <typename Body>
static cambium_status_t onModel(BackendModel *model, Body &&body) noexcept {
  return guardedOn(model->device.host, [&]() -> cambium_status_t {
    CAMBIUM_TRY(model->device.enter());
    return body();
  });
}

static cambium_status_t push(BackendModel *model,
                             const cambium_abi_param_t *params,
                             bool all) noexcept {
  return onModel(model, [&] { return model->push(params, all); });
}

static cambium_status_t pull(BackendModel *model,
                             cambium_abi_param_t *params) noexcept {
  return onModel(model, [&] { return model->pull(params); });
}

static cambium_status_t clear(BackendModel *model) noexcept {
  return onModel(model, [&] { return model->clear(); });
}

static cambium_status_t begin(BackendDevice *device, int64_t memoryLimit,
                              BackendSession **out) noexcept {
  return guardedOn(device->host, [&]() -> cambium_status_t {
    auto session = std::make_unique<BackendSession>(*device, memoryLimit);
    CAMBIUM_TRY(session->open());
    *out = session.release();
    return CAMBIUM_STATUS_OK;
  });
}

static void end(BackendSession *session) noexcept { delete session; }

static cambium_status_t call(BackendSession *session, BackendModel *model,
                             BackendCall *call) noexcept {
  return guardedOn(session->device.host,
                   [&] { return session->run(*model, *call); });
}

static int64_t held(const BackendSession *session) noexcept {
  return session->held();
}

static int64_t peak(const BackendSession *session) noexcept {
  return session->peak;
}

static void trim(BackendSession *session) noexcept { session->trim(); }

static const BackendStage *stages(const BackendSession *session,
                                  int64_t *outCount) noexcept {
  *outCount = static_cast<int64_t>(session->stages.size());
  return session->stages.data();
}

__attribute__((visibility("default"))) const struct cambium_backend *
cambium_cuda_backend(void) {
  static const Backend backend = {kBackendVersion,
                                  openDevice,
                                  closeDevice,
                                  describe,
                                  load,
                                  unload,
                                  push,
                                  pull,
                                  clear,
                                  begin,
                                  end,
                                  call,
                                  held,
                                  peak,
                                  trim,
                                  stages};
  return reinterpret_cast<const struct cambium_backend *>(&backend);
}
