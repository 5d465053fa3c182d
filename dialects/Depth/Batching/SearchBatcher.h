//===-- dialects/Depth/Batching/SearchBatcher.h - A search over a batch --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_BATCHING_SEARCHBATCHER_H
#define CAMBIUM_DIALECTS_DEPTH_BATCHING_SEARCHBATCHER_H

#include "dialects/Depth/IR/Depth.h"
#include "dialects/Ragged/Batching/Batcher.h"
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cambium::depth {

/// What is known of all hypotheses of an example, the places of which are a
/// dimension of `count`: arrays with a row per example.
struct Hypotheses {
  /// 1 for those that go on, else 0.
  mlir::Value live;
  mlir::Value score, length, words, lastWord;
  llvm::SmallVector<mlir::Value> carried;

  llvm::SmallVector<mlir::Value> inOrder() const;
  static Hypotheses fromOrder(mlir::ValueRange values);
};

/// Of those that go on, in order: the rows that the body computes.
struct LiveRows {
  /// Their partition into the examples at hand, and that into all.
  mlir::Value own, all;
  /// For each, its place among the hypotheses of its example.
  mlir::Value places;
  /// For each hypothesis at hand, the number of its row; -1 for one that has
  /// ended.
  mlir::Value numbers;
};

/// Where the rows stand that belong to the hypotheses at hand: a row for each
/// of their words, the same for all that grows. Rows are kept once, in arrays
/// with a place for each step and hypothesis of every example.
struct GrownRows {
  /// The rows of the words before, and those with the new ones, as partitions
  /// with a segment for each hypothesis; the places of these rows.
  mlir::Value before, after, placesBefore, placesAfter;
  /// The places of the new rows.
  mlir::Value newPlaces;
};

/// What one step makes of the hypotheses.
struct Choice {
  /// The place of the hypothesis that is kept or extended, the new word.
  mlir::Value parent, word;
  mlir::Value score;
};

/// Builds the `ragged.iterate` of a search. Its rows are the examples.
class SearchBatcher {
public:
  SearchBatcher(SearchOp op, Batcher &batcher)
      : op(op), loc(op.getLoc()), batcher(batcher),
        builder(batcher.getBuilder()), outer(batcher.getContext()),
        count(static_cast<int64_t>(op.getCount())),
        max(static_cast<int64_t>(op.getMax())), numWords(op.getNumWords()),
        scoreType(getElementTypeOrSelf(op.getScores().getType())) {}

  llvm::LogicalResult run();

private:
  // Search.cpp
  Hypotheses makeStart();
  llvm::LogicalResult batchBody();
  LiveRows findLiveRows();
  void bindArguments();
  llvm::LogicalResult batchRegion();
  void setResults(const Hypotheses &found);

  // SearchGrowth.cpp
  bool hasGrown() { return !op.getGrownArgs().empty(); }
  mlir::Value makeStore(mlir::BlockArgument rows);
  void findGrownRows();
  mlir::Value findPlaces(mlir::Value trace, mlir::Value rows);
  void bindGrown(BatchContext &context);
  llvm::FailureOr<mlir::Value> append(mlir::Operation *append, mlir::Value rows,
                                      mlir::Value row);
  llvm::LogicalResult keepGrown();

  // SearchChoice.cpp
  Choice choose();
  Choice chooseBest();
  mlir::Value makeCandidates();
  mlir::Value rankCandidates(mlir::Value candidates);
  Choice draw();
  Hypotheses follow(const Choice &choice);
  mlir::Value addWord(const Choice &choice, mlir::Value length,
                      mlir::Value grows, mlir::Value found);

  // SearchValues.cpp
  /// So many rows of a constant.
  mlir::Value numbers(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<double> values);
  mlir::Value number(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                     double value) {
    return numbers(element, shape, value);
  }
  /// The dimensions behind the first are some of those of the result.
  mlir::Value spread(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> dims);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value isSet(mlir::Value number);
  mlir::Value isThere(mlir::Value score);
  /// Minus infinity for what is no number.
  mlir::Value orNone(mlir::Value score);
  mlir::Value pickAlong(mlir::Value values, mlir::Value places);
  /// For each place, the row of the live ones with the number.
  mlir::Value pickRows(mlir::Value rows, mlir::Value numbers);
  mlir::Value select(mlir::Value flag, mlir::Value a, mlir::Value b);
  mlir::Value cast(mlir::Value numbers, mlir::Type element);

  template <typename OpT, typename... Args> OpT make(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  SearchOp op;
  mlir::Location loc;
  Batcher &batcher;
  mlir::OpBuilder &builder;
  BatchContext &outer;
  int64_t count, max, numWords;
  mlir::Type scoreType;

  /// Where what does not change is computed, before the loop.
  mlir::OpBuilder::InsertPoint before;
  ragged::IterateBuilder loop{loc};
  /// The number of rows that constants are made for.
  mlir::Value numRows;
  mlir::Value ids;
  /// The hypotheses that the step begins with, and those that go on.
  Hypotheses now;
  LiveRows live;
  /// The word that ends a sequence, for each example at hand.
  mlir::Value end;
  /// The keys of the live ones, if words are drawn.
  mlir::Value drawKeys;
  /// Where the rows of the live ones are, and for each hypothesis the places of
  /// its rows among those of its example.
  GrownRows grown;
  mlir::Value trace;
  /// The arrays of what grows, as the body began with them and with new rows.
  llvm::SmallVector<mlir::Value> stores;
  llvm::DenseMap<mlir::Value, std::pair<unsigned, mlir::Value>> appended;
  /// What the body has yielded for the live ones.
  mlir::Value scores;
  llvm::SmallVector<mlir::Value> next;
  ragged::IterateYields yields;
};

/// Attaches `BatchableOpInterface` to `depth.search`.
void attachSearchBatching(mlir::MLIRContext &context);

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_BATCHING_SEARCHBATCHER_H
