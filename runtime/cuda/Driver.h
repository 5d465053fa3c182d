//===-- runtime/cuda/Driver.h - Functions of CUDA drivers -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declared here, so that no header and no library of CUDA is needed to build.
/// The driver's library is opened when the first device is. The emulator
/// declares what it has by itself: numbers that disagree fail its tests.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_DRIVER_H
#define CAMBIUM_RUNTIME_CUDA_DRIVER_H

#include "../core/Backend.h"

#include <cstddef>

namespace cambium::cuda {

using Result = int;
using DeviceNumber = int;
using Address = unsigned long long;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;

/// Results that mean something to us.
enum : Result {
  kSuccess = 0,
  kOutOfMemory = 2,
  kInvalidImage = 200,
  kNoBinary = 209,
  kInvalidPtx = 218,
  kNoJitCompiler = 221,
  kUnsupportedPtx = 222
};

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kNumProcessors = 16,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kCooperativeLaunch = 95,
  kMaxSharedBytes = 97 // of a block that asks for it
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kFunctionMaxThreads = 0,
  kFunctionStaticShared = 1,
  kFunctionMaxDynamicShared = 8
};

/// CUjit_option.
enum JitOption : int { kErrorLog = 5, kErrorLogBytes = 6 };

/// CUstream_flags: does not wait for the default stream.
constexpr unsigned kNonBlocking = 1;
/// Of cuMemHostAlloc: pinned for all contexts.
constexpr unsigned kPortable = 1;

// Every function that is used: name and parameters.
#define CAMBIUM_CUDA_FUNCTIONS(F)                                              \
  F(cuInit, (unsigned flags))                                                  \
  F(cuDriverGetVersion, (int *version))                                        \
  F(cuDeviceGetCount, (int *count))                                            \
  F(cuDeviceGet, (DeviceNumber * device, int ordinal))                         \
  F(cuDeviceGetName, (char *name, int length, DeviceNumber device))            \
  F(cuDeviceGetAttribute, (int *value, int attribute, DeviceNumber device))    \
  F(cuDeviceTotalMem_v2, (size_t *bytes, DeviceNumber device))                 \
  F(cuDevicePrimaryCtxRetain, (Context * context, DeviceNumber device))        \
  F(cuDevicePrimaryCtxRelease_v2, (DeviceNumber device))                       \
  F(cuCtxSetCurrent, (Context context))                                        \
  F(cuModuleLoadDataEx, (Module * module, const void *image,                   \
                         unsigned numOptions, int *options, void **values))    \
  F(cuModuleUnload, (Module module))                                           \
  F(cuModuleGetFunction,                                                       \
    (Function * function, Module module, const char *name))                    \
  F(cuFuncSetAttribute, (Function function, int attribute, int value))         \
  F(cuFuncGetAttribute, (int *value, int attribute, Function function))        \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    (int *blocks, Function function, int threads, size_t sharedBytes))         \
  F(cuMemGetInfo_v2, (size_t *free, size_t *total))                            \
  F(cuMemAlloc_v2, (Address * address, size_t bytes))                          \
  F(cuMemFree_v2, (Address address))                                           \
  F(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))             \
  F(cuMemFreeHost, (void *memory))                                             \
  F(cuMemcpyHtoDAsync_v2,                                                      \
    (Address to, const void *from, size_t bytes, Stream stream))               \
  F(cuMemcpyDtoHAsync_v2,                                                      \
    (void *to, Address from, size_t bytes, Stream stream))                     \
  F(cuMemsetD8Async,                                                           \
    (Address to, unsigned char value, size_t bytes, Stream stream))            \
  F(cuStreamCreate, (Stream * stream, unsigned flags))                         \
  F(cuStreamDestroy_v2, (Stream stream))                                       \
  F(cuStreamSynchronize, (Stream stream))                                      \
  F(cuLaunchCooperativeKernel,                                                 \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     Stream stream, void **parameters))                                        \
  F(cuGetErrorName, (Result error, const char **text))                         \
  F(cuGetErrorString, (Result error, const char **text))

struct Driver {
#define CAMBIUM_CUDA_FUNCTION(name, parameters) Result(*name) parameters;
  CAMBIUM_CUDA_FUNCTIONS(CAMBIUM_CUDA_FUNCTION)
#undef CAMBIUM_CUDA_FUNCTION

  /// What a result means: "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  void describe(Result result, char *text, size_t size) const;
};

/// Opens the driver: libcuda.so.1, or the library that CAMBIUM_CUDA_DRIVER
/// names. It stays open as long as the process runs.
cambium_status_t openDriver(const runtime::BackendHost &host,
                            const Driver *&out);

} // namespace cambium::cuda

#endif // CAMBIUM_RUNTIME_CUDA_DRIVER_H
