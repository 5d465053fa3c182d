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

def NN_AttentionOp : NN_PureOp<"attention"> {
  let summary = "Scaled dot-product attention with several heads.";
  let description = [{
    For every head, row `i` of the result is
    `sum_j softmax_j(scale * query_i . key_j) value_j` over the rows `j` of `key`,
    those of `query` or of another row space of the same example
    (Vaswani et al. 2017, eq. 1). The columns of a row belong to the heads one after
    the other. `causal` leaves out the rows `j > i`, and needs one row space. Without
    keys the result is zero. `scale` is 1 / sqrt(columns of a head) if it is not given.

    ```mlir
    %y = nn.attention %q, %k, %v heads 8 : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?x256xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$query, NN_FloatTensor:$key,
                       NN_FloatTensor:$value, I64Attr:$heads,
                       OptionalAttr<F64Attr>:$scale, UnitAttr:$causal);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value `heads` $heads (`causal` $causal^)? attr-dict
    `:` type(operands)
  }];
  let extraClassDeclaration = [{
    /// The factor of the scores, given or not.
    double getScaleFactor();
  }];
}

#endif // CAMBIUM_NN_ATTENTION_OPS_TD
