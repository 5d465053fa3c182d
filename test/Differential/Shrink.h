//===-- test/Differential/Shrink.h - Smaller models ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_SHRINK_H
#define CAMBIUM_TEST_DIFFERENTIAL_SHRINK_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace cambium::difftest {

/// Takes ops out of a model as long as `stillFails` says so of its text, at
/// most `attempts` times: a value is replaced by an earlier one of its type or
/// by a constant, and what is then unused goes.
std::string shrink(std::string model, mlir::DialectRegistry &registry,
                   llvm::function_ref<bool(llvm::StringRef)> stillFails,
                   int64_t attempts);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_SHRINK_H
