/*===-- test/Runtime/cuda/FakeDriver.c - A driver that lies ----------------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The functions of libcuda.so.1 that the runtime uses, with memory of the host
 * as that of the GPU and the functions of Kernels.c as kernels. It is what the
 * test tells it to be, fails when it is told to, and knows what is held.
 *
 *===----------------------------------------------------------------------===*/
#include "FakeDriver.h"
#include "cambium/device_abi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) fake_driver_t fake_driver = {
    .count = 1,
    .sm = 80,
    .version = 12040,
    .processors = 2,
    .memory = 1 << 20,
    .is_cooperative = 1,
    .blocks = 2};

typedef unsigned long long address_t;

enum {
  OK = 0,
  INVALID = 1,
  OUT_OF_MEMORY = 2,
  NO_BINARY = 209,
  NOT_FOUND = 500
};

/* Counts the call; whether it is to fail now. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count_call(const char *name) {
  size_t used = strlen(fake_driver.calls);
  if (used + strlen(name) + 2 < sizeof(fake_driver.calls))
    sprintf(fake_driver.calls + used, "%s ", name);
  if (strcmp(name, fake_driver.fail_name) != 0)
    return 0;
  return ++fake_driver.fail_seen == fake_driver.fail_at;
}
static int fails(const char *name) {
  pthread_mutex_lock(&mutex);
  int result = count_call(name);
  pthread_mutex_unlock(&mutex);
  return result;
}
static void hold(int count) {
  pthread_mutex_lock(&mutex);
  fake_driver.held += count;
  pthread_mutex_unlock(&mutex);
}
#define CALL(name)                                                             \
  if (fails(#name))                                                            \
    return fake_driver.fail_result ? fake_driver.fail_result : 719;

/* What gives something back does so when it fails, too: nobody tries again. */
#define RELEASE(name)                                                          \
  int failure = !fails(#name)             ? OK                                 \
                : fake_driver.fail_result ? fake_driver.fail_result            \
                                          : 719;

/* Everything but the driver itself belongs to a context that is current. */
static _Thread_local int current = 0;
#define CALL_IN_CONTEXT(name)                                                  \
  CALL(name)                                                                   \
  if (!current)                                                                \
    return 201;                                                                \
  if (fake_driver.is_lost)                                                     \
    return 719;

#define SHOWN __attribute__((visibility("default")))

SHOWN int cuInit(unsigned flags) {
  CALL(cuInit)
  return flags ? INVALID : fake_driver.count ? OK : 100;
}
SHOWN int cuDriverGetVersion(int *version) {
  CALL(cuDriverGetVersion)
  *version = fake_driver.version;
  return OK;
}
SHOWN int cuDeviceGetCount(int *count) {
  CALL(cuDeviceGetCount)
  *count = fake_driver.count;
  return OK;
}
SHOWN int cuDeviceGet(int *device, int ordinal) {
  CALL(cuDeviceGet)
  *device = ordinal;
  return ordinal < fake_driver.count ? OK : 101;
}
SHOWN int cuDeviceGetName(char *name, int length, int device) {
  CALL(cuDeviceGetName)
  snprintf(name, (size_t)length, "Fake %d", device);
  return OK;
}
SHOWN int cuDeviceGetAttribute(int *value, int attribute, int device) {
  CALL(cuDeviceGetAttribute)(void) device;
  switch (attribute) {
  case 1:
    *value = 1024;
    return OK;
  case 16:
    *value = fake_driver.processors;
    return OK;
  case 75:
    *value = fake_driver.sm / 10;
    return OK;
  case 76:
    *value = fake_driver.sm % 10;
    return OK;
  case 95:
    *value = fake_driver.is_cooperative;
    return OK;
  case 97:
    *value = 100000;
    return OK;
  default:
    return INVALID;
  }
}
SHOWN int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  CALL(cuDeviceTotalMem_v2)(void) device;
  *bytes = (size_t)fake_driver.memory;
  return OK;
}
SHOWN int cuDevicePrimaryCtxRetain(void **context, int device) {
  CALL(cuDevicePrimaryCtxRetain)
  *context = (char *)&fake_driver + device;
  hold(1);
  return OK;
}
SHOWN int cuDevicePrimaryCtxRelease_v2(int device) {
  RELEASE(cuDevicePrimaryCtxRelease_v2)(void) device;
  hold(-1);
  current = 0;
  return failure;
}
SHOWN int cuCtxSetCurrent(void *context) {
  CALL(cuCtxSetCurrent)
  current = context != NULL;
  return OK;
}

