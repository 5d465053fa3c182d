//===-- test/Differential/Failure.h - What a check found ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_FAILURE_H
#define CAMBIUM_TEST_DIFFERENTIAL_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cambium::difftest {

/// A failure: `kind` is one word that stays the same while a model shrinks
/// ("compile", "values", "gradient", ...), the rest says what differs.
inline llvm::Error fail(llvm::StringRef kind, const llvm::Twine &what) {
  return llvm::createStringError(kind + ": " + what);
}

/// `expected 1, but got 2 (tolerance 0.5)`.
inline std::string describe(double expected, double actual, double tolerance) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("expected %.9g, but got %.9g (tolerance %.3g)", expected,
                      actual, tolerance);
  return text;
}

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_FAILURE_H
