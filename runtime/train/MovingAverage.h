//===-- MovingAverage.h - Parameters averaged over updates ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_MOVINGAVERAGE_H
#define CAMBIUM_TRAIN_MOVINGAVERAGE_H

#include "Engine.h"

namespace cambium::train {

/// Beside the trained parameters of a model, their average: after each update
/// decay * average + (1 - decay) * parameter.
class MovingAverage {
public:
  /// Averages with this decay from now on; 0: never.
  explicit MovingAverage(double decay) : decay(decay) {}
  bool isOn() const { return decay > 0; }

  /// Begins with the parameters as they are.
  Status start(Engine &engine);
  /// Takes the parameters after update number `updates`, from 1.
  Status update(Engine &engine, int64_t updates);
  /// Exchanges the average and the parameters.
  Status swap(Engine &engine);

private:
  template <typename Visit> Status visit(Engine &engine, Visit visit);

  double decay;
  std::vector<std::vector<char>> means; ///< By parameter, as in the engine.
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_MOVINGAVERAGE_H
