//===-- Orders.h - Orders of rows, and what undoes them ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_ORDERS_H
#define CAMBIUM_RAGGED_ORDERS_H

#include "dialects/Ragged/IR/Ragged.h"

namespace cambium::ragged {

/// The order that undoes another.
inline Order inverse(Order order) {
  switch (order) {
  case Order::NodesToLevels:
    return Order::NodesToUser;
  case Order::NodesToUser:
    return Order::NodesToLevels;
  case Order::EdgesToLevels:
    return Order::EdgesToUser;
  case Order::EdgesToUser:
    return Order::EdgesToLevels;
  }
  llvm_unreachable("unknown order");
}

} // namespace cambium::ragged

#endif // CAMBIUM_RAGGED_ORDERS_H
