//===-- runtime/cuda/Staging.h - A call as one block of memory  -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Everything that kernels read of a call, and the outputs, lie in one block of
/// device memory. Its beginning is filled in pinned memory of the host and
/// uploaded at once, its end is downloaded at once:
///
///     call | spaces | forests | inputs | ... | barriers | state | times |
///     outputs uploaded
///     -------------------------------------------------------|
///                                               downloaded -----------+---|
///
/// Outputs that nobody wants stand behind those that somebody does.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_STAGING_H
#define CAMBIUM_RUNTIME_CUDA_STAGING_H

#include "Device.h"

namespace cambium::cuda {

/// Where the parts of the block are, in bytes from its beginning.
struct Layout {
  int64_t state = 0, times = 0, uploadEnd = 0, downloadEnd = 0, end = 0;
};

/// What kernels get besides the call.
struct DeviceArrays {
  Address params = 0, workspace = 0;
  int64_t workspaceBytes = 0;
};

/// Puts the parts of a call one behind the other. Without memory it only
/// measures.
class Staging {
public:
  Staging(const runtime::BackendHost &host, const runtime::BackendCall &call,
          const cambium_abi_forest_t *const *forests, int64_t numForests)
      : host(host), call(call), forests(forests), numForests(numForests) {}

  Layout measure();
  /// Fills `memory`, which has room up to `downloadEnd`, with what is uploaded
  /// to `address`.
  void fill(char *memory, Address address, const DeviceArrays &arrays);
  /// Copies outputs out of `memory`.
  void takeOutputs(const char *memory) const;

  int64_t outputBytes(int64_t index) const;
  /// Of the stages that kernels measure.
  int64_t timesBytes() const;

private:
  Layout place(const DeviceArrays &arrays);
  /// Room for an array, which is copied (null: zeros, or left alone when it is
  /// not uploaded). Its address on the device.
  Address put(const void *data, int64_t bytes);
  Address reserve(int64_t bytes);
  template <typename T> const T *putArray(const T *data, int64_t count) {
    return reinterpret_cast<const T *>(
        put(data, count * static_cast<int64_t>(sizeof(T))));
  }
  void putSpaces(cambium_abi_call_t &out);
  void putForests(cambium_abi_call_t &out);
  void putInputs(cambium_abi_call_t &out);
  void placeOutputs(bool areWanted, Address table);
  /// The memory behind an address on the device; null while measuring.
  char *at(Address place) const {
    return memory ? memory + (place - address) : nullptr;
  }

  const runtime::BackendHost &host;
  const runtime::BackendCall &call;
  const cambium_abi_forest_t *const *forests;
  int64_t numForests;
  char *memory = nullptr;
  Address address = 0;
  int64_t used = 0;
};

} // namespace cambium::cuda

#endif // CAMBIUM_RUNTIME_CUDA_STAGING_H
