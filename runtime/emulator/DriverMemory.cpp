//===-- runtime/emulator/DriverMemory.cpp - Memory of device and host -----===//
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

namespace {

/// The allocation that holds a range, or null with an error.
Allocation *rangeOf(Device &d, const char *what, CUdeviceptr address,
                    size_t bytes) {
  Allocation *found = d.heap->findRange(address, bytes);
  if (!found)
    d.fail(CUDA_ERROR_INVALID_VALUE,
           std::string(what) + " of " + d.heap->explain(address, bytes));
  return found;
}

} // namespace

EXPORT CUresult cuMemGetInfo_v2(size_t *unused, size_t *total) {
  return enter("cuMemGetInfo_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!unused || !total)
                   return CUDA_ERROR_INVALID_VALUE;
                 *total = d.heap->total();
                 *unused = d.heap->total() - d.heap->used();
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return enter("cuMemAlloc_v2", Needs::Context, CUDA_ERROR_OUT_OF_MEMORY,
               [&](Device &d) -> CUresult {
                 if (!address || !bytes)
                   return CUDA_ERROR_INVALID_VALUE;
                 *address = d.heap->allocate(bytes).begin;
                 ++d.counters.allocations;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  return enter("cuMemFree_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!address || d.heap->release(address))
                   return CUDA_SUCCESS;
                 return d.fail(CUDA_ERROR_INVALID_VALUE,
                               "free of " + d.heap->explain(address, 0));
               });
}

EXPORT CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  return enter("cuMemHostAlloc", Needs::Context, CUDA_ERROR_OUT_OF_MEMORY,
               [&](Device &d) -> CUresult {
                 if (!memory || !bytes)
                   return CUDA_ERROR_INVALID_VALUE;
                 void *made =
                     std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
                 if (!made)
                   return CUDA_ERROR_OUT_OF_MEMORY;
                 d.hostMemory[made] = bytes;
                 *memory = made;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemFreeHost(void *memory) {
  return enter("cuMemFreeHost", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.hostMemory.erase(memory))
                   return d.fail(CUDA_ERROR_INVALID_VALUE,
                                 "free of host memory that is not allocated");
                 std::free(memory);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from,
                                     size_t bytes, CUstream stream) {
  return enter("cuMemcpyHtoDAsync_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.isStream(stream))
                   return CUDA_ERROR_INVALID_HANDLE;
                 if (!bytes)
                   return CUDA_SUCCESS;
                 Allocation *in = rangeOf(d, "upload", to, bytes);
                 if (!in || !from)
                   return CUDA_ERROR_INVALID_VALUE;
                 std::memcpy(in->bytes.get() + (to - in->begin), from, bytes);
                 in->define(to - in->begin, bytes);
                 ++d.counters.uploads;
                 d.counters.uploaded_bytes += static_cast<int64_t>(bytes);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                                     CUstream stream) {
  return enter("cuMemcpyDtoHAsync_v2", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.isStream(stream))
                   return CUDA_ERROR_INVALID_HANDLE;
                 if (!bytes)
                   return CUDA_SUCCESS;
                 Allocation *in = rangeOf(d, "download", from, bytes);
                 if (!in || !to)
                   return CUDA_ERROR_INVALID_VALUE;
                 std::memcpy(to, in->bytes.get() + (from - in->begin), bytes);
                 ++d.counters.downloads;
                 d.counters.downloaded_bytes += static_cast<int64_t>(bytes);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value,
                                size_t bytes, CUstream stream) {
  return enter("cuMemsetD8Async", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.isStream(stream))
                   return CUDA_ERROR_INVALID_HANDLE;
                 if (!bytes)
                   return CUDA_SUCCESS;
                 Allocation *in = rangeOf(d, "memset", to, bytes);
                 if (!in)
                   return CUDA_ERROR_INVALID_VALUE;
                 std::memset(in->bytes.get() + (to - in->begin), value, bytes);
                 in->define(to - in->begin, bytes);
                 return CUDA_SUCCESS;
               });
}
