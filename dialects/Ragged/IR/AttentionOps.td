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

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_AttentionOp : Ragged_PureOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "Attention of each segment's queries to the same segment's keys.";
  let description = [{
    `nn.attention` within every segment; the two partitions have as many segments.
    `random` holds the keys of random numbers, per query. The second result holds, per
    query and head, the logarithm of the sum of the exponentials of the scores: what
    the derivative needs beside the operands.

    ```mlir
    %y, %l = ragged.attention %q, %k, %v, %queries, %keys heads 2 scale 0.5
      : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$query, Ragged_FloatTensor:$key,
                       Ragged_FloatTensor:$value, Ragged_RowsType:$query_rows,
                       Ragged_RowsType:$key_rows,
                       Optional<Ragged_FloatTensor>:$key_bias,
                       Optional<Ragged_FloatTensor>:$distance_bias,
                       Optional<Ragged_FloatTensor>:$relative_keys,
                       Optional<Ragged_FloatTensor>:$relative_values,
                       Optional<Ragged_KeyTensor>:$random,
                       I64Attr:$heads, F64Attr:$scale, UnitAttr:$causal,
                       OptionalAttr<F64Attr>:$rate, OptionalAttr<I64Attr>:$id);
  let results = (outs Ragged_FloatTensor:$result, Ragged_FloatTensor:$log_sums);
  let assemblyFormat = [{
    $query `,` $key `,` $value `,` $query_rows `,` $key_rows `heads` $heads `scale` $scale
    (`causal` $causal^)? (`key_bias` `(` $key_bias^ `:` type($key_bias) `)`)?
    (`distance_bias` `(` $distance_bias^ `:` type($distance_bias) `)`)?
    (`relative_keys` `(` $relative_keys^ `:` type($relative_keys) `)`)?
    (`relative_values` `(` $relative_values^ `:` type($relative_values) `)`)?
    (`dropout` $rate^ `random` `(` $random `:` type($random) `)`)?
    (`id` $id^)? attr-dict `:` type($query) `,` type($key) `,` type($value)
  }];
  let extraClassDeclaration = [{
    /// Keeps every weight.
    void removeDropout();
  }];
}

def Ragged_AttentionGradOp : Ragged_Op<"attention_grad", [Pure, AttrSizedOperandSegments]> {
  let summary = "The derivatives of ragged.attention.";
  let description = [{
    From the cotangent of the result, those of queries, keys and values, then of
    `key_bias`, `distance_bias`, `relative_keys` and `relative_values`, as far as they
    are given. The weights are computed again.

    ```mlir
    %dq, %dk, %dv = ragged.attention_grad %q, %k, %v, %l, %dy, %queries, %keys heads 2 scale 0.5
      : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<?x6xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$query, Ragged_FloatTensor:$key,
                       Ragged_FloatTensor:$value, Ragged_FloatTensor:$log_sums,
                       Ragged_FloatTensor:$dy, Ragged_RowsType:$query_rows,
                       Ragged_RowsType:$key_rows,
                       Optional<Ragged_FloatTensor>:$key_bias,
                       Optional<Ragged_FloatTensor>:$distance_bias,
                       Optional<Ragged_FloatTensor>:$relative_keys,
                       Optional<Ragged_FloatTensor>:$relative_values,
                       Optional<Ragged_KeyTensor>:$random,
                       I64Attr:$heads, F64Attr:$scale, UnitAttr:$causal,
                       OptionalAttr<F64Attr>:$rate, OptionalAttr<I64Attr>:$id);
  let results = (outs Variadic<Ragged_FloatTensor>:$results);
  let assemblyFormat = [{
    $query `,` $key `,` $value `,` $log_sums `,` $dy `,` $query_rows `,` $key_rows
    `heads` $heads `scale` $scale
    (`causal` $causal^)? (`key_bias` `(` $key_bias^ `:` type($key_bias) `)`)?
    (`distance_bias` `(` $distance_bias^ `:` type($distance_bias) `)`)?
    (`relative_keys` `(` $relative_keys^ `:` type($relative_keys) `)`)?
    (`relative_values` `(` $relative_values^ `:` type($relative_values) `)`)?
    (`dropout` $rate^ `random` `(` $random `:` type($random) `)`)?
    (`id` $id^)? attr-dict `:` type($query) `,` type($key) `,` type($value) `,` type($log_sums) `,`
    type($dy) `->` type($results)
  }];
  let extraClassDeclaration = [{
    /// What has a derivative, in the order of the results.
    ::llvm::SmallVector<::mlir::Value> getInputs();
  }];
  let hasVerifier = 1;
}

def Ragged_RunsOp : Ragged_Op<"runs", [Pure]> {
  let summary = "The runs of rows of a segment that have the same number.";
  let description = [{
    A segment per run of neighbouring rows of one segment of `rows` with equal `ids`.

    ```mlir
    func.func @example(%ids: tensor<?xi32>, %rows: !ragged.rows) {
      %runs = ragged.runs %ids, %rows : tensor<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Ragged_IdTensor:$ids, Ragged_RowsType:$rows);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$ids `,` $rows attr-dict `:` type($ids)";
}

#endif // CAMBIUM_RAGGED_ATTENTION_OPS_TD
