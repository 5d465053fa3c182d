//===-- runtime/cuda/Model.h - A store on a device ------------ -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CUDA_MODEL_H
#define CAMBIUM_RUNTIME_CUDA_MODEL_H

#include "Code.h"

#include <array>
#include <memory>

struct cambium::runtime::BackendModel {
  BackendModel(const BackendDevice &device,
               const cambium_abi_device_module_t &module,
               const cambium_parameter_info_t *infos,
               const cambium::runtime::StateShape *states, int64_t count);

  cambium_status_t push(const cambium_abi_param_t *params, bool all);
  cambium_status_t pull(cambium_abi_param_t *params);
  cambium_status_t clear();

  /// The arrays of a parameter, in this order.
  enum Array : size_t { Value, Gradient, State0, State1, Touched, IsTouched };
  static constexpr size_t kNumArrays = 6;

  struct Parameter {
    const cambium_parameter_info_t *info;
    const cambium::runtime::StateShape *state;
    std::array<std::unique_ptr<cuda::Memory>, kNumArrays> arrays;

    int64_t bytesOf(size_t array) const;
    bool has(size_t array) const { return arrays[array] != nullptr; }
    cuda::Address address(size_t array) const {
      return has(array) ? arrays[array]->address() : 0;
    }
  };

  const BackendDevice &device;
  cuda::Code code;
  std::vector<Parameter> parameters;
  /// One cambium_abi_param_t for each parameter.
  cuda::Memory table;

private:
  cambium_status_t pushParameter(size_t index, const cambium_abi_param_t &from,
                                 bool all);
  cambium_status_t pushMissing(const cambium_abi_param_t *params, bool all);

  /// Where the number of touched rows of a parameter is.
  cuda::Address numTouched(size_t index) const;
  /// What the table on the device holds, but for numbers of touched rows.
  std::vector<cambium_abi_param_t> entries;
  /// Arrays that the push at hand has made.
  std::vector<std::unique_ptr<cuda::Memory> *> fresh;
};

#endif // CAMBIUM_RUNTIME_CUDA_MODEL_H
