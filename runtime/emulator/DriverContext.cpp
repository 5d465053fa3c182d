//===-- runtime/emulator/DriverContext.cpp - Devices, contexts, streams ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <cstdlib>
#include <cstring>

using namespace cambium::emulator;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT CUresult cuInit(unsigned flags) {
  return enter("cuInit", Needs::Nothing, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (flags)
                   return CUDA_ERROR_INVALID_VALUE;
                 const char *text = std::getenv("CAMBIUM_EMULATOR");
                 if (!d.isInitialized && text && !d.configure(text))
                   return CUDA_ERROR_INVALID_VALUE;
                 if (!d.config.devices)
                   return CUDA_ERROR_NO_DEVICE;
                 d.isInitialized = true;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDriverGetVersion(int *version) {
  return enter("cuDriverGetVersion", Needs::Nothing, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!version)
                   return CUDA_ERROR_INVALID_VALUE;
                 *version = d.config.driver;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDeviceGetCount(int *count) {
  return enter("cuDeviceGetCount", Needs::Driver, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!count)
                   return CUDA_ERROR_INVALID_VALUE;
                 *count = d.config.devices;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return enter("cuDeviceGet", Needs::Driver, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!device)
                   return CUDA_ERROR_INVALID_VALUE;
                 if (ordinal < 0 || ordinal >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 *device = ordinal;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  return enter("cuDeviceGetName", Needs::Driver, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!name || length <= 0)
                   return CUDA_ERROR_INVALID_VALUE;
                 if (device < 0 || device >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 std::snprintf(name, static_cast<size_t>(length),
                               "Cambium emulator of sm_%d",
                               d.config.architecture);
                 return CUDA_SUCCESS;
               });
}

namespace {

int attributeOf(const Device &d, CUdevice_attribute attribute) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
    return 1024;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
    return 64;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    return INT32_MAX;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
    return 65535;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    return 48 << 10;
  case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
    return 64 << 10;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    return kLanes;
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    return 64 << 10;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
  case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
    return 1000000;
  case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
    return 5120;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
    return 50 << 20;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    return d.config.blocks;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    return 2048;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    return d.config.architecture / 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    return d.config.architecture % 10;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
    return d.maxSharedPerMultiprocessor();
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    return d.maxSharedPerBlock();
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
    return 32;
  case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    return 1;
  }
  return -1;
}

} // namespace

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                     CUdevice device) {
  return enter("cuDeviceGetAttribute", Needs::Driver, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (device < 0 || device >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 int found = attributeOf(d, attribute);
                 if (!value || found < 0)
                   return CUDA_ERROR_INVALID_VALUE;
                 *value = found;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return enter("cuDeviceTotalMem_v2", Needs::Driver, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!bytes)
                   return CUDA_ERROR_INVALID_VALUE;
                 if (device < 0 || device >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 *bytes = d.config.memory;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return enter("cuDevicePrimaryCtxRetain", Needs::Driver,
               CUDA_ERROR_OUT_OF_MEMORY, [&](Device &d) -> CUresult {
                 if (!context)
                   return CUDA_ERROR_INVALID_VALUE;
                 if (device < 0 || device >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 if (!d.heap)
                   d.heap = std::make_unique<Heap>(d.config.memory);
                 ++d.contexts[device].retained;
                 *context = &d.contexts[device];
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return enter("cuDevicePrimaryCtxRelease_v2", Needs::Driver,
               CUDA_ERROR_UNKNOWN, [&](Device &d) -> CUresult {
                 if (device < 0 || device >= d.config.devices)
                   return CUDA_ERROR_INVALID_DEVICE;
                 CUctx_st &context = d.contexts[device];
                 if (!context.retained)
                   return CUDA_ERROR_INVALID_CONTEXT;
                 if (!--context.retained)
                   d.closeContext(context);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  return enter("cuCtxSetCurrent", Needs::Driver, CUDA_ERROR_INVALID_CONTEXT,
               [&](Device &d) -> CUresult {
                 bool isOurs = context >= d.contexts &&
                               context < d.contexts + d.config.devices &&
                               context->retained;
                 if (context && !isOurs)
                   return CUDA_ERROR_INVALID_CONTEXT;
                 currentContext() = context;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return enter("cuStreamCreate", Needs::Context, CUDA_ERROR_OUT_OF_MEMORY,
               [&](Device &d) -> CUresult {
                 if (!stream || flags > 1)
                   return CUDA_ERROR_INVALID_VALUE;
                 *stream = new CUstream_st();
                 d.streams.insert(*stream);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  return enter("cuStreamDestroy_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.streams.erase(stream))
                   return CUDA_ERROR_INVALID_HANDLE;
                 delete stream;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  return enter("cuStreamSynchronize", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 ++d.counters.synchronizations;
                 return d.isStream(stream) ? CUDA_SUCCESS
                                           : CUDA_ERROR_INVALID_HANDLE;
               });
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned) {
  return enter("cuEventCreate", Needs::Context, CUDA_ERROR_OUT_OF_MEMORY,
               [&](Device &d) -> CUresult {
                 if (!event)
                   return CUDA_ERROR_INVALID_VALUE;
                 *event = new CUevent_st();
                 d.events.insert(*event);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  return enter("cuEventRecord", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.events.count(event) || !d.isStream(stream))
                   return CUDA_ERROR_INVALID_HANDLE;
                 event->recorded = true;
                 event->time = std::chrono::steady_clock::now();
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuEventSynchronize(CUevent event) {
  return enter("cuEventSynchronize", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 ++d.counters.synchronizations;
                 return d.events.count(event) ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_HANDLE;
               });
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent begin,
                                   CUevent end) {
  return enter("cuEventElapsedTime", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!milliseconds)
                   return CUDA_ERROR_INVALID_VALUE;
                 if (!d.events.count(begin) || !d.events.count(end) ||
                     !begin->recorded || !end->recorded)
                   return CUDA_ERROR_INVALID_HANDLE;
                 std::chrono::duration<float, std::milli> time =
                     end->time - begin->time;
                 *milliseconds = time.count();
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  return enter("cuEventDestroy_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.events.erase(event))
                   return CUDA_ERROR_INVALID_HANDLE;
                 delete event;
                 return CUDA_SUCCESS;
               });
}
