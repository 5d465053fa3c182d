//===-- dialects/Ragged/IR/SelectOps.td - Rows of segments by number -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_SELECT_OPS_TD
#define CAMBIUM_RAGGED_SELECT_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_TopOp : Ragged_PureOp<"top", [Ragged_ProducesSegments]> {
  let summary = "The greatest elements of each column of a segment, and their rows.";
  let description = [{
    As `nn.top`: the rows are counted from the first one of the segment.

    ```mlir
    %v, %n = ragged.top %x, %rows count 5 : tensor<?x64xf32>
    ```
    gives `tensor<?x5x64xf32>` and `tensor<?x5x64xi32>`.
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_RowsType:$rows, I64Attr:$count);
  let results = (outs Ragged_FloatTensor:$values, Ragged_IdTensor:$numbers);
  let assemblyFormat = "$input `,` $rows `count` $count attr-dict `:` type($input)";
}

def Ragged_PickOp : Ragged_PureOp<"pick", [Ragged_ProducesSegments]> {
  let summary = "Rows of each segment by number, a fixed number of them.";
  let description = [{
    Row `s` of the result holds the rows of segment `s` that `numbers` counts, from the
    first one of the segment; where `numbers` has columns, each column its own. Other
    numbers give zero, or with `nearest` the first or the last row.

    ```mlir
    %y = ragged.pick %x, %numbers, %rows : tensor<?x64xf32>, tensor<?x5xi32>
    ```
    gives `tensor<?x5x64xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_IdTensor:$numbers,
                       Ragged_RowsType:$rows, UnitAttr:$nearest);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = [{
    $input `,` $numbers `,` $rows (`nearest` $nearest^)? attr-dict
    `:` type($input) `,` type($numbers)
  }];
}

def Ragged_SpreadOp : Ragged_PureOp<"spread", [Ragged_ProducesRows]> {
  let summary = "Sums of what is sent to rows of each segment by number.";
  let description = [{
    The adjoint of `ragged.pick`: a row is the sum, in their order, of what has its
    number, 0 if nothing has.

    ```mlir
    %x = ragged.spread %y, %numbers, %rows : tensor<?x5x64xf32>, tensor<?x5xi32>
    ```
    gives `tensor<?x64xf32>`.
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_IdTensor:$numbers,
                       Ragged_RowsType:$rows, UnitAttr:$nearest);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $numbers `,` $rows (`nearest` $nearest^)? attr-dict
    `:` type($input) `,` type($numbers)
  }];
}

def Ragged_SumByOp : Ragged_PureOp<"sum_by", [Ragged_ProducesSegments]> {
  let summary = "Sums of the rows of each segment, apart for each id.";
  let description = [{
    `y[s, n]` is the sum of the rows `r` of segment `s` with `ids[r] = n`, in their
    order, for `n < size`.

    ```mlir
    %y = ragged.sum_by %x, %ids, %rows size 9 : tensor<?x64xf32>, tensor<?xi32>
    ```
    gives `tensor<?x9x64xf32>`.
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_IdTensor:$ids,
                       Ragged_RowsType:$rows, I64Attr:$size);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $ids `,` $rows `size` $size attr-dict `:` type($input) `,` type($ids)
  }];
}

def Ragged_LookUpOp : Ragged_PureOp<"look_up", [Ragged_ProducesRows]> {
  let summary = "For each row, a row of its segment's own table, by id.";
  let description = [{
    The adjoint of `ragged.sum_by`: `y[r] = table[s, ids[r]]` for the rows `r` of
    segment `s`, 0 for an id that the table does not have.

    ```mlir
    %y = ragged.look_up %table, %ids, %rows : tensor<?x9x64xf32>, tensor<?xi32>
    ```
    gives `tensor<?x64xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$table, Ragged_IdTensor:$ids,
                       Ragged_RowsType:$rows);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = [{
    $table `,` $ids `,` $rows attr-dict `:` type($table) `,` type($ids)
  }];
}

#endif // CAMBIUM_RAGGED_SELECT_OPS_TD
