//===-- Batcher.h - From one example to all rows -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the models of `BatchableOpInterface` build the batched form with
// (docs/Batching.md). Code of one example or one node is batched in a
// *context*: the rows for which it is executed, that is all examples, the
// leaves of all trees, or the nodes of one level. A value of the code is then
//
// - *unit*: the same for all rows of the context, and stays as it is;
// - one per row of the context: it gets a leading dimension `?`;
// - rows (its first dimension is `?`): it becomes the flat tensor of all rows.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_BATCHER_H
#define CAMBIUM_RAGGED_BATCHING_BATCHER_H

#include "dialects/Ragged/Batching/RowSpaces.h"
#include "mlir/IR/Builders.h"
#include <functional>
#include <optional>

namespace cambium {

/// An array over all rows of the examples, and their partition.
struct AllRows {
  mlir::Value rows, partition;
};

/// Rows of the context around as each row at hand sees them: of the array
/// `all`, partitioned as `others`, those of its segment of `rows`. A row that
/// sees one makes a pair with it.
struct SeenRows {
  mlir::Value all, pairs, rows, others;
};

/// The rows for which code is batched.
struct BatchContext {
  /// Builds the number of rows, as an index.
  std::function<mlir::Value()> makeCount;
  /// Builds the random keys of the rows, `tensor<?xi64>`; null after an error.
  std::function<mlir::Value()> makeKeys;
  /// The partitions of the spaces of the code into rows of the context.
  llvm::DenseMap<unsigned, mlir::Value> partitions;
  /// Of arrays with a row per pair: what they show.
  llvm::DenseMap<mlir::Value, SeenRows> seen;
  /// What was built already.
  mlir::Value count, keys;
  /// In loops whose rows stop: their spaces. Not all rows are at hand.
  llvm::SmallVector<unsigned> stoppingSpaces;
  /// The one of them of which not even all rows of an example are at hand, and
  /// what gives a value of it for all rows (see `Batcher::getAllRows`).
  std::optional<unsigned> partialSpace;
  std::function<llvm::FailureOr<AllRows>(mlir::Operation *, mlir::Value)>
      makeAllRows;
  /// Builds the random keys of the rows of that space which are at hand.
  std::function<mlir::Value()> makePartialKeys;
  /// In a search: rows of hypotheses, with one more for each.
  std::function<llvm::FailureOr<mlir::Value>(mlir::Operation *,
                                             mlir::Value rows, mlir::Value row)>
      append;
};

/// The batched form of a function under construction.
class Batcher {
public:
  Batcher(mlir::OpBuilder builder, RowSpaces &spaces)
      : builder(builder), spaces(spaces) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  RowSpaces &getSpaces() { return spaces; }

  /// Whether the value is the same for all rows of the context.
  bool isUnit(mlir::Value value) const { return values.at(value).isUnit; }
  bool areUnit(mlir::ValueRange range) const {
    return llvm::all_of(range,
                        [&](mlir::Value value) { return isUnit(value); });
  }
  /// The batched form of a value: as it is if the value is unit.
  mlir::Value get(mlir::Value value) const { return values.at(value).value; }
  /// Whether the value was batched.
  bool has(mlir::Value value) const { return values.contains(value); }
  /// The batched form with a row per row of the context, or all rows.
  mlir::Value getRows(mlir::Value value);
  /// The type of `getRows` for a value of the type.
  static mlir::Type batchedType(mlir::Type type);

  /// Tells the batched form of a value.
  void set(mlir::Value value, mlir::Value batched, bool isUnit = false);
  void set(mlir::ValueRange range, mlir::ValueRange batched,
           bool isUnit = false);
  /// Another batched form stands for a value from here on, as in the cell of a
  /// node; gives the one before.
  mlir::Value rebind(mlir::Value value, mlir::Value batched) {
    return std::exchange(values.at(value).value, batched);
  }
  /// A gradient is taken of the value: it is one per row even if it could be
  /// unit, and is kept apart from what it is computed from.
  void watch(mlir::Value value) { forced.try_emplace(value, forced.size()); }

