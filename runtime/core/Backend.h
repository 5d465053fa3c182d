//===-- runtime/core/Backend.h - The library that runs devices --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The border between this library and the one that knows a kind of device
/// (`runtime/cuda`): plain structs and a table of functions. Both are of one
/// release: a table of another version is refused. Errors go through the host's
/// `fail`, so that `cambium_last_error` has their text.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_BACKEND_H
#define CAMBIUM_RUNTIME_CORE_BACKEND_H

#include "cambium/device.h"
#include "cambium/device_abi.h"

namespace cambium::runtime {

/// The shape of a slot of a parameter's optimizer state: the parameter's, or
/// that without one of the last two dimensions.
struct SlotShape {
  int32_t rank;
  const int64_t *shape;
  int64_t numElements;
};
struct StateShape {
  SlotShape slots[2];
};

/// What a backend knows of what it made itself.
struct BackendDevice;  // a device that is open
struct BackendModel;   // code and arrays of a store on a device
struct BackendSession; // a stream, workspace and staging memory

/// What the runtime offers to a backend.
struct BackendHost {
  /// Records the text of an error (printf) and returns the status.
  cambium_status_t (*fail)(cambium_status_t status, const char *format,
                           ...) noexcept;
  void (*log)(cambium_log_level_t level, const char *format, ...) noexcept;
  /// The rows of an input or output of a call with the batch, which is null for
  /// APPLY entries.
  int64_t (*numRows)(const cambium_batch_t *batch,
                     const cambium_tensor_info_t &tensor) noexcept;
};

/// One call of an entry.
struct BackendCall {
  const cambium_abi_device_entry_t *entry;
  const cambium_entry_info_t *info;
  const cambium_tensor_info_t *inputs, *outputs;
  const cambium_batch_t *batch;
  /// What the entry of the CPU would get, but for parameters and for outputs
  /// that are not wanted: these are null. A service that fails has recorded the
  /// error.
  cambium_abi_call_t call;
};

/// A stage that kernels measured: a text of the module, and its times.
struct BackendStage {
  const char *text;
  cambium_abi_stage_time_t time;
};

/// Status functions leave everything as it was when they fail, but for memory
/// that is kept for the next call.
struct Backend {
  uint32_t version;
  cambium_status_t (*open)(const BackendHost *host, int32_t index,
                           BackendDevice **out) noexcept;
  void (*close)(BackendDevice *device) noexcept;
  const char *(*describe)(const BackendDevice *device) noexcept;

  /// Code and arrays of a store, of `count` parameters. The module, the texts
  /// of `parameters` and `states` outlive the model. All functions of a model
  /// but `call`: one at a time, while no call runs.
  cambium_status_t (*load)(BackendDevice *device,
                           const cambium_abi_device_module_t *module,
                           const cambium_parameter_info_t *parameters,
                           const StateShape *states, int64_t count,
                           BackendModel **out) noexcept;
  void (*unload)(BackendModel *model) noexcept;
  /// Copies to the device the arrays that it lacks, or `all`. What is null on
  /// the host stays so.
  cambium_status_t (*push)(BackendModel *model,
                           const cambium_abi_param_t *params,
                           bool all) noexcept;
  /// Copies what is on the device back.
  cambium_status_t (*pull)(BackendModel *model,
                           cambium_abi_param_t *params) noexcept;
  /// Sets gradients to zero.
  cambium_status_t (*clear)(BackendModel *model) noexcept;

  cambium_status_t (*begin)(BackendDevice *device, int64_t memoryLimit,
                            BackendSession **out) noexcept;
  void (*end)(BackendSession *session) noexcept;
  cambium_status_t (*call)(BackendSession *session, BackendModel *model,
                           BackendCall *call) noexcept;
  /// Bytes of device memory that the session holds, and the most that a call
  /// used.
  int64_t (*held)(const BackendSession *session) noexcept;
  int64_t (*peak)(const BackendSession *session) noexcept;
  void (*trim)(BackendSession *session) noexcept;
  /// The stages of the last call, and how many there are.
  const BackendStage *(*stages)(const BackendSession *session,
                                int64_t *outCount) noexcept;
};

constexpr uint32_t kBackendVersion = 3;
/// What the library shows: a function without arguments that returns a constant
/// table.
constexpr const char *kBackendLibrary = "libcambium_cuda.so.1";
constexpr const char *kBackendSymbol = "cambium_cuda_backend";

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_BACKEND_H
