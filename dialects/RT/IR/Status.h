//===-- dialects/RT/IR/Status.h - How calls end --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_STATUS_H
#define CAMBIUM_DIALECTS_RT_IR_STATUS_H

#include <cstdint>

namespace cambium::rt {

/// What an `rt.fail_if` or a barrier ends a call with: those of
/// `cambium_status_t` that the compiler uses (lib/LLVM/AbiAccess.cpp compares
/// the numbers).
enum class Status : int32_t {
  InvalidArgument = 1,
  OutOfRange = 3,
  NotFinite = 9,
  DeviceError = 13
};

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_STATUS_H
