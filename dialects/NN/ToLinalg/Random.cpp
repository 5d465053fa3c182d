//===-- dialects/NN/ToLinalg/Random.cpp - Random numbers on linalg -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/RandomKeys.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/ToLinalg/Models.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

Value nn::elementOfRow(LinalgBuilder &b, RankedTensorType type, int64_t first) {
  Value element = b.index(0);
  for (int64_t i = first; i < type.getRank(); ++i) {
    element = b.make<arith::MulIOp>(element, b.index(type.getDimSize(i)));
    element = b.add(element, b.make<linalg::IndexOp>(i));
  }
  return b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), element);
}

/// The key of the current element of an op with keys and an id.
static Value elementKey(LinalgBuilder &b, Value key, int64_t id,
                        RankedTensorType type, int64_t leading) {
  Value number = b.make<arith::ConstantIntOp>(b.getBuilder().getI64Type(), id);
  return random::mix(b, random::mix(b, key, number),
                     elementOfRow(b, type, leading));
}

/// The keys that a value of the type needs: one for each index of its leading
/// dimensions. Fails with an error at the op.
static FailureOr<int64_t> checkKeys(Operation *op, RankedTensorType type,
                                    Value keys, std::optional<uint64_t> id) {
  if (!id)
    return op->emitOpError("expected an 'id' beside 'keys'");
  int64_t leading = tensorType(keys).getRank();
  if (type.getShape().take_front(leading) == tensorType(keys).getShape())
    return leading;
  return op->emitOpError() << "expected a key per row of " << type
                           << ", but got " << keys.getType();
}

static AffineMap keyMap(LinalgBuilder &b, RankedTensorType type,
                        int64_t leading) {
  return b.dims(type.getRank(),
                llvm::to_vector(llvm::seq<int64_t>(0, leading)));
}

/// Drops where uniform < rate, compared as integers: uniform is k / 2^24 with
/// an integer k, so that `k < ceil(rate 2^24)` is the same for every float
/// type.
static Lowered lowerDropout(DropoutOp op, LinalgBuilder &b) {
  if (!op.getKeys())
    return lowered(op.getInput());
  RankedTensorType type = op.getType();
  FailureOr<int64_t> leading = checkKeys(op, type, op.getKeys(), op.getId());
  if (failed(leading))
    return failure();
  double rate = op.getRate().convertToDouble();
  auto threshold = static_cast<int64_t>(std::ceil(rate * (1 << 24)));
  auto drop = [&](LinalgBuilder &b, ValueRange args) -> Value {
    Value bits = random::uniformBits(
        b, elementKey(b, args[1], *op.getId(), type, *leading));
    Value limit =
        b.make<arith::ConstantIntOp>(b.getBuilder().getI64Type(), threshold);
    Value dropped =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, bits, limit);
    Value kept = b.make<arith::MulFOp>(
        args[0], b.number(args[0].getType(), 1 / (1 - rate)));
    return b.make<arith::SelectOp>(dropped, b.number(args[0].getType(), 0),
                                   kept);
  };
  AffineMap rows = keyMap(b, type, *leading);
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), b.getContext());
  return lowered(b.map(b.emptyLike(type, op.getInput()),
                       {op.getInput(), op.getKeys()}, {identity, rows}, drop));
}

/// An odd number of 24 bits as a part of 2^24: in (0, 1), and exact as f32.
static Value openUniform(LinalgBuilder &b, Value key, Type type) {
  Type i64 = b.getBuilder().getI64Type();
  Value odd = b.make<arith::OrIOp>(random::uniformBits(b, key),
                                   b.make<arith::ConstantIntOp>(i64, 1));
  return b.make<arith::MulFOp>(b.make<arith::UIToFPOp>(type, odd),
                               b.number(type, 0x1p-24));
}

/// first + second x.
static Value scaled(LinalgBuilder &b, RandomOp op, Value x) {
  Type type = x.getType();
  Value scale = b.number(type, op.getSecond().convertToDouble());
  return b.add(b.number(type, op.getFirst().convertToDouble()),
               b.make<arith::MulFOp>(x, scale));
}

