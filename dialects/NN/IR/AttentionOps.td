//===-- dialects/NN/IR/AttentionOps.td - Attention -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
#ifndef CAMBIUM_NN_ATTENTION_OPS_TD
#define CAMBIUM_NN_ATTENTION_OPS_TD

def NN_AttentionOp : NN_PureOp<"attention", [AttrSizedOperandSegments, NN_DrawsNumbers]> {
  let summary = "Scaled dot-product attention with several heads.";
  let description = [{
    For every head, row `i` of the result is
    `sum_j softmax_j(scale * query_i . key_j) value_j` over the rows `j` of `key`,
    those of `query` or of another row space of the same example
    (Vaswani et al. 2017, eq. 1). The columns of a row belong to the heads one after
    the other. Without keys the result is zero. `scale` is 1 / sqrt(columns of a head)
    if it is not given.

    The distance of a key is `d = j - i`, counted so that it is 0 between the last query
    and the last key: with as many queries as keys, from a row to itself; otherwise the
    queries are the last ones of the sequence whose keys are given, as with a cache.
    Tables of an odd number `2 R + 1` of rows have one per distance from `-R` to `R`;
    what is farther counts as `-R` or `R`.

    - `causal` leaves out keys of positive distance.
    - `key_bias`: a row per key with a number per head, added to the scores.
    - `distance_bias`: a column per distance with a number per head, added likewise
      (Raffel et al. 2020; linear biases: Press et al. 2022).
    - `relative_keys`, `relative_values`: rows added to keys and values by distance, the
      same for all heads (Shaw et al. 2018, eq. 3 and 4).
    - `within`: only rows of the same group are seen: neighbouring rows with the same
      number. Queries and keys are of one row space.
    - `dropout`: while training, each weight is zero with this probability and otherwise
      divided by 1 minus it. `id` is the compiler's to fill in.

    Keys and values that are rows of rows, `tensor<?x?x512xf32>`, are those of each query
    alone: row `i` meets the rows of row `i`. Its place is that of the last of them.

    ```mlir
    %y = nn.attention %q, %k, %v heads 8 : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?x256xf32>
    %z = nn.attention %q, %k, %v heads 8 causal distance_bias(%t : tensor<8x63xf32>) dropout 0.1
      : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?x256xf32>
    %w = nn.attention %q, %own_k, %own_v heads 8
      : tensor<?x512xf32>, tensor<?x?x512xf32>, tensor<?x?x256xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$query, NN_FloatTensor:$key,
                       NN_FloatTensor:$value,
                       Optional<NN_FloatTensor>:$key_bias,
                       Optional<NN_FloatTensor>:$distance_bias,
                       Optional<NN_FloatTensor>:$relative_keys,
                       Optional<NN_FloatTensor>:$relative_values,
                       Optional<NN_IdTensor>:$groups,
                       NN_I64Attr:$heads, OptionalAttr<F64Attr>:$scale,
                       UnitAttr:$causal, OptionalAttr<NN_F64Attr>:$rate,
                       OptionalAttr<I64Attr>:$id);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value `heads` custom<Integer>($heads)
    (`scale` $scale^)? (`causal` $causal^)?
    (`key_bias` `(` $key_bias^ `:` type($key_bias) `)`)?
    (`distance_bias` `(` $distance_bias^ `:` type($distance_bias) `)`)?
    (`relative_keys` `(` $relative_keys^ `:` type($relative_keys) `)`)?
    (`relative_values` `(` $relative_values^ `:` type($relative_values) `)`)?
    (`within` `(` $groups^ `:` type($groups) `)`)? (`dropout` custom<Real>($rate)^)?
    (`id` $id^)? attr-dict `:` type($query) `,` type($key) `,` type($value)
  }];
  let extraClassDeclaration = [{
    /// The factor of the scores, given or not.
    double getScaleFactor();
    /// Whether each query has keys of its own: rows that have rows.
    bool hasOwnKeys();
    /// Whether the place of a row among the others matters.
    bool readsPlaces();
  }];
}

#endif // CAMBIUM_NN_ATTENTION_OPS_TD
