//===-- LinalgBuilder.h - Builds linalg on tensors with rows --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_LINALGBUILDER
#define CAMBIUM_SUPPORT_LINALGBUILDER

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cambium {

/// Builds the linalg phase: destinations, elementwise maps, reductions and
/// loops over rows. Only the first dimension of a tensor may be dynamic.
class LinalgBuilder {
public:
  using Body =
      llvm::function_ref<mlir::Value(LinalgBuilder &, mlir::ValueRange)>;
  using RowBody =
      llvm::function_ref<mlir::Value(mlir::Value index, mlir::Value dest)>;

  LinalgBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  template <typename Op, typename... Args> auto make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  //===--- Scalars
  //---------------------------------------------------------===//

  /// A number of a float or integer type.
  mlir::Value number(mlir::Type type, double value);
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value toIndex(mlir::Value integer);
  /// The i-th element of a tensor of integers, as an index.
  mlir::Value indexAt(mlir::Value tensor, mlir::Value i);

  //===--- Destinations
  //----------------------------------------------------===//

  /// The size of dimension 0.
  mlir::Value rows(mlir::Value tensor);
  /// Undefined elements; `rows` gives the size of a dynamic first dimension.
  mlir::Value empty(mlir::RankedTensorType type, mlir::Value rows);
  /// Undefined elements in the shape of `type`, with the rows of `like` if
  /// dynamic.
  mlir::Value emptyLike(mlir::RankedTensorType type, mlir::Value like);
  mlir::Value fill(mlir::Value dest, double value);
  mlir::Value zeros(mlir::RankedTensorType type, mlir::Value rows);

  //===--- Structured operations
  //-------------------------------------------===//

  /// The map that picks `dims` of `rank` dimensions.
  mlir::AffineMap dims(int64_t rank, llvm::ArrayRef<int64_t> dims);
  /// One element of the result for each point of `dest`; operands by their
  /// maps.
  mlir::Value map(mlir::Value dest, mlir::ValueRange inputs,
                  llvm::ArrayRef<mlir::AffineMap> maps, Body body);
  /// The same with operands of the shape of `dest`.
  mlir::Value elementwise(mlir::Value dest, mlir::ValueRange inputs, Body body);
  /// Combines along dimension `dim` of the inputs, which have one shape.
  mlir::Value reduce(mlir::Value dest, mlir::Value input, int64_t dim,
                     Body body);
  /// `input`, whose dimension i is dimension `at[i]` of `dest`, repeated.
  mlir::Value broadcast(mlir::Value input, mlir::Value dest,
                        llvm::ArrayRef<int64_t> at);
  /// body(element of dest, element of input): overwrites `dest`, of the same
  /// shape.
  mlir::Value update(mlir::Value dest, mlir::Value input, Body body);
  /// Overwrites `dest` with `input`, of the same shape.
  mlir::Value copy(mlir::Value input, mlir::Value dest);
  /// `lhs . rhs` for matrices.
  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs, mlir::Value dest);

  //===--- Rows
  //------------------------------------------------------------===//

  /// Row i, without the first dimension.
  mlir::Value row(mlir::Value tensor, mlir::Value i);
  /// `tensor` with `row` as row i.
  mlir::Value setRow(mlir::Value row, mlir::Value tensor, mlir::Value i);
  /// Rows [begin, begin + count).
  mlir::Value rowRange(mlir::Value tensor, mlir::Value begin,
                       mlir::Value count);
  mlir::Value setRowRange(mlir::Value rows, mlir::Value tensor,
                          mlir::Value begin, mlir::Value count);
  /// `for i in [begin, end): dest = body(i, dest)`.
  mlir::Value loop(mlir::Value begin, mlir::Value end, mlir::Value dest,
                   RowBody body);
  /// The loop with several destinations.
  llvm::SmallVector<mlir::Value>
  loops(mlir::Value begin, mlir::Value end, mlir::ValueRange dests,
        llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                          mlir::ValueRange)>
            body);
  /// `condition ? yes() : no()`, both of the type of `dest`.
  mlir::Value choose(mlir::Value condition, mlir::Type type,
                     llvm::function_ref<mlir::Value()> yes,
                     llvm::function_ref<mlir::Value()> no);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The number, or 0 for an infinity or what is no number.
mlir::Value finiteOrZero(LinalgBuilder &b, mlir::Value number);

/// The type of a value that is known to be a ranked tensor.
inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace cambium

#endif // CAMBIUM_SUPPORT_LINALGBUILDER
