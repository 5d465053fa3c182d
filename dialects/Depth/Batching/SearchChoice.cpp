//===-- dialects/Depth/Batching/SearchChoice.cpp - What a step keeps ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the scores of the live hypotheses' next words: which hypotheses of an
// example there are behind the step.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/SearchBatcher.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

static constexpr double kNone = -std::numeric_limits<double>::infinity();

Choice SearchBatcher::choose() {
  scores = orNone(scores);
  return op.getSampled() ? draw() : chooseBest();
}

//===----------------------------------------------------------------------===//
// A beam
//===----------------------------------------------------------------------===//

/// The score of every hypothesis with every word behind it. One that has ended
/// stays what it is: its score stands at word 0, the others are none.
Value SearchBatcher::makeCandidates() {
  Value all = pickRows(scores, live.numbers);
  Value sums = spread(now.score, {count, numWords}, {1});
  Value extended = make<arith::AddFOp>(all, sums);
  SmallVector<double> first(numWords, kNone);
  first.front() = 0;
  Value only =
      spread(numbers(scoreType, numWords, first), {count, numWords}, {2});
  Value kept = make<arith::AddFOp>(sums, only);
  Value isLive = isSet(spread(now.live, {count, numWords}, {1}));
  return orNone(select(isLive, extended, kept));
}

/// Scores over powers of the lengths.
Value SearchBatcher::rankCandidates(Value candidates) {
  if (!op.getLengthPenaltyAttr())
    return candidates;
  double penalty = op.getLengthPenalty()->convertToDouble();
  Value length =
      make<arith::AddFOp>(cast(now.length, builder.getF32Type()), now.live);
  length = cast(length, scoreType);
  length = make<arith::MaximumFOp>(length, number(scoreType, count, 1));
  Value power = make<arith::MulFOp>(make<math::LogOp>(length),
                                    number(scoreType, count, -penalty));
  Value factor = make<math::ExpOp>(power);
  return make<arith::MulFOp>(candidates,
                             spread(factor, {count, numWords}, {1}));
}

Choice SearchBatcher::chooseBest() {
  Type i32 = builder.getI32Type();
  int64_t all = count * numWords;
  Value candidates = makeCandidates();
  Value ranked = reshape(rankCandidates(candidates), all);
  auto top = make<nn::TopOp>(ranked, count, /*dim=*/1);
  Value size = number(i32, count, static_cast<double>(numWords));
  Value parent = make<arith::DivSIOp>(top.getPlaces(), size);
  Value word =
      make<arith::SubIOp>(top.getPlaces(), make<arith::MulIOp>(parent, size));
  Value score = op.getLengthPenaltyAttr()
                    ? pickAlong(reshape(candidates, all), top.getPlaces())
                    : Value(top.getValues());
  return {parent, word, score};
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// The word whose score and what is drawn for it are greatest together.
Choice SearchBatcher::draw() {
  Value values = scores, words;
  if (op.getAmong()) {
    int64_t among = std::min(numWords, static_cast<int64_t>(*op.getAmong()));
    auto top = make<nn::TopOp>(scores, among, /*dim=*/1);
    values = top.getValues();
    words = top.getPlaces();
  }
  int64_t id = nn::kSearchIds + static_cast<int64_t>(op.getId().value_or(0));
  Value noise = make<nn::RandomOp>(
      values.getType(),
      nn::DistributionAttr::get(builder.getContext(), nn::Distribution::Gumbel),
      builder.getF64FloatAttr(0), builder.getF64FloatAttr(1), /*like=*/Value(),
      drawKeys, /*training=*/UnitAttr(), builder.getI64IntegerAttr(id));
  Value sum = make<arith::AddFOp>(values, noise);
  Value best = make<nn::TopOp>(sum, 1, /*dim=*/1).getPlaces();
  Value word = words ? pickAlong(words, best) : best;
  Value score = pickAlong(scores, word);
  SmallVector<double> places;
  for (int64_t place = 0; place < count; ++place)
    places.push_back(static_cast<double>(place));
  return {numbers(builder.getI32Type(), count, places),
          reshape(pickRows(word, live.numbers), count),
          make<arith::AddFOp>(now.score,
                              reshape(pickRows(score, live.numbers), count))};
}

//===----------------------------------------------------------------------===//
// The next hypotheses
//===----------------------------------------------------------------------===//

/// The words of the hypotheses, of which those that grow have one more; of
/// those that are none, the word that ends.
Value SearchBatcher::addWord(const Choice &choice, Value length, Value grows,
                             Value found) {
  Type i32 = builder.getI32Type();
  SmallVector<double> numbersOfWords;
  for (int64_t t = 0; t < max; ++t)
    numbersOfWords.push_back(static_cast<double>(t + 1));
  Value place = spread(numbers(i32, max, numbersOfWords), {count, max}, {2});
  Value isLast = make<arith::CmpIOp>(arith::CmpIPredicate::eq, place,
                                     spread(length, {count, max}, {1}));
  Value isNew = make<arith::AndIOp>(isLast, spread(grows, {count, max}, {1}));
  Value before = pickAlong(now.words, choice.parent);
  Value words = select(isNew, spread(choice.word, {count, max}, {1}), before);
  return select(spread(found, {count, max}, {1}), words,
                spread(end, {count, max}, {}));
}

Hypotheses SearchBatcher::follow(const Choice &choice) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  Value found = isThere(choice.score);
  Value wasLive = isSet(pickAlong(now.live, choice.parent));
  Value grows = make<arith::AndIOp>(found, wasLive);
  Value zero = number(i32, count, 0), one = number(i32, count, 1);
  Value length = make<arith::AddIOp>(pickAlong(now.length, choice.parent),
                                     select(grows, one, zero));
  Hypotheses next;
  next.length = select(found, length, zero);
  next.score = choice.score;
  next.words = addWord(choice, next.length, grows, found);
  next.lastWord = choice.word;
  Value goesOn = make<arith::CmpIOp>(arith::CmpIPredicate::ne, choice.word,
                                     spread(end, count, {}));
  goesOn = make<arith::AndIOp>(grows, goesOn);
  next.live = select(goesOn, number(f32, count, 1), number(f32, count, 0));
  Value row = select(grows, pickAlong(live.numbers, choice.parent),
                     number(i32, count, -1));
  for (Value values : this->next)
    next.carried.push_back(pickRows(values, row));
  return next;
}
