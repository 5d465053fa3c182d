//===-- OwnMemory.cpp - Memory for what several blocks compute alike ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnMemory.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/Bounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

const OwnMemory::Copies *OwnMemory::find(Value base) const {
  const auto *found = llvm::find_if(
      copies, [&](const Copies &known) { return known.rows == base; });
  return base && found != copies.end() ? found : nullptr;
}

LogicalResult OwnMemory::allocate(const RowOp &op, int64_t number,
                                  Operation *place) {
  Location loc = op.op->getLoc();
  OpBuilder b(place);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  for (const RowAccess &access : op.accesses) {
    if (!access.writes || find(access.base))
      continue;
    auto type = cast<MemRefType>(access.base.getType());
    int64_t rowBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (int64_t size : type.getShape().drop_front())
      rowBytes *= size;
    Value bound =
        rt::boundOf(RowsOfMemory(access.base).count, b, [&](Value value) {
          return !place->isAncestor(value.getParentRegion()->getParentOp());
        });
    if (!bound)
      return failure();
    Value bytes = arith::MulIOp::create(b, loc, bound, index(rowBytes));
    Value all = arith::MulIOp::create(b, loc, bytes, index(number));
    auto memory = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    copies.push_back({access.base, rt::AllocOp::create(b, loc, memory, all),
                      bytes, Value()});
  }
  return success();
}

void OwnMemory::choose(OpBuilder &b, Location loc, Value number) {
  for (Copies &known : copies) {
    Value begin = arith::MulIOp::create(b, loc, number, known.bytesOfOne);
    auto type = cast<MemRefType>(known.rows.getType());
    auto plain = MemRefType::get(type.getShape(), type.getElementType());
    known.chosen = memref::ViewOp::create(b, loc, plain, known.memory, begin,
                                          RowsOfMemory(known.rows).count);
    if (plain != type)
      known.chosen = memref::CastOp::create(b, loc, type, known.chosen);
  }
}

Value OwnMemory::use(OpBuilder &b, Value value, const RowOp *forOthers) const {
  if (!isa<MemRefType>(value.getType()))
    return value;
  Value base = RowsOfMemory(value).base;
  const Copies *known = find(base);
  if (!known || (forOthers && forOthers->writesTo(base)))
    return value;
  if (value == base)
    return known->chosen;
  Operation *view = value.getDefiningOp();
  Value source = sourceOfView(view);
  IRMapping mapping;
  mapping.map(source, use(b, source, forOthers));
  return b.clone(*view, mapping)->getResult(0);
}

bool OwnMemory::isReadOutside(Value base) const {
  Value root = base;
  while (Value source = sourceOfView(root.getDefiningOp()))
    root = source;
  if (!root.getDefiningOp<rt::AllocOp>())
    return true;
  SmallVector<Value> views{root};
  while (!views.empty()) {
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (sourceOfView(user)) {
        llvm::append_range(views, user->getResults());
        continue;
      }
      bool isOfGroup = llvm::any_of(group, [&](const RowOp &op) {
        return op.op->isAncestor(user) || op.start.replaced == user;
      });
      if (!isOfGroup && !isMemoryEffectFree(user))
        return true;
    }
  }
  return false;
}

bool OwnMemory::isReadOutside(const RowOp &op) const {
  return llvm::any_of(op.accesses, [&](const RowAccess &access) {
    return access.writes && isReadOutside(access.base);
  });
}
