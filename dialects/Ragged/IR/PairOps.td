//===-- dialects/Ragged/IR/PairOps.td - Rows with rows -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_PAIR_OPS_TD
#define CAMBIUM_RAGGED_PAIR_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_PairsOp : Ragged_Op<"pairs", [Pure]> {
  let summary = "For each row of a partition, the rows of the same segment of another.";
  let description = [{
    The two partitions have as many segments. The result has a segment for each row of
    the first, with a row for each row of the second in the segment of the same number.

    ```mlir
    func.func @example(%words: !ragged.rows, %seen: !ragged.rows) {
      %pairs = ragged.pairs %words, %seen
      return
    }
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, Ragged_RowsType:$others);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$rows `,` $others attr-dict";
}

def Ragged_PairScoresOp : Ragged_PureOp<"pair_scores", [Ragged_ProducesRows]> {
  let summary = "The scalar products of the rows of each pair.";
  let description = [{
    A number for each row of `pairs`, which are the `ragged.pairs` of the partitions of
    the operands.

    ```mlir
    func.func @example(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %pairs: !ragged.rows,
                       %rows: !ragged.rows, %others: !ragged.rows) {
      %s = ragged.pair_scores %x, %y, %pairs of %rows, %others
        : tensor<?x8xf32>, tensor<?x8xf32>
      return
    }
    ```
    gives `tensor<?xf32>`.
  }];
  let arguments = (ins Ragged_FloatTensor:$lhs, Ragged_FloatTensor:$rhs,
                       Ragged_RowsType:$pairs, Ragged_RowsType:$rows,
                       Ragged_RowsType:$others);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $pairs `of` $rows `,` $others attr-dict `:` type($lhs) `,` type($rhs)
  }];
}

def Ragged_PairSumOp : Ragged_PureOp<"pair_sum"> {
  let summary = "For each row, the weighted sum of the rows that it makes pairs with.";
  let description = [{
    The weights are numbers for each of `pairs`, the `ragged.pairs` of `rows` and
    `others`. For row `i` of `rows`, the sum over `j` of `weights[i, j] input[j]`; with
    `transposed`, for row `j` of `others`, the sum over `i` of `weights[i, j] input[i]`.

    ```mlir
    func.func @example(%w: tensor<?xf32>, %y: tensor<?x8xf32>, %pairs: !ragged.rows,
                       %rows: !ragged.rows, %others: !ragged.rows) {
      %x = ragged.pair_sum %w, %y, %pairs of %rows, %others
        : tensor<?xf32>, tensor<?x8xf32>
      %z = ragged.pair_sum %w, %x, %pairs of %rows, %others transposed
        : tensor<?xf32>, tensor<?x8xf32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$weights, Ragged_FloatTensor:$input,
                       Ragged_RowsType:$pairs, Ragged_RowsType:$rows,
                       Ragged_RowsType:$others, UnitAttr:$transposed);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $weights `,` $input `,` $pairs `of` $rows `,` $others (`transposed` $transposed^)?
    attr-dict `:` type($weights) `,` type($input)
  }];
}

def Ragged_MaxSpanningOp : Ragged_PureOp<"max_spanning", [Ragged_ProducesRows]> {
  let summary = "The parents of the tree of greatest score over each segment.";
  let description = [{
    As `tree.max_spanning`; the scores are those of `pairs`, a segment for each row of
    `rows`. With `checked` the call fails with the text where a row does not have as
    many scores as there are rows in its segment.

    ```mlir
    func.func @example(%s: tensor<?xf32>, %rows: !ragged.rows, %pairs: !ragged.rows) {
      %p = ragged.max_spanning %s, %rows of %pairs : tensor<?xf32>
      %q = ragged.max_spanning %s, %rows of %pairs checked "expected n scores" : tensor<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$scores, Ragged_RowsType:$rows,
                       Ragged_RowsType:$pairs, OptionalAttr<StrAttr>:$checked);
  let results = (outs Ragged_IdTensor:$parents);
  let assemblyFormat = [{
    $scores `,` $rows `of` $pairs (`checked` $checked^)? attr-dict `:` type($scores)
  }];
}

#endif // CAMBIUM_RAGGED_PAIR_OPS_TD