static Value drawUniform(LinalgBuilder &b, RandomOp op, Value key, Type type) {
  double low = op.getFirst().convertToDouble(),
         range = op.getSecond().convertToDouble() - low;
  Value part = b.make<arith::UIToFPOp>(type, random::uniformBits(b, key));
  return b.add(b.number(type, low),
               b.make<arith::MulFOp>(part, b.number(type, range * 0x1p-24)));
}

/// cos(2 pi w) of a multiple w of 2^-24 in (0, 1), as the sine of an angle of
/// at most a right one: w - 1/2 and |w - 1/2| - 1/4 are exact, so that the
/// result is as precise where it is small, which 2 pi w as f32 is not.
static Value cosineOfTurns(LinalgBuilder &b, Value turns) {
  Type type = turns.getType();
  Value half = b.make<math::AbsFOp>(b.add(turns, b.number(type, -0.5)));
  Value quarter = b.add(half, b.number(type, -0.25));
  Value angle = b.make<arith::MulFOp>(
      quarter, b.number(type, 2 * 3.14159265358979323846));
  return b.make<math::SinOp>(angle);
}

/// Of two uniform numbers (Box and Muller 1958).
static Value drawNormal(LinalgBuilder &b, RandomOp op, Value key, Type type) {
  Value zero = b.make<arith::ConstantIntOp>(b.getBuilder().getI64Type(), 0);
  Value log = b.make<math::LogOp>(openUniform(b, key, type));
  Value length =
      b.make<math::SqrtOp>(b.make<arith::MulFOp>(log, b.number(type, -2)));
  Value turns = openUniform(b, random::mix(b, key, zero), type);
  return scaled(b, op, b.make<arith::MulFOp>(length, cosineOfTurns(b, turns)));
}

static Value drawGumbel(LinalgBuilder &b, RandomOp op, Value key, Type type) {
  Value inner = b.make<math::LogOp>(openUniform(b, key, type));
  Value outer = b.make<math::LogOp>(b.make<arith::NegFOp>(inner));
  return scaled(b, op, b.make<arith::NegFOp>(outer));
}

/// The upper 32 bits as a part of 2^32, of the numbers that there are.
static Value drawInteger(LinalgBuilder &b, RandomOp op, Value key, Type type) {
  Type i64 = b.getBuilder().getI64Type();
  auto low = static_cast<int64_t>(op.getFirst().convertToDouble());
  auto count = static_cast<int64_t>(op.getSecond().convertToDouble()) - low;
  auto constant = [&](int64_t value) -> Value {
    return b.make<arith::ConstantIntOp>(i64, value);
  };
  Value bits = b.make<arith::ShRUIOp>(key, constant(32));
  Value number = b.make<arith::ShRUIOp>(
      b.make<arith::MulIOp>(bits, constant(count)), constant(32));
  return b.make<arith::TruncIOp>(type, b.add(number, constant(low)));
}

static Lowered lowerRandom(RandomOp op, LinalgBuilder &b) {
  RankedTensorType type = op.getType();
  if (!op.getKeys())
    return op.emitOpError("expected keys of rows");
  FailureOr<int64_t> leading = checkKeys(op, type, op.getKeys(), op.getId());
  if (failed(leading))
    return failure();
  auto draw = [&](LinalgBuilder &b, ValueRange args) -> Value {
    int64_t id = kRandomIds + static_cast<int64_t>(*op.getId());
    Value key = elementKey(b, args[0], id, type, *leading);
    Type element = type.getElementType();
    switch (op.getDistribution()) {
    case Distribution::Uniform:
      return drawUniform(b, op, key, element);
    case Distribution::Normal:
      return drawNormal(b, op, key, element);
    case Distribution::Gumbel:
      return drawGumbel(b, op, key, element);
    case Distribution::Integer:
      return drawInteger(b, op, key, element);
    }
    llvm_unreachable("unknown distribution");
  };
  return lowered(b.map(b.emptyLike(type, op.getKeys()), op.getKeys(),
                       keyMap(b, type, *leading), draw));
}

void nn::attachRandomLowerings(MLIRContext *context) {
  attachLinalgModel<DropoutOp, lowerDropout>(context);
  attachLinalgModel<RandomOp, lowerRandom>(context);
}