/*===-- Code --------------------------------------------------------------===*/

SHOWN int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                             int *options, void **values) {
  CALL_IN_CONTEXT(cuModuleLoadDataEx)
  if (count != 2 || options[0] != 5 || options[1] != 6)
    return INVALID;
  if (strncmp((const char *)image, ".version", 8) != 0) {
    snprintf((char *)values[0], (size_t)values[1], "no image that I know");
    return NO_BINARY;
  }
  snprintf(fake_driver.image, sizeof(fake_driver.image), "%s",
           (const char *)image);
  *module = malloc(1);
  hold(1);
  return OK;
}
SHOWN int cuModuleUnload(void *module) {
  RELEASE(cuModuleUnload)
  free(module);
  hold(-1);
  return failure;
}

typedef void (*kernel_t)(const cambium_abi_device_call_t *);
#define KERNELS(F)                                                             \
  F(affine)                                                                    \
  F(tree) F(report) F(memory) F(first) F(second) F(accumulate) F(apply)
#define DECLARE(name) void name(const cambium_abi_device_call_t *);
KERNELS(DECLARE)
#define NAME(name) {#name, name},
typedef struct kernel_entry {
  const char *name;
  kernel_t run;
} kernel_entry_t;
static const kernel_entry_t kernels[] = {KERNELS(NAME)};

SHOWN int cuModuleGetFunction(const void **function, void *module,
                              const char *name) {
  CALL_IN_CONTEXT(cuModuleGetFunction)
  (void)module;
  for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); ++i)
    if (strcmp(kernels[i].name, name) == 0) {
      *function = &kernels[i];
      return OK;
    }
  return NOT_FOUND;
}
SHOWN int cuFuncSetAttribute(const void *function, int attribute, int value) {
  CALL_IN_CONTEXT(cuFuncSetAttribute)
  (void)function;
  return attribute == 8 && value >= 0 ? OK : INVALID;
}
SHOWN int cuFuncGetAttribute(int *value, int attribute, const void *function) {
  CALL_IN_CONTEXT(cuFuncGetAttribute)
  (void)function;
  *value = attribute == 0 ? 512 : 1000;
  return OK;
}
SHOWN int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                      const void *function,
                                                      int threads,
                                                      size_t shared) {
  CALL_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor)
  (void)function;
  (void)shared;
  *blocks = threads > 0 ? fake_driver.blocks : 0;
  return OK;
}
SHOWN int cuLaunchCooperativeKernel(const void *function, unsigned x,
                                    unsigned y, unsigned z, unsigned threads,
                                    unsigned ty, unsigned tz, unsigned shared,
                                    void *stream, void **parameters) {
  CALL_IN_CONTEXT(cuLaunchCooperativeKernel)
  (void)shared;
  if (!stream || y * z * ty * tz != 1 || threads < 1 ||
      x > (unsigned)(fake_driver.blocks * fake_driver.processors))
    return 720;
  const cambium_abi_device_call_t *call =
      *(const cambium_abi_device_call_t **)parameters[0];
  ((const kernel_entry_t *)function)->run(call);
  return OK;
}

/*===-- Memory ------------------------------------------------------------===*/

/* The size stands before the memory. */
enum { HEAD = 128 };
static _Atomic int64_t taken = 0;

