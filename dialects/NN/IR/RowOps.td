//===-- dialects/NN/IR/RowOps.td - Rows of an example -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
#ifndef CAMBIUM_NN_ROW_OPS_TD
#define CAMBIUM_NN_ROW_OPS_TD

def NN_PositionsOp : NN_PureOp<"positions", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "The number of each row within its example.";
  let description = [{
    0, 1, 2, ...; in the cell of a node, the place among the children. Numbers of
    `limit` and more become `limit - 1`: the result can be an id of a table of `limit`
    rows (learned positions), or be turned into angles.

    ```mlir
    %i = nn.positions %x limit 512 : tensor<?x96xf32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$rows, I64Attr:$limit);
  let results = (outs NN_IdTensor:$result);
  let assemblyFormat = "$rows `limit` $limit attr-dict `:` type($rows)";
}

def NN_TakeOp : NN_PureOp<"take"> {
  let summary = "Rows of the same example, by number.";
  let description = [{
    `y[i] = x[index[i]]`; for one number, its row. Numbers below 0 become 0, and what
    is behind the end the last row, so that `2147483647` takes the last one. Of no rows
    the result is zero. Gradients of a row that is taken several times are summed.

    ```mlir
    %masked = nn.take %x, %places : tensor<?x96xf32>, tensor<?xi32>
    %first = nn.take %x, %zero : tensor<?x96xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$input, NN_IdTensor:$index);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = "$input `,` $index attr-dict `:` type(operands)";
}

def NN_AppendOp : NN_PureOp<"append"> {
  let summary = "The rows of one kind of an example, then those of another.";
  let description = [{
    For every example, the rows of `first` and behind them those of `second`. All
    values appended from rows of the same two kinds have the same rows: keys and values
    of a cache, each with those of new tokens behind them.

    ```mlir
    %keys = nn.append %cached, %new : tensor<?x64xf32>, tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$first, NN_AnyTensor:$second);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = "$first `,` $second attr-dict `:` type(operands)";
}

def NN_WindowOp : NN_PureOp<"window"> {
  let summary = "The rows around each row of the example.";
  let description = [{
    For row `i` the rows `i - before` to `i + after`, one behind the other; zeros where
    the example has no such row. A convolution is an `nn.linear` of what stands in a
    window.

    ```mlir
    %w = nn.window %x before 2 after 2 : tensor<?x300xf32>
    %f = nn.reshape %w : tensor<?x5x300xf32> -> tensor<?x1500xf32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$input, I64Attr:$before, I64Attr:$after);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = [{
    $input `before` $before `after` $after attr-dict `:` type($input)
  }];
}

def NN_PairScoresOp : NN_PureOp<"pair_scores"> {
  let summary = "The scalar product of each row with each row of the example.";
  let description = [{
    Row `i` of the result has a row for each row `j` of the second operand, the scalar
    product `lhs[i] . rhs[j]`: scores of words for words. Rows that have rows are taken
    by `nn.each`, one row at a time, and by `tree.max_spanning`. A batch has as many
    scores as there are pairs in each example.

    ```mlir
    %s = nn.pair_scores %words, %heads : tensor<?x64xf32>, tensor<?x64xf32>
    ```
    gives `tensor<?x?xf32>`.
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type(operands)";
}

def NN_ExpectNumberOp : NN_Op<"expect_number", [MemoryEffects<[MemWrite]>]> {
  let summary = "Fails the call where a value is not a number.";
  let description = [{
    The computation goes on; the call returns `CAMBIUM_STATUS_NOT_FINITE`, and its error
    names what was expected to be a number. `depth.ponder` expects its halting
    probabilities to be numbers.

    ```mlir
    nn.expect_number %p, "halting probability" : tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, StrAttr:$what);
  let assemblyFormat = "$input `,` $what attr-dict `:` type($input)";
  let hasVerifier = 1;
}

#endif // CAMBIUM_NN_ROW_OPS_TD
