//===-- dialects/Ragged/IR/SegmentOps.td - Ops that cross rows -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_SEGMENT_OPS_TD
#define CAMBIUM_RAGGED_SEGMENT_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_BroadcastOp : Ragged_Op<"broadcast", [Pure]> {
  let summary = "The same value for each of a number of rows.";
  let description = [{
    ```mlir
    %y = ragged.broadcast %b, %n : tensor<150xf32> -> tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Index:$count);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $count attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Ragged_ExpandOp : Ragged_PureOp<"expand", [Ragged_ProducesRows]> {
  let summary = "The value of a segment for each of its rows.";
  let description = [{
    ```mlir
    %y = ragged.expand %x, %rows : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_ReduceOp : Ragged_PureOp<"reduce", [Ragged_ProducesSegments]> {
  let summary = "Sum, mean, maximum or log-sum-exp of the rows of each segment.";
  let description = [{
    0 for a segment without rows, `log_sum_exp` minus infinity.

    ```mlir
    %y = ragged.reduce sum %x, %rows : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_ReduceKindAttr:$kind, Ragged_FloatTensor:$input,
                       Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$kind $input `,` $rows attr-dict `:` type($input)";
}

def Ragged_MaxGradOp : Ragged_PureOp<"max_grad", [Ragged_ProducesRows]> {
  let summary = "Sends the value of a segment to the first of its greatest rows.";
  let description = [{
    For each segment and element: `dy` at the first row in which `input` is
    greatest, 0 at the others. The gradient of `ragged.reduce max`.

    ```mlir
    %dx = ragged.max_grad %x, %dy, %rows : tensor<?x150xf32>, tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_FloatTensor:$dy,
                       Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $dy `,` $rows attr-dict `:` type($input) `,` type($dy)";
}

def Ragged_SoftmaxOp : Ragged_PureOp<"softmax", [Ragged_ProducesRows]> {
  let summary = "Softmax over the rows of each segment.";
  let description = [{
    ```mlir
    %y = ragged.softmax %x, %rows : tensor<?xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_PermuteOp : Ragged_PureOp<"permute"> {
  let summary = "Rows of nodes or edges from the user's order to level order, or back.";
  let description = [{
    ```mlir
    %y = ragged.permute %x, %forest nodes_to_levels : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_ForestType:$forest, Ragged_OrderAttr:$order);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $forest $order attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Ragged_PartOp : Ragged_PureOp<"part"> {
  let summary = "The rows of the leaves, or of the other nodes, of a node array.";
  let description = [{
    ```mlir
    %y = ragged.part %x, %forest leaves : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $forest $part attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Ragged_JoinOp : Ragged_PureOp<"join", [AllTypesMatch<["leaves", "inner"]>]> {
  let summary = "A node array from the rows of the leaves and of the other nodes.";
  let description = [{
    ```mlir
    %y = ragged.join %leaves, %inner, %forest : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$leaves, Ragged_AnyTensor:$inner,
                       Ragged_ForestType:$forest);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$leaves `,` $inner `,` $forest attr-dict `:` type($leaves)";
}

def Ragged_ToSlotsOp : Ragged_PureOp<"to_slots", [Ragged_ProducesSegments]> {
  let summary = "The rows of each segment side by side, filled up with zeros.";
  let description = [{
    Row `s` of the result holds the `arity` first rows of segment `s`.

    ```mlir
    %y = ragged.to_slots %x, %rows arity 2 : tensor<?x150xf32>
    ```
    gives `tensor<?x2x150xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows, I64Attr:$arity);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows `arity` $arity attr-dict `:` type($input)";
}

def Ragged_FromSlotsOp : Ragged_PureOp<"from_slots", [Ragged_ProducesRows]> {
  let summary = "The rows of each segment, taken out of its slots.";
  let description = [{
    The inverse of `ragged.to_slots`, without the filling.

    ```mlir
    %y = ragged.from_slots %x, %rows : tensor<?x2x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_SumParentsOp : Ragged_PureOp<"sum_parents"> {
  let summary = "For nodes, the sum of the rows of the edges to their parents.";
  let description = [{
    Edges in level order, summed in ascending order.

    ```mlir
    %y = ragged.sum_parents %messages, %forest leaves : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $forest $part attr-dict `:` type($input)";
}

#endif // CAMBIUM_RAGGED_SEGMENT_OPS_TD
