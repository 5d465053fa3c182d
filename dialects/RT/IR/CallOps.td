//===-- dialects/RT/IR/CallOps.td - The call: its data and its structure -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_CALL_OPS_TD
#define CAMBIUM_RT_CALL_OPS_TD

include "dialects/RT/IR/RTOpBase.td"

def RT_ScalarOp : RT_Op<"scalar", [Pure]> {
  let summary = "A scalar that the host passes to the entry.";
  let description = [{
    The index is that of the entry's scalars (`rt.training`).

    ```mlir
    %lr = rt.scalar 0 : f64
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs F64:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def RT_StepOp : RT_Op<"step", [Pure]> {
  let summary = "How many updates of the parameters were done before.";
  let description = [{
    ```mlir
    %t = rt.step : i64
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def RT_NumExamplesOp : RT_Op<"num_examples", [Pure]> {
  let summary = "The number of examples of the call.";
  let description = [{
    ```mlir
    %n = rt.num_examples
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def RT_ExampleKeysOp : RT_Op<"example_keys", [Pure]> {
  let summary = "The random key of each example of the call.";
  let description = [{
    An entry that uses it is marked as random in the manifest.

    ```mlir
    %keys = rt.example_keys : memref<?xi64>
    ```
  }];
  let results = (outs MemRefRankOf<[I64], [1]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Partitions and forests
//===----------------------------------------------------------------------===//

def RT_RowsSizeOp : RT_Op<"rows_size", [Pure]> {
  let summary = "A count of a partition.";
  let description = [{
    ```mlir
    %n = rt.rows_size %tokens num_rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_RowsSizeAttr:$field);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows $field attr-dict";
}

def RT_RowsOffsetsOp : RT_Op<"rows_offsets", [Pure]> {
  let summary = "The first row of each segment of a partition, and the end.";
  let description = [{
    ```mlir
    %offsets = rt.rows_offsets %tokens : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs RT_IndexMemRef:$result);
  let assemblyFormat = "$rows attr-dict `:` type($result)";
}

def RT_MakeRowsOp : RT_Op<"make_rows", [Pure]> {
  let summary = "A partition from its offsets.";
  let description = [{
    For `n` segments the memref has at least `n + 1` elements, of which the
    first is 0.

    ```mlir
    %rows = rt.make_rows %n, %num_rows, %offsets : memref<?xi32>
    ```
  }];
  let arguments = (ins Index:$num_segments, Index:$num_rows, RT_IndexMemRef:$offsets);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$num_segments `,` $num_rows `,` $offsets attr-dict `:` type($offsets)";
}

def RT_ForestSizeOp : RT_Op<"forest_size", [Pure]> {
  let summary = "A count of a forest.";
  let description = [{
    ```mlir
    %n = rt.forest_size %forest num_nodes
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, RT_ForestSizeAttr:$field);
  let results = (outs Index:$result);
  let assemblyFormat = "$forest $field attr-dict";
}

def RT_ForestIndexOp : RT_Op<"forest_index", [Pure]> {
  let summary = "An index array of a forest.";
  let description = [{
    ```mlir
    %children = rt.forest_index %forest child_nodes : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, RT_ForestIndexAttr:$field);
  let results = (outs RT_IndexMemRef:$result);
  let assemblyFormat = "$forest $field attr-dict `:` type($result)";
}

def RT_ChainOp : RT_Op<"chain", [Pure, RT_NeedsEntry]> {
  let summary = "The forest of unary trees over the segments of a partition.";
  let description = [{
    Only in an entry, not in a parallel region: without memory the entry returns.

    ```mlir
    %forest = rt.chain %tokens reversed
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, UnitAttr:$reversed);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows (`reversed` $reversed^)? attr-dict";
}

def RT_ChartOp : RT_Op<"chart", [Pure, RT_NeedsEntry]> {
  let summary = "The forest of the charts of the segments of a partition.";
  let description = [{
    Only in an entry, not in a parallel region: without memory, at an empty segment, and
    where there are too many edges, the entry returns.

    ```mlir
    %forest = rt.chart %tokens
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows attr-dict";
}

def RT_FromParentsOp : RT_Op<"from_parents", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The forest given by the parent of each row within its segment.";
  let description = [{
    Only in an entry, not in a parallel region: on an invalid structure, or a node
    with more than `arity` children, the entry returns with an error.

    ```mlir
    %forest = rt.from_parents %tokens, %parents : memref<?xi32>
    %binary = rt.from_parents %tokens, %parents arity 2 : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_IndexMemRef:$parents,
                       OptionalAttr<I32Attr>:$arity);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = [{
    $rows `,` $parents (`arity` $arity^)? attr-dict `:` type($parents)
  }];
}

def RT_GroupOp : RT_Op<"group", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "How some rows of a partition fall into its segments.";
  let description = [{
    The rows named by the `count` first `ids`, ascending. Only in an entry, not in a
    parallel region: without memory the entry returns.

    ```mlir
    %active = rt.group %tokens, %ids, %n : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_IndexMemRef:$ids, Index:$count);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$rows `,` $ids `,` $count attr-dict `:` type($ids)";
}

def RT_IterationsOp : RT_Op<"iterations", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The forest of the iterations of rows.";
  let description = [{
    A chain of `steps[i] + 1` nodes per row; at most `max` steps. Only in an entry, not in a parallel
    region: without memory the entry returns.

    ```mlir
    %forest = rt.iterations %steps, %n max 12 : memref<?xi32>
    ```
  }];
  let arguments = (ins RT_IndexMemRef:$steps, Index:$count, I64Attr:$max);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$steps `,` $count `max` $max attr-dict `:` type($steps)";
}

#endif // CAMBIUM_RT_CALL_OPS_TD
