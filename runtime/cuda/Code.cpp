//===-- runtime/cuda/Code.cpp - The kernels of a module -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Code.h"

#include <algorithm>
#include <string>

using namespace cambium::cuda;
using namespace cambium::runtime;

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

int64_t cambium::cuda::suitabilityOf(const cambium_abi_image_t &image,
                                     int architecture) {
  if (std::strncmp(image.arch, "sm_", 3) != 0)
    return -1;
  char *end = nullptr;
  auto number = static_cast<int>(std::strtol(image.arch + 3, &end, 10));
  bool isExact = *end == 'a' && !end[1], isCubin = image.kind != 0;
  bool isSameGeneration = number / 10 == architecture / 10;
  if (number <= 0 || number > architecture || (!isExact && *end) ||
      (isExact && number != architecture) || (isCubin && !isSameGeneration))
    return -1;
  return number * 4 + 2 * isExact + isCubin;
}

/// Whether the driver does not take an image, and another one may do.
static bool isRefusal(Result result) {
  switch (result) {
  case kInvalidImage:
  case kNoBinary:
  case kInvalidPtx:
  case kNoJitCompiler:
  case kUnsupportedPtx:
    return true;
  default:
    return false;
  }
}

cambium_status_t Code::loadImage(const cambium_abi_image_t &image,
                                 Result &outResult) {
  char errors[1024] = "";
  int options[] = {kErrorLog, kErrorLogBytes};
  void *values[] = {errors, reinterpret_cast<void *>(sizeof(errors) - 1)};
  outResult = device.driver->cuModuleLoadDataEx(&handle, image.bytes, 2,
                                                options, values);
  if (outResult == kSuccess)
    return CAMBIUM_STATUS_OK;
  handle = nullptr;
  if (!isRefusal(outResult))
    return device.check(outResult, "cuModuleLoadDataEx");
  char reason[256];
  device.driver->describe(outResult, reason, sizeof(reason));
  return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                     "the driver refuses the code for %s: %s%s%s", image.arch,
                     reason, *errors ? ": " : "", errors);
}

cambium_status_t Code::load() {
  std::vector<std::pair<int64_t, const cambium_abi_image_t *>> images;
  std::string known;
  for (int64_t i = 0; i < module.num_images; ++i) {
    const cambium_abi_image_t &image = module.images[i];
    known += std::string(known.empty() ? "" : ", ") + image.arch;
    if (int64_t suitability = suitabilityOf(image, device.architecture);
        suitability >= 0)
      images.emplace_back(suitability, &image);
  }
  if (images.empty())
    return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                       "expected code for sm_%d or an earlier GPU, but got "
                       "code for %s",
                       device.architecture,
                       known.empty() ? "none" : known.c_str());
  std::sort(images.begin(), images.end(),
            [](const auto &a, const auto &b) { return a.first > b.first; });
  cambium_status_t status = CAMBIUM_STATUS_OK;
  for (const auto &[suitability, image] : images) {
    Result result = kSuccess;
    status = loadImage(*image, result);
    // The text of another kernel cannot mend what this one's driver says.
    if (!status || image->kind == CAMBIUM_ABI_IMAGE_PTX || !isRefusal(result))
      break;
  }
  return status;
}

Code::~Code() {
  if (handle)
    device.driver->cuModuleUnload(handle);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

cambium_status_t Code::checkLimits(const cambium_abi_launch_t &launch,
                                   Function function) {
  int threads = 0, fixed = 0;
  CAMBIUM_CUDA(device, cuFuncGetAttribute, &threads, kFunctionMaxThreads,
               function);
  CAMBIUM_CUDA(device, cuFuncGetAttribute, &fixed, kFunctionStaticShared,
               function);
  threads = std::min(threads, device.maxThreads);
  if (launch.threads < 1 || launch.threads > threads)
    return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                       "kernel '%s' needs blocks of %d threads, but the GPU "
                       "has %d for it",
                       launch.kernel, launch.threads, threads);
  if (launch.shared_bytes < 0 ||
      int64_t{launch.shared_bytes} + fixed > device.maxSharedBytes)
    return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                       "kernel '%s' needs %lld bytes of shared memory, but a "
                       "block of the GPU has %d",
                       launch.kernel,
                       static_cast<long long>(launch.shared_bytes) + fixed,
                       device.maxSharedBytes);
  CAMBIUM_CUDA(device, cuFuncSetAttribute, function, kFunctionMaxDynamicShared,
               launch.shared_bytes);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Code::prepare(const cambium_abi_device_entry_t &entry,
                               const cambium_abi_launch_t &launch,
                               Kernel &out) {
  if (launch.flags & ~CAMBIUM_ABI_LAUNCH_COOPERATIVE)
    return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                       "kernel '%s' of entry '%s' has the flags %d, which this "
                       "release does not know",
                       launch.kernel, entry.name, launch.flags);
  CAMBIUM_CUDA(device, cuModuleGetFunction, &out.function, handle,
               launch.kernel);
  CAMBIUM_TRY(checkLimits(launch, out.function));
  int perProcessor = 0;
  CAMBIUM_CUDA(device, cuOccupancyMaxActiveBlocksPerMultiprocessor,
               &perProcessor, out.function, launch.threads,
               static_cast<size_t>(launch.shared_bytes));
  if (perProcessor < 1)
    return device.fail(CAMBIUM_STATUS_INCOMPATIBLE,
                       "a block of kernel '%s' does not fit on the GPU",
                       launch.kernel);
  perProcessor =
      std::min(perProcessor, std::max(launch.blocks_per_processor, 1));
  int blocks = perProcessor * device.numProcessors;
  if (launch.max_blocks > 0)
    blocks = std::min(blocks, launch.max_blocks);
  out.blocks = static_cast<unsigned>(blocks);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t Code::find(const cambium_abi_device_entry_t &entry,
                            const std::vector<Kernel> *&out) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Kernel> &known =
      kernels[static_cast<size_t>(&entry - module.entries)];
  if (known.empty()) {
    std::vector<Kernel> found(static_cast<size_t>(entry.num_launches));
    for (size_t i = 0; i < found.size(); ++i)
      CAMBIUM_TRY(prepare(entry, entry.launches[i], found[i]));
    known = std::move(found);
  }
  out = &known;
  return CAMBIUM_STATUS_OK;
}
