//===-- runtime/cuda/Code.h - The kernels of a module --------- -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_CODE_H
#define CAMBIUM_RUNTIME_CUDA_CODE_H

#include "Device.h"

#include <mutex>
#include <vector>

namespace cambium::cuda {

/// A kernel that is ready to be launched.
struct Kernel {
  Function function = nullptr;
  unsigned blocks = 0;
};

/// The image of a module that a device runs.
class Code {
public:
  Code(const BackendDevice &device, const cambium_abi_device_module_t &module)
      : device(device), module(module),
        kernels(static_cast<size_t>(module.num_entries)) {}
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;
  ~Code();

  /// Hands the best image to the driver.
  cambium_status_t load();
  /// The kernels of an entry, one for each launch. Thread-safe.
  cambium_status_t find(const cambium_abi_device_entry_t &entry,
                        const std::vector<Kernel> *&out);

private:
  cambium_status_t loadImage(const cambium_abi_image_t &image,
                             Result &outResult);
  cambium_status_t prepare(const cambium_abi_device_entry_t &entry,
                           const cambium_abi_launch_t &launch, Kernel &out);
  cambium_status_t checkLimits(const cambium_abi_launch_t &launch,
                               Function function);

  const BackendDevice &device;
  const cambium_abi_device_module_t &module;
  Module handle = nullptr;
  std::mutex mutex;
  /// By entry; empty until the entry is called.
  std::vector<std::vector<Kernel>> kernels;
};

/// How well an image suits an architecture: the higher the better, negative if
/// it does not run.
int64_t suitabilityOf(const cambium_abi_image_t &image, int architecture);

} // namespace cambium::cuda

#endif // CAMBIUM_RUNTIME_CUDA_CODE_H
