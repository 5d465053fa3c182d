//===-- runtime/cuda/Device.h - A GPU that is open ------------ -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_DEVICE_H
#define CAMBIUM_RUNTIME_CUDA_DEVICE_H

#include "../core/Support.h"
#include "Driver.h"

struct cambium::runtime::BackendDevice {
  explicit BackendDevice(const BackendHost &host) : host(host) {}
  BackendDevice(const BackendDevice &) = delete;
  BackendDevice &operator=(const BackendDevice &) = delete;
  ~BackendDevice();

  cambium_status_t open(int32_t index);

  /// Makes the context that of the calling thread.
  cambium_status_t enter() const;
  /// Records an error (printf).
  cambium_status_t fail(cambium_status_t status, const char *format, ...) const
      __attribute__((format(printf, 3, 4)));
  /// The status of a result of a driver function; a failure is recorded with
  /// the function's name.
  cambium_status_t check(cuda::Result result, const char *function) const;
  /// Copies, on the device's stream.
  cambium_status_t upload(cuda::Address to, const void *from,
                          int64_t bytes) const;
  cambium_status_t download(void *to, cuda::Address from, int64_t bytes) const;
  cambium_status_t zero(cuda::Address to, int64_t bytes) const;
  /// Waits for the device's stream.
  cambium_status_t finish() const;

  const BackendHost &host;
  const cuda::Driver *driver = nullptr;
  cuda::DeviceNumber number = -1;
  cuda::Context context = nullptr;
  /// Of what sessions do not do themselves: the transfer of stores.
  cuda::Stream stream = nullptr;
  int architecture = 0; // 90 of sm_90
  int numProcessors = 0;
  int maxThreads = 0, maxSharedBytes = 0; // of a block
  char text[320] = "";

private:
  cambium_status_t find(int32_t index);
  cambium_status_t readAttributes();
};

namespace cambium::cuda {

using runtime::BackendDevice;

/// Calls a driver function; returns from the function when it fails.
#define CAMBIUM_CUDA(device, function, ...)                                    \
  CAMBIUM_TRY((device).check((device).driver->function(__VA_ARGS__), #function))

/// Memory of a device, or pinned memory of the host. Keeps its device only by
/// reference.
class Memory {
public:
  explicit Memory(const BackendDevice &device, bool isPinned = false)
      : device(device), isPinned(isPinned) {}
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { free(); }

  /// At least `bytes`; what was there is lost if that is more than before. An
  /// error says what it was for.
  cambium_status_t reserve(int64_t bytes, const char *what);
  void free();

  Address address() const { return place; }
  char *data() const { return reinterpret_cast<char *>(place); }
  int64_t size() const { return bytes; }

private:
  const BackendDevice &device;
  bool isPinned;
  Address place = 0;
  int64_t bytes = 0;
};

} // namespace cambium::cuda

#endif // CAMBIUM_RUNTIME_CUDA_DEVICE_H
