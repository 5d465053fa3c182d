//===-- runtime/core/Processors.h - What this process may use ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_PROCESSORS_H
#define CAMBIUM_RUNTIME_CORE_PROCESSORS_H

#include <cstdint>

namespace cambium::runtime {

/// The processors that the process may use at once: of its affinity, as many as
/// the quotas of its control groups pay for. At least 1.
int32_t numProcessors();

/// The quota of the process in processors: the least of its control groups (cpu
/// of version 1, or version 2) and those around them; infinity where there is
/// none. Files are looked up below `root`, which is empty outside of tests.
double processorQuota(const char *root);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_PROCESSORS_H
