//===-- dialects/Ragged/IR/ChartOps.td - Charts of sequences -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_CHART_OPS_TD
#define CAMBIUM_RAGGED_CHART_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_ChartOp : Ragged_Op<"chart", [Pure]> {
  let summary = "The forest of the charts of the segments of a partition.";
  let description = [{
    As `tree.chart`, over each segment: its nodes are the rows of `ragged.spans`. An empty
    segment makes the call fail; so do more than 2^31 edges.

    ```mlir
    %f = ragged.chart %tokens
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_SpansOp : Ragged_Op<"spans", [Pure]> {
  let summary = "The partition of the spans of each segment.";
  let description = [{
    A segment of n rows gives one of n (n + 1) / 2, in the order of `tree.chart`.

    ```mlir
    %spans = ragged.spans %tokens
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_SpanEndsOp : Ragged_PureOp<"span_ends", [Ragged_ProducesRows]> {
  let summary = "The first row of each span within its segment, or the last one.";
  let description = [{
    `spans` are the `ragged.spans` of the other partition.

    ```mlir
    func.func @example(%spans: !ragged.rows, %tokens: !ragged.rows) {
      %i = ragged.span_ends %spans of %tokens : tensor<?xi32>
      %j = ragged.span_ends %spans of %tokens last : tensor<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_RowsType:$spans, Ragged_RowsType:$rows, UnitAttr:$last);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = "$spans `of` $rows (`last` $last^)? attr-dict `:` type($result)";
}

def Ragged_ToCutsOp : Ragged_PureOp<"to_cuts"> {
  let summary = "Rows of the edges of a chart as rows of its cuts.";
  let description = [{
    Rows 2 i and 2 i + 1 stand side by side in row i: a view.

    ```mlir
    %y = ragged.to_cuts %x : tensor<?x150xf32>
    ```
    gives `tensor<?x2x150xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Ragged_FromCutsOp : Ragged_PureOp<"from_cuts"> {
  let summary = "Rows of the cuts of a chart as rows of its edges.";
  let description = [{
    The inverse of `ragged.to_cuts`.

    ```mlir
    %y = ragged.from_cuts %x : tensor<?x2x150xf32>
    ```
    gives `tensor<?x150xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

#endif // CAMBIUM_RAGGED_CHART_OPS_TD