  /// Ids in these values are checked by the host before the call. Other ids,
  /// which the model computes, are brought within the bound of what they index.
  void setCheckedIds(llvm::DenseSet<mlir::Value> ids) {
    checkedIds = std::move(ids);
  }

  /// The partition of the rows of a value into rows of the context; fails with
  /// an error at `op` if there is none.
  llvm::FailureOr<mlir::Value> getPartition(mlir::Operation *op,
                                            mlir::Value rows);
  /// The same for an op that reads each row for itself: in a loop whose rows
  /// stop, the partition of those that are at hand.
  llvm::FailureOr<mlir::Value> getOwnPartition(mlir::Operation *op,
                                               mlir::Value rows);
  /// The partition of the rows that the rows of a value have into these.
  llvm::FailureOr<mlir::Value> getInnerPartition(mlir::Operation *op,
                                                 mlir::Value rows);
  /// The value for all rows of the examples, for an op that reads them all.
  llvm::FailureOr<AllRows> getAllRows(mlir::Operation *op, mlir::Value rows);
  /// The partition of the nodes of a tree into examples.
  llvm::FailureOr<mlir::Value> getNodePartition(mlir::Operation *op,
                                                mlir::Value tree);
  /// What the batched form of a value shows to each row at hand; null if it is
  /// something else.
  const SeenRows *getSeen(mlir::Value value) const {
    auto it = context->seen.find(get(value));
    return it == context->seen.end() ? nullptr : &it->second;
  }
  /// A value of the context (a batched or unit one) for each row of `like`.
  llvm::FailureOr<mlir::Value> expand(mlir::Operation *op, mlir::Value value,
                                      mlir::Value like);
  /// The same of a value that is batched already, one per row of the context.
  llvm::FailureOr<mlir::Value>
  expandBatched(mlir::Operation *op, mlir::Value batched, mlir::Value like);
  /// The number of rows, the random keys of the context.
  mlir::Value getCount();
  mlir::Value getKeys();
  /// The random keys of the rows of the batched form of a value.
  llvm::FailureOr<mlir::Value> getKeysOf(mlir::Operation *op,
                                         mlir::Value value);

  BatchContext &getContext() { return *context; }
  /// Code is batched in the context as long as the scope lives.
  class ContextScope {
  public:
    ContextScope(Batcher &batcher, BatchContext &context)
        : batcher(batcher), outer(std::exchange(batcher.context, &context)) {}
    ~ContextScope() { batcher.context = outer; }

  private:
    Batcher &batcher;
    BatchContext *outer;
  };
  /// Batches operations in their order; again, if they were batched before.
  llvm::LogicalResult batchOps(llvm::ArrayRef<mlir::Operation *> ops);
  /// Batches the operations of a block but its terminator.
  llvm::LogicalResult batchBlock(mlir::Block &block);

  /// A clone of the op on batched operands of a row-wise op: unit operands get
  /// rows if `broadcast` says so, result types get a leading dimension.
  mlir::Operation *
  cloneRowwise(mlir::Operation *op,
               llvm::function_ref<bool(unsigned)> broadcast = {});
  /// Clones an op all of whose operands are unit.
  void cloneUnit(mlir::Operation *op);

private:
  struct Batched {
    mlir::Value value;
    bool isUnit = false;
  };
  llvm::FailureOr<mlir::Value> findPartition(mlir::Operation *op,
                                             unsigned space);
  llvm::LogicalResult batchOp(mlir::Operation *op);
  mlir::Value clampIds(mlir::Value ids, int64_t bound);

  mlir::OpBuilder builder;
  RowSpaces &spaces;
  BatchContext *context = nullptr;
  llvm::DenseMap<mlir::Value, Batched> values;
  llvm::DenseMap<mlir::Value, int64_t> forced;
  llvm::DenseSet<mlir::Value> checkedIds;
};

/// Batches a function of one example in place; the arguments say by attributes
/// what they are (docs/Batching.md). Fails with an error at the op that cannot
/// be batched.
llvm::LogicalResult batchFunction(mlir::FunctionOpInterface function,
                                  bool isLoss);

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_BATCHER_H
