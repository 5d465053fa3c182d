//===-- dialects/Ragged/IR/PartitionOps.td - Counts and partitions -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_PARTITION_OPS_TD
#define CAMBIUM_RAGGED_PARTITION_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_NumRowsOp : Ragged_Op<"num_rows", [Pure]> {
  let summary = "The number of rows of a partition.";
  let description = [{
    ```mlir
    %n = ragged.num_rows %rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_NumSegmentsOp : Ragged_Op<"num_segments", [Pure]> {
  let summary = "The number of segments of a partition.";
  let description = [{
    ```mlir
    %n = ragged.num_segments %rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_NumNodesOp : Ragged_Op<"num_nodes", [Pure]> {
  let summary = "The number of nodes of a part of a forest.";
  let description = [{
    ```mlir
    %n = ragged.num_nodes %forest inner
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Index:$result);
  let assemblyFormat = "$forest $part attr-dict";
}

def Ragged_EdgesOp : Ragged_Op<"edges", [Pure]> {
  let summary = "The edges of a part of a forest, grouped by parent.";
  let description = [{
    For `inner` (and `all`) every edge; for `leaves` no edge, but one segment per
    leaf. With `cuts` two edges of a chart are one row.

    ```mlir
    %e = ragged.edges %forest inner
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_PartAttr:$part, UnitAttr:$cuts);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$forest $part (`cuts` $cuts^)? attr-dict";
}

def Ragged_WindowOp : Ragged_Op<"window", [Pure]> {
  let summary = "The edges of a range of nodes of a forest, grouped by parent.";
  let description = [{
    One segment per node in `[begin, end)`, counted in level order. What the
    partition of `ragged.levels` becomes when the loop is lowered. With `cuts` two edges
    of a chart are one row.

    ```mlir
    %e = ragged.window %forest, %begin, %end
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Index:$begin, Index:$end, UnitAttr:$cuts);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$forest `,` $begin `,` $end (`cuts` $cuts^)? attr-dict";
}

def Ragged_IndexOp : Ragged_PureOp<"index"> {
  let summary = "An index array of a forest, for ragged.gather.";
  let description = [{
    `children`, `parents`: the node at either end of each edge, edges in level
    order. `roots`: the root of each tree. `rows`: the user's row of each node.

    ```mlir
    %c = ragged.index %forest children : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_IndexAttr:$which);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = "$forest $which attr-dict `:` type($result)";
}

def Ragged_ChainOp : Ragged_Op<"chain", [Pure]> {
  let summary = "The forest of unary trees over the segments of a partition.";
  let description = [{
    ```mlir
    %f = ragged.chain %tokens reversed
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, UnitAttr:$reversed);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows (`reversed` $reversed^)? attr-dict";
}

def Ragged_OfCountsOp : Ragged_Op<"of_counts", [Pure]> {
  let summary = "The partition whose segments have given numbers of rows.";
  let description = [{
    Each count is in `[0, limit]`.

    ```mlir
    %rows = ragged.of_counts %counts limit 5 : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_IdTensor:$counts, I64Attr:$limit);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$counts `limit` $limit attr-dict `:` type($counts)";
}

def Ragged_FromParentsOp : Ragged_Op<"from_parents", [Pure]> {
  let summary = "The forest given by the parent of each row within its segment.";
  let description = [{
    An invalid structure makes the call fail; so does a node with more than
    `arity` children, where one is given.

    ```mlir
    %f = ragged.from_parents %tokens, %parents : tensor<?xi32>
    %b = ragged.from_parents %tokens, %parents arity 2 : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, Ragged_IdTensor:$parents,
                       OptionalAttr<I32Attr>:$arity);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = [{
    $rows `,` $parents (`arity` $arity^)? attr-dict `:` type($parents)
  }];
}

#endif // CAMBIUM_RAGGED_PARTITION_OPS_TD
