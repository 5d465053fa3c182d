//===-- test/Differential/Adafactor.h - An optimizer of tensors -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_ADAFACTOR_H
#define CAMBIUM_TEST_DIFFERENTIAL_ADAFACTOR_H

#include "dialects/Train/IR/Train.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cambium::difftest {

/// The constants of an update rule.
struct Rule {
  train::OptimizerKind kind;
  double momentum, beta1, beta2, eps, decay;
  bool corrects, adapts;
  double clip, leastScale;
  bool relative, scales;
};

/// One element of a parameter and what the optimizer remembers of it.
struct Element {
  double value = 0, first = 0, second = 0;
};

/// What Adafactor remembers of a matrix of `moves.size()` rows, or of a vector,
/// of which `rows` has everything.
struct Means {
  llvm::MutableArrayRef<double> rows, columns;
};

/// One update of one tensor by Adafactor, of the rows that move; `t` is the
/// number of this update, from 1.
void adafactor(const Rule &rule, llvm::MutableArrayRef<Element> elements,
               Means means, llvm::ArrayRef<double> g,
               const std::vector<char> &moves, double rate, int64_t t);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_ADAFACTOR_H
