//===-- runtime/cuda/Device.cpp - A GPU that is open ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace cambium::cuda;
using namespace cambium::runtime;

cambium_status_t BackendDevice::fail(cambium_status_t status,
                                     const char *format, ...) const {
  char message[2048];
  va_list list;
  va_start(list, format);
  std::vsnprintf(message, sizeof(message), format, list);
  va_end(list);
  return host.fail(status, "%s", message);
}

cambium_status_t BackendDevice::check(Result result,
                                      const char *function) const {
  if (result == kSuccess)
    return CAMBIUM_STATUS_OK;
  char reason[256];
  driver->describe(result, reason, sizeof(reason));
  return fail(result == kOutOfMemory ? CAMBIUM_STATUS_OUT_OF_MEMORY
                                     : CAMBIUM_STATUS_DEVICE_ERROR,
              "%s: %s", function, reason);
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

cambium_status_t BackendDevice::find(int32_t index) {
  int count = 0;
  CAMBIUM_CUDA(*this, cuDeviceGetCount, &count);
  if (index >= count)
    return fail(CAMBIUM_STATUS_NO_DEVICE,
                "expected a GPU with a number below %d, but got %d", count,
                index);
  CAMBIUM_CUDA(*this, cuDeviceGet, &number, index);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t BackendDevice::readAttributes() {
  int major = 0, minor = 0, isCooperative = 0;
  const std::pair<int *, int> wanted[] = {
      {&major, kCapabilityMajor},           {&minor, kCapabilityMinor},
      {&isCooperative, kCooperativeLaunch}, {&numProcessors, kNumProcessors},
      {&maxThreads, kMaxThreadsPerBlock},   {&maxSharedBytes, kMaxSharedBytes}};
  for (const auto &[value, attribute] : wanted)
    CAMBIUM_CUDA(*this, cuDeviceGetAttribute, value, attribute, number);
  architecture = 10 * major + minor;
  char name[200] = "";
  size_t bytes = 0;
  int version = 0;
  CAMBIUM_CUDA(*this, cuDeviceGetName, name, sizeof(name), number);
  CAMBIUM_CUDA(*this, cuDeviceTotalMem_v2, &bytes, number);
  CAMBIUM_CUDA(*this, cuDriverGetVersion, &version);
  constexpr double gib = 1 << 30;
  std::snprintf(text, sizeof(text),
                "%s, sm_%d, %d multiprocessors, %.1f GiB, CUDA %d.%d", name,
                architecture, numProcessors, static_cast<double>(bytes) / gib,
                version / 1000, version % 1000 / 10);
  if (!isCooperative)
    return fail(CAMBIUM_STATUS_NO_DEVICE,
                "expected a GPU that starts all blocks of a kernel together, "
                "but got %s",
                text);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t BackendDevice::open(int32_t index) {
  CAMBIUM_TRY(openDriver(host, driver));
  CAMBIUM_TRY(find(index));
  CAMBIUM_TRY(readAttributes());
  CAMBIUM_CUDA(*this, cuDevicePrimaryCtxRetain, &context, number);
  CAMBIUM_TRY(enter());
  CAMBIUM_CUDA(*this, cuStreamCreate, &stream, kNonBlocking);
  host.log(CAMBIUM_LOG_INFO, "opened %s", text);
  return CAMBIUM_STATUS_OK;
}

BackendDevice::~BackendDevice() {
  if (!context)
    return;
  // What fails here cannot be told to anybody.
  driver->cuCtxSetCurrent(context);
  if (stream)
    driver->cuStreamDestroy_v2(stream);
  driver->cuDevicePrimaryCtxRelease_v2(number);
}

cambium_status_t BackendDevice::enter() const {
  CAMBIUM_CUDA(*this, cuCtxSetCurrent, context);
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

cambium_status_t BackendDevice::upload(Address to, const void *from,
                                       int64_t bytes) const {
  if (bytes > 0)
    CAMBIUM_CUDA(*this, cuMemcpyHtoDAsync_v2, to, from,
                 static_cast<size_t>(bytes), stream);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t BackendDevice::download(void *to, Address from,
                                         int64_t bytes) const {
  if (bytes > 0)
    CAMBIUM_CUDA(*this, cuMemcpyDtoHAsync_v2, to, from,
                 static_cast<size_t>(bytes), stream);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t BackendDevice::zero(Address to, int64_t bytes) const {
  if (bytes > 0)
    CAMBIUM_CUDA(*this, cuMemsetD8Async, to, 0, static_cast<size_t>(bytes),
                 stream);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t BackendDevice::finish() const {
  CAMBIUM_CUDA(*this, cuStreamSynchronize, stream);
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

cambium_status_t Memory::reserve(int64_t wanted, const char *what) {
  // The driver refuses 0 bytes.
  wanted = std::max<int64_t>(wanted, 1);
  if (wanted <= bytes)
    return CAMBIUM_STATUS_OK;
  // First, so that both need not be there at once.
  free();
  auto size = static_cast<size_t>(wanted);
  void *memory = nullptr;
  cambium_status_t status =
      isPinned ? device.check(
                     device.driver->cuMemHostAlloc(&memory, size, kPortable),
                     "cuMemHostAlloc")
               : device.check(device.driver->cuMemAlloc_v2(&place, size),
                              "cuMemAlloc_v2");
  if (!status) {
    bytes = wanted;
    if (isPinned)
      place = reinterpret_cast<Address>(memory);
    return CAMBIUM_STATUS_OK;
  }
  place = 0;
  if (status != CAMBIUM_STATUS_OUT_OF_MEMORY)
    return status;
  size_t available = 0, total = 0;
  device.driver->cuMemGetInfo_v2(&available, &total);
  return device.fail(status,
                     "%s: expected %lld bytes of %s memory, but got none (%zu "
                     "of %zu bytes of the GPU are free)",
                     what, static_cast<long long>(wanted),
                     isPinned ? "pinned" : "device", available, total);
}

void Memory::free() {
  if (!place)
    return;
  if (isPinned)
    device.driver->cuMemFreeHost(data());
  else
    device.driver->cuMemFree_v2(place);
  place = 0;
  bytes = 0;
}
