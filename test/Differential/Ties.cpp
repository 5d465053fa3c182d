//===-- test/Differential/Ties.cpp - Choices that rounding makes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where two words have the same score but for rounding, a search of compiled
// code may take the other one than the interpreter, and everything behind it is
// another one. That is no error. Whether scores are near to each other is not
// seen in the results; but a tie falls to the other side when the parameters
// move by what rounding is, and nothing else does.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "llvm/ADT/STLExtras.h"

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::Expected;

static bool agree(ArrayRef<Tensor> one, ArrayRef<Tensor> other,
                  ArrayRef<double> tolerances) {
  Tally none;
  for (auto [a, b, tolerance] : llvm::zip_equal(one, other, tolerances)) {
    // Parameters nearby have floats that are nearby.
    llvm::Error error = compareTensors("", a, b, 2 * tolerance, none);
    bool differ = static_cast<bool>(error);
    consumeError(std::move(error));
    if (differ)
      return false;
  }
  return true;
}

Expected<bool>
difftest::areOfTie(Subject &subject, const cambium_entry_t *entry,
                   const ExampleData &example, ArrayRef<Tensor> exact,
                   ArrayRef<Tensor> actual, ArrayRef<double> tolerances) {
  constexpr int kTries = 16;
  Random random(1);
  for (int i = 0; i < kTries; ++i) {
    Expected<std::vector<Tensor>> nearby =
        subject.interpretNearby(entry, example, random);
    if (!nearby)
      return nearby.takeError();
    if (agree(*nearby, actual, tolerances) &&
        !agree(*nearby, exact, tolerances))
      return true;
  }
  return false;
}
