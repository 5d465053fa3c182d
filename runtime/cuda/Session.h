//===-- runtime/cuda/Session.h - Calls on a device ------------ -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_SESSION_H
#define CAMBIUM_RUNTIME_CUDA_SESSION_H

#include "Model.h"
#include "Staging.h"

struct cambium::runtime::BackendSession {
  BackendSession(const BackendDevice &device, int64_t limit)
      : device(device), limit(limit), block(device),
        pinned(device, /*isPinned=*/true), workspace(device) {}
  BackendSession(const BackendSession &) = delete;
  BackendSession &operator=(const BackendSession &) = delete;
  ~BackendSession();

  cambium_status_t open();
  cambium_status_t run(BackendModel &model, BackendCall &call);
  void trim();

  int64_t held() const { return block.size() + workspace.size(); }
  /// Times of the stages of the last call; none of an entry that does not
  /// measure, or fails.
  std::vector<runtime::BackendStage> stages;
  int64_t peak = 0;
  const BackendDevice &device;

private:
  cambium_status_t placeForests(BackendCall &call);
  cambium_status_t reserve(const BackendCall &call, const cuda::Layout &layout,
                           int64_t &outWorkspace);
  cambium_status_t launch(const BackendCall &call,
                          const std::vector<cuda::Kernel> &kernels,
                          const cuda::Layout &layout);
  cambium_status_t readState(const BackendCall &call,
                             const cuda::Layout &layout) const;
  void readTimes(const BackendCall &call, const cuda::Layout &layout);

  /// Most bytes of the device to hold; 0: no limit.
  int64_t limit;
  cuda::Stream stream = nullptr;
  /// The block of a call (Staging.h), its pinned copy, and what kernels use.
  cuda::Memory block, pinned, workspace;
  /// Of the call at hand: trees, then chains.
  std::vector<const cambium_abi_forest_t *> forests;
};

#endif // CAMBIUM_RUNTIME_CUDA_SESSION_H