static char *allocate(size_t bytes) {
  if (bytes == 0 || taken + (int64_t)bytes > fake_driver.memory)
    return NULL;
  char *memory =
      (char *)aligned_alloc(HEAD, (bytes + 2 * HEAD - 1) / HEAD * HEAD);
  *(size_t *)memory = bytes;
  memset(memory + HEAD, 0xCD, bytes);
  taken += (int64_t)bytes;
  hold(1);
  return memory + HEAD;
}
static void give(char *memory) {
  size_t bytes = *(size_t *)(memory - HEAD);
  memset(memory, 0xDD, bytes);
  taken -= (int64_t)bytes;
  hold(-1);
  free(memory - HEAD);
}

SHOWN int cuMemGetInfo_v2(size_t *available, size_t *total) {
  CALL_IN_CONTEXT(cuMemGetInfo_v2)
  *available = (size_t)(fake_driver.memory - taken);
  *total = (size_t)fake_driver.memory;
  return OK;
}
SHOWN int cuMemAlloc_v2(address_t *address, size_t bytes) {
  CALL_IN_CONTEXT(cuMemAlloc_v2)
  char *memory = allocate(bytes);
  *address = (address_t)memory;
  return memory ? OK : OUT_OF_MEMORY;
}
SHOWN int cuMemFree_v2(address_t address) {
  RELEASE(cuMemFree_v2)
  give((char *)address);
  return failure;
}
SHOWN int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  CALL_IN_CONTEXT(cuMemHostAlloc)
  *memory = flags == 1 ? allocate(bytes) : NULL;
  return *memory ? OK : OUT_OF_MEMORY;
}
SHOWN int cuMemFreeHost(void *memory) {
  RELEASE(cuMemFreeHost)
  give((char *)memory);
  return failure;
}
SHOWN int cuMemcpyHtoDAsync_v2(address_t to, const void *from, size_t bytes,
                               void *stream) {
  CALL_IN_CONTEXT(cuMemcpyHtoDAsync_v2)
  memcpy((char *)to, from, bytes);
  return stream ? OK : INVALID;
}
SHOWN int cuMemcpyDtoHAsync_v2(void *to, address_t from, size_t bytes,
                               void *stream) {
  CALL_IN_CONTEXT(cuMemcpyDtoHAsync_v2)
  memcpy(to, (const char *)from, bytes);
  return stream ? OK : INVALID;
}
SHOWN int cuMemsetD8Async(address_t to, unsigned char value, size_t bytes,
                          void *stream) {
  CALL_IN_CONTEXT(cuMemsetD8Async)
  memset((char *)to, value, bytes);
  return stream ? OK : INVALID;
}
SHOWN int cuStreamCreate(void **stream, unsigned flags) {
  CALL_IN_CONTEXT(cuStreamCreate)
  *stream = malloc(1);
  hold(1);
  return flags == 1 ? OK : INVALID;
}
SHOWN int cuStreamDestroy_v2(void *stream) {
  RELEASE(cuStreamDestroy_v2)
  free(stream);
  hold(-1);
  return failure;
}
SHOWN int cuStreamSynchronize(void *stream) {
  CALL_IN_CONTEXT(cuStreamSynchronize)
  return stream ? OK : INVALID;
}

/*===-- Texts -------------------------------------------------------------===*/

SHOWN int cuGetErrorName(int result, const char **text) {
  CALL(cuGetErrorName)
  *text = result == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == 100 ? "CUDA_ERROR_NO_DEVICE"
          : result == 209 ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : result == 500 ? "CUDA_ERROR_NOT_FOUND"
          : result == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                          : NULL;
  return *text ? OK : INVALID;
}
#ifndef FAKE_OLD
SHOWN int cuGetErrorString(int result, const char **text) {
  CALL(cuGetErrorString)
  *text = result == 719 ? "unspecified launch failure" : "as its name says";
  return OK;
}
#endif
