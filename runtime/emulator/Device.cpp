//===-- runtime/emulator/Device.cpp - The state of the driver -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <cstdio>
#include <cstdlib>

using namespace cambium::emulator;

Device &Device::get() {
  // Not destroyed: functions may be called while the process ends.
  static Device *device = new Device();
  return *device;
}

CUcontext &cambium::emulator::currentContext() {
  thread_local CUcontext current = nullptr;
  return current;
}

bool Device::configure(const std::string &text) {
  Config parsed;
  std::string error;
  if (!parseConfig(text, parsed, error)) {
    fail(CUDA_ERROR_INVALID_VALUE, "CAMBIUM_EMULATOR: " + error);
    return false;
  }
  config = parsed;
  calls.clear();
  allCalls = 0;
  return true;
}

CUresult Device::fail(CUresult error, const std::string &text) {
  lastError = error;
  lastText = text;
  findings.push_back(text);
  std::fprintf(stderr, "cambium-emulator: error: %s\n", text.c_str());
  return error;
}

void Device::writeReport(const std::string &text) const {
  if (config.report.empty())
    return;
  if (FILE *file = std::fopen(config.report.c_str(), "a")) {
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
}

int Device::maxSharedPerBlock() const {
  switch (config.architecture) {
  case 70:
    return 96 << 10;
  case 75:
    return 64 << 10;
  case 80:
  case 87:
    return 163 << 10;
  case 86:
  case 89:
  case 120:
  case 121:
    return 99 << 10;
  default:
    return 227 << 10;
  }
}

int Device::occupancy(const CUfunc_st &function, int64_t threads,
                      uint64_t dynamicShared) const {
  if (threads < 1 || threads > 1024)
    return 0;
  int64_t warps = (threads + kLanes - 1) / kLanes;
  auto shared = static_cast<int64_t>(function.function->staticShared -
                                     kSharedBegin + dynamicShared + 1024);
  int64_t fits = std::min<int64_t>(64 / warps, 32);
  fits = std::min(fits, maxSharedPerMultiprocessor() / shared);
  return static_cast<int>(fits);
}

void Device::unload(CUmodule module) {
  for (const auto &function : module->functions)
    functions.erase(function.get());
  for (uint64_t address : module->memory)
    heap->release(address);
  modules.erase(module);
  delete module;
}

void Device::closeContext(CUctx_st &context) {
  context.sticky = CUDA_SUCCESS;
  for (const CUctx_st &other : contexts)
    if (other.retained)
      return;
  auto leak = [&](size_t count, const char *what) {
    if (count)
      fail(CUDA_SUCCESS, "leak: " + std::to_string(count) + " " + what +
                             " at the end of the context");
  };
  for (const Allocation *allocation : heap->leaks())
    fail(CUDA_SUCCESS, "leak: memory of " + allocation->describe() +
                           " at the end of the context");
  leak(hostMemory.size(), "pieces of host memory");
  leak(streams.size(), "streams");
  leak(events.size(), "events");
  leak(modules.size(), "modules");
  while (!modules.empty())
    unload(*modules.begin());
  for (CUstream stream : streams)
    delete stream;
  for (CUevent event : events)
    delete event;
  for (const auto &memory : hostMemory)
    std::free(memory.first);
  streams.clear();
  events.clear();
  hostMemory.clear();
  heap = nullptr;
}

CUresult
cambium::emulator::enter(const char *name, Needs needs, CUresult onFailure,
                         const std::function<CUresult(Device &)> &body) {
  Device &device = Device::get();
  std::lock_guard<std::mutex> lock(device.mutex);
  ++device.counters.driver_calls;
  std::string bare = name;
  if (bare.size() > 3 && !bare.compare(bare.size() - 3, 3, "_v2"))
    bare.resize(bare.size() - 3);
  int64_t call = ++device.calls[bare], any = ++device.allCalls;
  for (const Failure &failure : device.config.failures) {
    bool isOurs = failure.function == name || failure.function == bare;
    if ((isOurs && failure.call == call) ||
        (failure.function == "any" && failure.call == any)) {
      device.lastError = onFailure;
      device.lastText = std::string(name) + " failed as CAMBIUM_EMULATOR asks";
      return onFailure;
    }
  }
  if (needs != Needs::Nothing && !device.isInitialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  CUcontext current = currentContext();
  if (needs == Needs::Context && (!current || !current->retained))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (needs == Needs::Context && current->sticky)
    return current->sticky;
  try {
    return body(device);
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    return device.fail(CUDA_ERROR_UNKNOWN, error.what());
  }
}
