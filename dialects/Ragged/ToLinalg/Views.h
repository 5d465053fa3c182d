//===-- Views.h - Partitions and forests as index arithmetic --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_VIEWS
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_VIEWS

#include "cambium/Support/LinalgModel.h"
#include "dialects/RT/IR/ForEach.h"
#include "dialects/Ragged/IR/Ragged.h"

namespace cambium::ragged {

/// Attach the lowerings of one family of operations.
void attachChartLowerings(mlir::MLIRContext *context);
void attachStructureLowerings(mlir::MLIRContext *context);
void attachSegmentLowerings(mlir::MLIRContext *context);
void attachSelectLowerings(mlir::MLIRContext *context);
void attachPairLowerings(mlir::MLIRContext *context);
void attachMaxSpanningLowering(mlir::MLIRContext *context);
void attachSlotLowerings(mlir::MLIRContext *context);
void attachAttentionLowerings(mlir::MLIRContext *context);
void attachGatherLowerings(mlir::MLIRContext *context);
void attachRowLists(mlir::MLIRContext *context);
void attachLevelsLowering(mlir::MLIRContext *context);
void attachIterateLowering(mlir::MLIRContext *context);
void attachTrainingLowerings(mlir::MLIRContext *context);

/// Elements of a row, 0 where they are not known.
int64_t elementsOfRow(mlir::Value rows);

/// The memref as a tensor that is only read.
mlir::Value readOnly(LinalgBuilder &b, mlir::Value memref);

/// The memory of an array of indices that a service of the runtime reads.
mlir::Value memoryOf(LinalgBuilder &b, mlir::Value index);

/// Row numbers have 32 bits: the entry ends with the text where there are more.
void failAtTooMany(LinalgBuilder &b, mlir::Value count, llvm::StringRef text);

/// The number of cuts that have so many sides.
mlir::Value cutsOf(LinalgBuilder &b, mlir::Value sides);

/// The spans of so many rows: more than segments of as many together have.
mlir::Value numSpans(LinalgBuilder &b, mlir::Value rows);

/// Counts and index arrays of a forest.
class ForestView {
public:
  ForestView(LinalgBuilder &b, mlir::Value forest) : b(b), forest(forest) {}
  mlir::Value size(rt::ForestSize field);
  /// The array with the number of elements that it has (tensor<?xi32>).
  mlir::Value array(rt::ForestIndex field);
  mlir::Value numLeaves();
  /// The first node of a part, and the number of its nodes.
  mlir::Value begin(Part part);
  mlir::Value count(Part part);

private:
  LinalgBuilder &b;
  mlir::Value forest;
};

/// The segments of a partition: an argument of the entry, or a window of the
/// edges of a forest.
class RowsView {
public:
  RowsView(LinalgBuilder &b, mlir::Value rows);
  mlir::Value numSegments() { return segments; }
  mlir::Value numRows() { return count; }
  /// The rows [first, second) of segment s, counted from the partition's first
  /// row.
  std::pair<mlir::Value, mlir::Value> segment(mlir::Value s);
  /// The partition as a value of the runtime, for ops that the runtime
  /// executes; null if it is a window that does not start at the first edge.
  mlir::Value materialize();

private:
  void initWindow(mlir::Value forest, mlir::Value begin, mlir::Value end,
                  bool ofCuts);
  void initCounts();

  LinalgBuilder &b;
  mlir::Value rows, segments, count, offsets;
  /// Where the segments start in `offsets`, and their first row; null for 0.
  mlir::Value base, first;
  /// Whether two edges are one row.
  bool cuts = false;
};

/// Rows that may be read where they come from instead of where they are
/// gathered: the operand of an op that reads each row once.
class RowSource {
public:
  explicit RowSource(mlir::Value rows);
  /// Row i.
  mlir::Value row(LinalgBuilder &b, mlir::Value i);

private:
  mlir::Value source, index;
};

/// For nodes [begin, begin + count), the sum of the rows of the edges to their
/// parents, in `dest`.
mlir::Value sumParents(LinalgBuilder &b, mlir::Value messages,
                       mlir::Value forest, mlir::Value begin, mlir::Value count,
                       mlir::Value dest);
/// The sum of rows `source(i)` for i in [begin, end) in `dest`, 0 if there are
/// none.
mlir::Value sumRows(LinalgBuilder &b, mlir::Value begin, mlir::Value end,
                    mlir::Value dest,
                    llvm::function_ref<mlir::Value(mlir::Value)> source);

/// Gives the number to those who ask in the region for that of the iteration
/// with these rows.
void setIteration(LinalgBuilder &b, mlir::Value rows, mlir::Value number);

/// Moves the block of a loop's region to where `b` stands, with `args` for its
/// arguments; gives what it yielded.
llvm::SmallVector<mlir::Value>
inlineBody(LinalgBuilder &b, mlir::Region &region, mlir::ValueRange args);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_VIEWS
