//===-- dialects/Ragged/IR/AttentionOps.td - Attention -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_ATTENTION_OPS_TD
#define CAMBIUM_RAGGED_ATTENTION_OPS_TD

def Ragged_AttentionOp : Ragged_PureOp<"attention"> {
  let summary = "Attention of each segment's queries to the same segment's keys.";
  let description = [{
    `nn.attention` within every segment; the two partitions have as many segments.
    The second result holds, per query and head, the logarithm of the sum of the
    exponentials of the scores: what the derivative needs beside the operands.

    ```mlir
    %y, %l = ragged.attention %q, %k, %v, %queries, %keys heads 2 scale 0.5
      : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$query, Ragged_FloatTensor:$key,
                       Ragged_FloatTensor:$value, Ragged_RowsType:$query_rows,
                       Ragged_RowsType:$key_rows, I64Attr:$heads,
                       F64Attr:$scale, UnitAttr:$causal);
  let results = (outs Ragged_FloatTensor:$result, Ragged_FloatTensor:$log_sums);
  let assemblyFormat = [{
    $query `,` $key `,` $value `,` $query_rows `,` $key_rows `heads` $heads `scale` $scale
    (`causal` $causal^)? attr-dict `:` type($query) `,` type($key) `,` type($value)
  }];
}

def Ragged_AttentionGradOp : Ragged_PureOp<"attention_grad"> {
  let summary = "The derivatives of ragged.attention.";
  let description = [{
    From the cotangent of the result, those of queries, keys and values. The
    weights are computed again.

    ```mlir
    %dq, %dk, %dv = ragged.attention_grad %q, %k, %v, %l, %dy, %queries, %keys heads 2 scale 0.5
      : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<?x6xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$query, Ragged_FloatTensor:$key,
                       Ragged_FloatTensor:$value, Ragged_FloatTensor:$log_sums,
                       Ragged_FloatTensor:$dy, Ragged_RowsType:$query_rows,
                       Ragged_RowsType:$key_rows, I64Attr:$heads,
                       F64Attr:$scale, UnitAttr:$causal);
  let results = (outs Ragged_FloatTensor:$dquery, Ragged_FloatTensor:$dkey,
                      Ragged_FloatTensor:$dvalue);
  let assemblyFormat = [{
    $query `,` $key `,` $value `,` $log_sums `,` $dy `,` $query_rows `,` $key_rows
    `heads` $heads `scale` $scale (`causal` $causal^)? attr-dict
    `:` type($query) `,` type($key) `,` type($value) `,` type($log_sums) `,` type($dy)
  }];
}

#endif // CAMBIUM_RAGGED_ATTENTION_OPS_TD
