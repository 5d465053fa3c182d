//===-- test/Differential/Isolated.h - Work in a process of its own ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_ISOLATED_H
#define CAMBIUM_TEST_DIFFERENTIAL_ISOLATED_H

#include "Checks.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cambium::difftest {

/// How work in a process of its own has ended.
struct Outcome {
  /// Empty on success; else as `fail` writes it, "crash: ..." or "timeout:
  /// ...".
  std::string failure;
  /// What was printed to the standard error.
  std::string log;
  Tally tally;

  /// The kind of failure.
  llvm::StringRef getKind() const {
    return llvm::StringRef(failure).split(':').first;
  }
};

/// Runs `work` in a child process, so that a crash of the compiler or of
/// compiled code is a failure as any other one, for at most `seconds` of the
/// processor.
Outcome runIsolated(llvm::function_ref<llvm::Error(Tally &)> work,
                    unsigned seconds);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_ISOLATED_H
