//===-- dialects/Ragged/IR/KeyOps.td - Random keys -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_KEY_OPS_TD
#define CAMBIUM_RAGGED_KEY_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_KeysOp : Ragged_PureOp<"keys", [Ragged_ProducesRows]> {
  let summary = "The random keys of rows, from those of their segments.";
  let description = [{
    `mix(key[s], i)` for the i-th row of segment `s` (docs/Design.md).

    ```mlir
    %k = ragged.keys %example_keys, %rows : tensor<?xi64>
    ```
  }];
  let arguments = (ins Ragged_KeyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_MixKeysOp : Ragged_PureOp<"mix_keys"> {
  let summary = "The random keys of what is repeated.";
  let description = [{
    `mix(key[i], number[i])` for each row (docs/Design.md): a key for each iteration of
    a row, say.

    ```mlir
    %k = ragged.mix_keys %keys, %iterations : tensor<?xi64>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_KeyTensor:$input, Ragged_IdTensor:$numbers);
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "$input `,` $numbers attr-dict `:` type(operands)";
}

def Ragged_ExampleKeysOp : Ragged_Op<"example_keys", [Pure]> {
  let summary = "The random key of each example of the call.";
  let description = [{
    ```mlir
    %k = ragged.example_keys : tensor<?xi64>
    ```
  }];
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif // CAMBIUM_RAGGED_KEY_OPS_TD
