//===-- runtime/cuda/Driver.cpp - The functions of the CUDA driver --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <new>
#include <string>

using namespace cambium::cuda;

/// CUDA 12.0: the first that knows the version of PTX that modules have.
static constexpr int kOldestDriver = 12000;

void Driver::describe(Result result, char *text, size_t size) const {
  const char *name = nullptr, *meaning = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &meaning);
  if (name)
    std::snprintf(text, size, "%s%s%s", name, meaning ? ": " : "",
                  meaning ? meaning : "");
  else
    std::snprintf(text, size, "error %d", result);
}

namespace {

/// A driver that is open. There is more than one only where the variable
/// changes while the process runs.
struct OpenDriver {
  OpenDriver *next;
  std::string name;
  Driver driver;
};

std::mutex mutex;
OpenDriver *drivers = nullptr;

} // namespace

static cambium_status_t findFunctions(const cambium::runtime::BackendHost &host,
                                      void *library, const char *name,
                                      Driver &driver) {
  const char *missing = nullptr;
#define CAMBIUM_CUDA_FUNCTION(function, parameters)                            \
  driver.function =                                                            \
      reinterpret_cast<Result(*) parameters>(dlsym(library, #function));       \
  if (!driver.function && !missing)                                            \
    missing = #function;
  CAMBIUM_CUDA_FUNCTIONS(CAMBIUM_CUDA_FUNCTION)
#undef CAMBIUM_CUDA_FUNCTION
  if (missing)
    return host.fail(CAMBIUM_STATUS_NO_DEVICE,
                     "driver '%s': expected the function '%s'", name, missing);
  return CAMBIUM_STATUS_OK;
}

/// Starts the driver and asks for its version.
static cambium_status_t start(const cambium::runtime::BackendHost &host,
                              const char *name, const Driver &driver) {
  int version = 0;
  Result result = driver.cuInit(0);
  if (!result)
    result = driver.cuDriverGetVersion(&version);
  if (result) {
    char text[256];
    driver.describe(result, text, sizeof(text));
    return host.fail(CAMBIUM_STATUS_NO_DEVICE, "driver '%s' does not start: %s",
                     name, text);
  }
  if (version < kOldestDriver)
    return host.fail(CAMBIUM_STATUS_NO_DEVICE,
                     "driver '%s': expected one for CUDA %d.0 or later, but "
                     "got %d.%d",
                     name, kOldestDriver / 1000, version / 1000,
                     version % 1000 / 10);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t
cambium::cuda::openDriver(const cambium::runtime::BackendHost &host,
                          const Driver *&out) {
  const char *name = secure_getenv("CAMBIUM_CUDA_DRIVER");
  if (!name || !*name)
    name = "libcuda.so.1";
  std::lock_guard<std::mutex> lock(mutex);
  for (OpenDriver *known = drivers; known; known = known->next)
    if (known->name == name) {
      out = &known->driver;
      return start(host, name, *out);
    }
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return host.fail(CAMBIUM_STATUS_NO_DEVICE,
                     "cannot open the driver of the GPU: %s", dlerror());
  Driver driver = {};
  cambium_status_t status = findFunctions(host, library, name, driver);
  if (!status)
    status = start(host, name, driver);
  if (status) {
    dlclose(library);
    return status;
  }
  drivers = new OpenDriver{drivers, name, driver};
  out = &drivers->driver;
  return CAMBIUM_STATUS_OK;
}
