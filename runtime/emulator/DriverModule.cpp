//===-- runtime/emulator/DriverModule.cpp - Modules and functions ---------===//
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

/// Memory of a device for the variables of a module.
class DevicePlacement : public Placement {
public:
  DevicePlacement(Device &device, std::vector<uint64_t> &memory)
      : device(device), memory(memory) {
    architecture = device.config.architecture;
    driverVersion = device.config.driver;
  }

  uint64_t place(const Variable &variable) override {
    Allocation &made = device.heap->allocate(
        std::max<uint64_t>(variable.size, 1), variable.name);
    memory.push_back(made.begin);
    return made.begin;
  }

  /// What has no initializer is zero.
  void initialize(const Variable &variable) override {
    Allocation *in = device.heap->find(variable.address);
    if (!variable.bytes.empty())
      std::memcpy(in->bytes.get(), variable.bytes.data(),
                  std::min<uint64_t>(variable.bytes.size(), in->size));
    std::memset(in->defined.get(), 15, in->size / 4 + 1);
    in->isConstant = variable.space == Space::Const;
  }

private:
  Device &device;
  std::vector<uint64_t> &memory;
};

/// The buffer for the text of an error that a caller passed, if it did.
void writeLog(const std::string &text, unsigned numOptions,
              const CUjit_option *options, void **values) {
  char *buffer = nullptr;
  size_t size = 0;
  for (unsigned o = 0; o < numOptions && options && values; ++o) {
    if (options[o] == CU_JIT_ERROR_LOG_BUFFER)
      buffer = static_cast<char *>(values[o]);
    if (options[o] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[o]));
  }
  if (buffer && size)
    std::snprintf(buffer, size, "%s", text.c_str());
}

CUresult resultOf(ParseError::Reason reason) {
  switch (reason) {
  case ParseError::Reason::Version:
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  case ParseError::Reason::Target:
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  case ParseError::Reason::Memory:
    return CUDA_ERROR_OUT_OF_MEMORY;
  default:
    return CUDA_ERROR_INVALID_PTX;
  }
}

CUresult load(Device &d, CUmodule *out, const void *image, unsigned numOptions,
              const CUjit_option *options, void **values) {
  const auto *bytes = static_cast<const unsigned char *>(image);
  if (!out || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes[0] == 0x7f || bytes[0] == 0x50) {
    std::string text = "expected PTX text, but got a binary image";
    writeLog(text, numOptions, options, values);
    return d.fail(CUDA_ERROR_NO_BINARY_FOR_GPU, text);
  }
  auto made = std::make_unique<CUmod_st>();
  auto discard = [&] {
    for (uint64_t address : made->memory)
      d.heap->release(address);
  };
  try {
    DevicePlacement placement(d, made->memory);
    made->module = parseModule(static_cast<const char *>(image), placement);
  } catch (const ParseError &error) {
    discard();
    writeLog(error.what(), numOptions, options, values);
    return d.fail(resultOf(error.reason), error.what());
  } catch (const std::bad_alloc &) {
    discard();
    throw;
  }
  d.modules.insert(made.get());
  *out = made.release();
  return CUDA_SUCCESS;
}

} // namespace

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                                   unsigned numOptions, CUjit_option *options,
                                   void **values) {
  return enter("cuModuleLoadDataEx", Needs::Context, CUDA_ERROR_INVALID_IMAGE,
               [&](Device &d) -> CUresult {
                 return load(d, module, image, numOptions, options, values);
               });
}

EXPORT CUresult cuModuleUnload(CUmodule module) {
  return enter("cuModuleUnload", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.modules.count(module))
                   return CUDA_ERROR_INVALID_HANDLE;
                 d.unload(module);
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                    const char *name) {
  return enter(
      "cuModuleGetFunction", Needs::Context, CUDA_ERROR_NOT_FOUND,
      [&](Device &d) -> CUresult {
        if (!function || !name)
          return CUDA_ERROR_INVALID_VALUE;
        if (!d.modules.count(module))
          return CUDA_ERROR_INVALID_HANDLE;
        auto found = module->module->functionsByName.find(name);
        if (found == module->module->functionsByName.end())
          return CUDA_ERROR_NOT_FOUND;
        Function *code =
            module->module->functions[static_cast<size_t>(found->second)].get();
        if (!code->isEntry || !code->isDefined)
          return CUDA_ERROR_NOT_FOUND;
        for (const auto &known : module->functions)
          if (known->function == code) {
            *function = known.get();
            return CUDA_SUCCESS;
          }
        auto made = std::make_unique<CUfunc_st>();
        made->module = module;
        made->function = code;
        *function = made.get();
        d.functions.insert(made.get());
        module->functions.push_back(std::move(made));
        return CUDA_SUCCESS;
      });
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function,
                                   CUfunction_attribute attribute, int value) {
  return enter(
      "cuFuncSetAttribute", Needs::Context, CUDA_ERROR_INVALID_VALUE,
      [&](Device &d) -> CUresult {
        if (!d.functions.count(function))
          return CUDA_ERROR_INVALID_HANDLE;
        if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
          return CUDA_SUCCESS;
        auto used =
            static_cast<int>(function->function->staticShared - kSharedBegin);
        if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
            value < 0 || value > d.maxSharedPerBlock() - used)
          return CUDA_ERROR_INVALID_VALUE;
        function->maxDynamicShared = value;
        return CUDA_SUCCESS;
      });
}

namespace {

int attributeOf(const Device &d, const CUfunc_st &f,
                CUfunction_attribute attribute) {
  const Function &code = *f.function;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return static_cast<int>(code.maxThreads ? std::min(code.maxThreads, 1024u)
                                            : 1024u);
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return static_cast<int>(code.staticShared - kSharedBegin);
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    return 0;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return static_cast<int>(code.localBytes);
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    // What ptxas would make of it is not known here.
    return 32;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return f.module->module->version;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return d.config.architecture;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return f.maxDynamicShared;
  default:
    return -1;
  }
}

} // namespace

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                   CUfunction function) {
  return enter("cuFuncGetAttribute", Needs::Context, CUDA_ERROR_UNKNOWN,
               [&](Device &d) -> CUresult {
                 if (!d.functions.count(function))
                   return CUDA_ERROR_INVALID_HANDLE;
                 int found = attributeOf(d, *function, attribute);
                 if (!value || found < 0)
                   return CUDA_ERROR_INVALID_VALUE;
                 *value = found;
                 return CUDA_SUCCESS;
               });
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction function, int threads, size_t dynamicShared) {
  return enter("cuOccupancyMaxActiveBlocksPerMultiprocessor", Needs::Context,
               CUDA_ERROR_UNKNOWN, [&](Device &d) -> CUresult {
                 if (!d.functions.count(function))
                   return CUDA_ERROR_INVALID_HANDLE;
                 if (!blocks || threads < 1 || threads > 1024 ||
                     dynamicShared > INT32_MAX)
                   return CUDA_ERROR_INVALID_VALUE;
                 *blocks = d.occupancy(*function, threads, dynamicShared);
                 return CUDA_SUCCESS;
               });
}
