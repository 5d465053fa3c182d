//===-- StructureBuilder.cpp - Numbers and arrays of structure ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StructureBuilder.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/Bounds.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

StructureBuilder::StructureBuilder(func::FuncOp entry, Library &library)
    : entry(entry), library(library), costs(rt::getTargetCosts(entry)),
      b(entry.getContext()),
      words(MemRefType::get({ShapedType::kDynamic}, b.getI32Type())) {}

Value StructureBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value StructureBuilder::plus(Value value, int64_t more) {
  return arith::AddIOp::create(b, loc, value, index(more));
}

Value StructureBuilder::times(Value value, int64_t factor) {
  return arith::MulIOp::create(b, loc, value, index(factor));
}

Value StructureBuilder::atMost(Value value, Value bound) {
  return rt::AtMostOp::create(b, loc, value, bound);
}

Value StructureBuilder::read(Value array, int64_t i) {
  Value word = memref::LoadOp::create(b, loc, array, index(i));
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
}

FailureOr<Value> StructureBuilder::allocate(Value size) {
  Operation *place =
      entry.getBody().front().findAncestorOpInBlock(*b.getInsertionPoint());
  OpBuilder outside(place);
  Value bound = rt::boundOf(size, outside, [&](Value value) {
    return !place->isAncestor(value.getParentRegion()->getParentOp());
  });
  if (!bound)
    return emitError(loc, "expected rows whose number has a bound outside of "
                          "loops");
  return rt::AllocOp::create(outside, loc, words, bound).getResult();
}

LogicalResult
StructureBuilder::allocate(ArrayRef<std::pair<Value *, Value>> arrays) {
  for (auto [array, size] : arrays) {
    FailureOr<Value> made = allocate(size);
    if (failed(made))
      return failure();
    *array = *made;
  }
  return success();
}

void StructureBuilder::stage(StringRef name, Value count,
                             ValueRange arguments) {
  library.emitStage(b, loc, name, count, arguments, costs);
}

void StructureBuilder::boundReads(Value array, Value bound) {
  for (Operation *user : llvm::make_early_inc_range(array.getUsers())) {
    if (sourceOfView(user))
      boundReads(user->getResult(0), bound);
    auto load = dyn_cast<memref::LoadOp>(user);
    if (!load)
      continue;
    for (Operation *number : llvm::make_early_inc_range(load->getUsers())) {
      if (!isa<arith::IndexCastOp>(number))
        continue;
      OpBuilder behind(number->getContext());
      behind.setInsertionPointAfter(number);
      Value all = number->getResult(0);
      auto most = rt::AtMostOp::create(behind, loc, all, bound);
      all.replaceAllUsesExcept(most, most);
    }
  }
}
