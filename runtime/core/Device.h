//===-- runtime/core/Device.h - Devices and what is on them -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_DEVICE_H
#define CAMBIUM_RUNTIME_CORE_DEVICE_H

#include "Backend.h"
#include "Support.h"

#include <atomic>
#include <mutex>

struct cambium_device {
  std::atomic<int64_t> references{1};
  const cambium::runtime::Backend *backend = nullptr;
  cambium::runtime::BackendDevice *handle = nullptr;
};

namespace cambium::runtime {

struct CallArguments;

/// Sessions and stores hold references to their devices.
void retain(cambium_device &device);
void release(cambium_device &device);

/// The arrays of a store on devices, and where the newest ones are. A store
/// whose arrays were never on a device costs nothing.
class DeviceCopies {
public:
  explicit DeviceCopies(cambium_store &store) : store(store) {}
  DeviceCopies(const DeviceCopies &) = delete;
  DeviceCopies &operator=(const DeviceCopies &) = delete;
  ~DeviceCopies();

  /// Brings the host arrays up to date.
  cambium_status_t pull();
  /// Brings the arrays of a device up to date.
  cambium_status_t push(cambium_device &device, BackendModel *&out);
  /// The host arrays are the newest now; or those of a model.
  void changed(const BackendModel *where = nullptr);
  /// Has the gradients cleared wherever they are the newest. Whether the host
  /// is such a place, which is then up to the caller.
  bool clear();

private:
  struct Copy {
    Copy *next;
    cambium_device *device;
    BackendModel *model;
    bool isCurrent = false;
    /// Gradients are to be cleared before the next use.
    bool hasToClear = false;
  };

  cambium_status_t find(cambium_device &device, Copy *&out) noexcept;
  cambium_status_t finishClear(Copy &copy);
  cambium_status_t pullLocked();

  cambium_store &store;
  std::mutex mutex;
  Copy *copies = nullptr;
  /// Null: the host.
  Copy *newest = nullptr;
};

/// Runs an entry on the device of the session. `call` is what the entry of the
/// CPU would get, but for parameters.
cambium_status_t runOnDevice(cambium_session &session,
                             const CallArguments &arguments,
                             const cambium_abi_call_t &call);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_DEVICE_H
