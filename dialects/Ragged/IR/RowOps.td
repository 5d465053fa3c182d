//===-- dialects/Ragged/IR/RowOps.td - Rows by number -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_ROW_OPS_TD
#define CAMBIUM_RAGGED_ROW_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_GatherOp : Ragged_PureOp<"gather"> {
  let summary = "Rows by index.";
  let description = [{
    `y[i] = x[index[i]]`; with `or_zero`, zero where the index is below 0.

    ```mlir
    %y = ragged.gather %x, %index : tensor<?x150xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_IdTensor:$index,
                       UnitAttr:$or_zero);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = [{
    $input `,` $index (`or_zero` $or_zero^)? attr-dict `:` type(operands)
  }];
}

def Ragged_ScatterSumOp : Ragged_PureOp<"scatter_sum"> {
  let summary = "Sums rows into the rows that an index names.";
  let description = [{
    `y[index[i]] += x[i]`, in the order of `i`, over `count` rows of zeros; the
    gradient of `ragged.gather`. With `or_zero`, rows whose index is below 0 are left
    out.

    ```mlir
    %y = ragged.scatter_sum %x, %index, %count : tensor<?x150xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_IdTensor:$index, Index:$count,
                       UnitAttr:$or_zero);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $index `,` $count (`or_zero` $or_zero^)? attr-dict
    `:` type($input) `,` type($index)
  }];
}

def Ragged_DistinctOp : Ragged_PureOp<"distinct"> {
  let summary = "The ids that occur, each once, and where each row's stands.";
  let description = [{
    `ids[i]` is `distinct[places[i]]`; `distinct` is in the order of first occurrence.
    Several arrays of ids have one `distinct`, and `places` of their own. What rows
    compute from ids alone is computed for `distinct` and gathered by `places`
    (`ragged-share-rows`). Ids are in `[0, limit)`. For a GPU, where the host has to
    know all sizes before, every row keeps an id of its own: `distinct` is all `ids`,
    one array after the other.

    ```mlir
    %distinct, %places:2 = ragged.distinct %ids, %more limit 20000 : tensor<?xi32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Variadic<Ragged_IdTensor>:$ids, I64Attr:$limit);
  let results = (outs Ragged_IdTensor:$distinct, Variadic<Ragged_IdTensor>:$places);
  let assemblyFormat = "$ids `limit` $limit attr-dict `:` type($ids)";
}

def Ragged_PositionsOp : Ragged_PureOp<"positions", [Ragged_ProducesRows]> {
  let summary = "The number of each row within its segment.";
  let description = [{
    0, 1, 2, ..., but at most `limit - 1`.

    ```mlir
    %i = ragged.positions %rows limit 512 : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, I64Attr:$limit);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = "$rows `limit` $limit attr-dict `:` type($result)";
}

def Ragged_RowNumbersOp : Ragged_PureOp<"row_numbers"> {
  let summary = "Numbers of rows of the batch, from numbers within a segment.";
  let description = [{
    `index` counts the rows of the segment of `rows` that has the same number: as the
    segment of `places` in which it stands, or, without `places`, as itself. Numbers
    below 0 become 0, too great ones that of the last row. -1 where there are no rows.
    With `checked`, a number that no row has gives -1 too, and the call fails with the
    text; but not for the number `ignored`.

    ```mlir
    func.func @example(%index: tensor<?xi32>, %rows: !ragged.rows, %places: !ragged.rows) {
      %n = ragged.row_numbers %index in %rows of %places : tensor<?xi32>
      %m = ragged.row_numbers %index in %rows checked "expected a row" : tensor<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_IdTensor:$index, Ragged_RowsType:$rows,
                       Optional<Ragged_RowsType>:$places, OptionalAttr<StrAttr>:$checked,
                       OptionalAttr<I64Attr>:$ignored);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = [{
    $index `in` $rows (`of` $places^)? (`checked` $checked^)? (`ignored` $ignored^)?
    attr-dict `:` type($index)
  }];
}

def Ragged_AppendOp : Ragged_Op<"append", [Pure]> {
  let summary = "The rows of one partition, segment by segment, behind another's.";
  let description = [{
    A segment has as many rows as the two of the operands with the same number.

    ```mlir
    func.func @example(%cached: !ragged.rows, %new: !ragged.rows) {
      %all = ragged.append %cached, %new
      return
    }
    ```
  }];
  let arguments = (ins Ragged_RowsType:$first, Ragged_RowsType:$second);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$first `,` $second attr-dict";
}

def Ragged_PlacesOp : Ragged_PureOp<"places", [Ragged_ProducesRows]> {
  let summary = "Where the rows of a partition stand in a longer one.";
  let description = [{
    For each row of `part`, the number of the row of `whole` in the same segment, with
    the first row at the beginning of the segment, or the last one at its `end`.

    ```mlir
    func.func @example(%new: !ragged.rows, %all: !ragged.rows) {
      %ids = ragged.places %new in %all end : tensor<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_RowsType:$part, Ragged_RowsType:$whole, UnitAttr:$end);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = [{
    $part `in` $whole (`end` $end^)? attr-dict `:` type($result)
  }];
}

#endif // CAMBIUM_RAGGED_ROW_OPS_TD
