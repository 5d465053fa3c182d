//===-- runtime/emulator/DriverLaunch.cpp - Launches ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <cstring>

using namespace cambium::emulator;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

CUresult resultOf(Fault::Reason reason) {
  switch (reason) {
  case Fault::Reason::Address:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case Fault::Reason::Misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case Fault::Reason::Instruction:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case Fault::Reason::Stack:
    return CUDA_ERROR_HARDWARE_STACK_ERROR;
  case Fault::Reason::Hang:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

/// The bytes of the parameters, one behind the other.
std::vector<uint8_t> pack(const Function &kernel, void **parameters) {
  std::vector<uint8_t> bytes(kernel.parameterBytes, 0);
  for (size_t p = 0; p < kernel.parameters.size(); ++p)
    std::memcpy(bytes.data() + kernel.parameters[p].offset, parameters[p],
                kernel.parameters[p].size);
  return bytes;
}

bool isComplete(const Function &kernel, void **parameters) {
  if (!parameters)
    return kernel.parameters.empty();
  for (size_t p = 0; p < kernel.parameters.size(); ++p)
    if (!parameters[p])
      return false;
  return true;
}

/// Limits of the device, in 64 bits so that nothing wraps.
CUresult check(const Device &d, const CUfunc_st &f, const LaunchShape &s,
               bool cooperative, uint32_t &resident) {
  uint64_t threads = uint64_t{s.block[0]} * s.block[1] * s.block[2];
  uint64_t blocks = uint64_t{s.grid[0]} * s.grid[1];
  if (!threads || !blocks || !s.grid[2] || s.block[0] > 1024 ||
      s.block[1] > 1024 || s.block[2] > 64 || threads > 1024 ||
      s.grid[1] > 65535 || s.grid[2] > 65535 ||
      blocks > (uint64_t{1} << 19) / s.grid[2] ||
      s.dynamicShared > static_cast<uint32_t>(f.maxDynamicShared))
    return CUDA_ERROR_INVALID_VALUE;
  blocks *= s.grid[2];
  if (f.function->maxThreads && threads > f.function->maxThreads)
    return CUDA_ERROR_INVALID_VALUE;
  int fits = d.occupancy(f, static_cast<int64_t>(threads), s.dynamicShared);
  if (!fits)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  uint64_t most =
      static_cast<uint64_t>(fits) * static_cast<uint64_t>(d.config.blocks);
  if (cooperative && blocks > most)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  resident = static_cast<uint32_t>(most);
  return CUDA_SUCCESS;
}

CUresult start(Device &d, CUfunction function, LaunchShape shape,
               CUstream stream, void **parameters, bool cooperative) {
  if (!d.functions.count(function) || !d.isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!isComplete(*function->function, parameters))
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult wrong = check(d, *function, shape, cooperative, shape.resident))
    return wrong;
  return d.launch(*function, shape, parameters);
}

} // namespace

/// A kernel that fails makes later calls fail, as on hardware.
CUresult Device::launch(CUfunc_st &function, const LaunchShape &shape,
                        void **parameters) {
  Module &module = *function.module->module;
  Counters before = counters;
  CUctx_st &context = *currentContext();
  ++counters.launches;
  try {
    Grid grid(module, *function.function, shape, *heap, clock, counters);
    grid.hangLimit = config.hang;
    grid.checks = {config.races, config.uninitialized};
    grid.multiprocessors = static_cast<uint32_t>(config.blocks);
    grid.run(pack(*function.function, parameters), config.seed);
    for (const std::string &text : grid.findings)
      context.sticky = fail(CUDA_ERROR_LAUNCH_FAILED, text);
    if (!grid.findings.empty())
      lastText = grid.findings.front();
  } catch (const Fault &fault) {
    context.sticky = fail(resultOf(fault.reason), fault.what());
  }
  counters.collect(module);
  if (!config.report.empty())
    writeReport("launch " + function.function->name + "\n" +
                counters.since(before).text());
  return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX,
                                          unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY,
                                          unsigned blockZ,
                                          unsigned dynamicShared,
                                          CUstream stream, void **parameters) {
  LaunchShape shape{
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicShared};
  return enter("cuLaunchCooperativeKernel", Needs::Context,
               CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, [&](Device &d) {
                 return start(d, function, shape, stream, parameters, true);
               });
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned dynamicShared, CUstream stream,
                               void **parameters, void **extra) {
  LaunchShape shape{
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicShared};
  return enter("cuLaunchKernel", Needs::Context,
               CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, [&](Device &d) -> CUresult {
                 if (extra)
                   return CUDA_ERROR_NOT_SUPPORTED;
                 return start(d, function, shape, stream, parameters, false);
               });
}
