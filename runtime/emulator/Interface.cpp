//===-- runtime/emulator/Interface.cpp - Texts, counters, findings --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Device.h"

#include <algorithm>

using namespace cambium::emulator;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct ErrorText {
  CUresult code;
  const char *name, *text;
};

#define CAMBIUM_ERROR(CODE, TEXT) {CODE, #CODE, TEXT}
constexpr ErrorText kErrors[] = {
    CAMBIUM_ERROR(CUDA_SUCCESS, "no error"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    CAMBIUM_ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    CAMBIUM_ERROR(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    CAMBIUM_ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    CAMBIUM_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "no kernel image is available for execution on the device"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    CAMBIUM_ERROR(
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        "the provided PTX was compiled with an unsupported toolchain"),
    CAMBIUM_ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    CAMBIUM_ERROR(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    CAMBIUM_ERROR(CUDA_ERROR_NOT_READY, "device not ready"),
    CAMBIUM_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS,
                  "an illegal memory access was encountered"),
    CAMBIUM_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                  "too many resources requested for launch"),
    CAMBIUM_ERROR(CUDA_ERROR_LAUNCH_TIMEOUT,
                  "the launch timed out and was terminated"),
    CAMBIUM_ERROR(CUDA_ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    CAMBIUM_ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                  "an illegal instruction was encountered"),
    CAMBIUM_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    CAMBIUM_ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    CAMBIUM_ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                  "too many blocks in cooperative launch"),
    CAMBIUM_ERROR(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    CAMBIUM_ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};

const ErrorText *textOf(CUresult error) {
  for (const ErrorText &known : kErrors)
    if (known.code == error)
      return &known;
  return nullptr;
}

template <class F> auto locked(F body) {
  Device &device = Device::get();
  std::lock_guard<std::mutex> lock(device.mutex);
  return body(device);
}

} // namespace

EXPORT CUresult cuGetErrorName(CUresult error, const char **text) {
  const ErrorText *known = textOf(error);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = known ? known->name : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// What is known of the last error stands behind the driver's text; it lives
/// until findings are cleared.
EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
  const ErrorText *known = textOf(error);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = known ? known->text : nullptr;
  if (!known)
    return CUDA_ERROR_INVALID_VALUE;
  locked([&](Device &d) {
    if (!error || error != d.lastError || d.lastText.empty())
      return;
    d.texts.push_back(std::string(known->text) + ": " + d.lastText);
    *text = d.texts.back().c_str();
  });
  return CUDA_SUCCESS;
}

EXPORT int cambium_emulator_configure(const char *text) {
  return locked(
      [&](Device &d) { return d.configure(text ? text : "") ? 0 : 1; });
}

EXPORT void
cambium_emulator_read_counters(cambium_emulator_counters_t *out_counters) {
  locked([&](Device &d) {
    if (out_counters)
      *out_counters = d.counters;
  });
}

EXPORT void cambium_emulator_clear_counters(void) {
  locked([](Device &d) {
    d.counters = Counters();
    for (CUmodule module : d.modules)
      for (const auto &function : module->module->functions)
        std::fill(function->totals.begin(), function->totals.end(), 0);
  });
}

EXPORT size_t cambium_emulator_loops(const char *function,
                                     cambium_emulator_loop_t *out_loops,
                                     size_t capacity) {
  std::vector<cambium_emulator_loop_t> loops;
  locked([&](Device &d) {
    for (CUmodule module : d.modules)
      for (const auto &code : module->module->functions)
        if (function && code->name == function)
          for (const Loop &loop : code->loops)
            loops.push_back(measureLoop(*code, loop));
  });
  std::stable_sort(loops.begin(), loops.end(),
                   [](const auto &a, const auto &b) {
                     return a.instructions > b.instructions;
                   });
  for (size_t l = 0; l < loops.size() && l < capacity && out_loops; ++l)
    out_loops[l] = loops[l];
  return loops.size();
}

EXPORT size_t cambium_emulator_num_findings(void) {
  return locked([](Device &d) { return d.findings.size(); });
}

EXPORT const char *cambium_emulator_finding(size_t index) {
  return locked([&](Device &d) {
    return index < d.findings.size() ? d.findings[index].c_str() : nullptr;
  });
}

EXPORT void cambium_emulator_clear_findings(void) {
  locked([](Device &d) {
    d.findings.clear();
    d.texts.clear();
  });
}
