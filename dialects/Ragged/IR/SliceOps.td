//===-- dialects/Ragged/IR/SliceOps.td - Slices by iteration --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_SLICE_OPS_TD
#define CAMBIUM_RAGGED_SLICE_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_IterationOp : Ragged_Op<"iteration", [Pure]> {
  let summary = "The number of the iteration, or of the level, at hand.";
  let description = [{
    The operand is the first argument of the region of a `ragged.iterate` or a
    `ragged.levels`. Iterations count from 0, and so do the levels of the part,
    from the leaves, whatever the direction: what an iteration and its level in the
    derivative read is the same.

    ```mlir
    func.func @first_below(%x: tensor<?xf32>, %W: tensor<10xf32>) -> tensor<?xf32> {
      %y, %n = ragged.iterate max 10 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
      ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
        %t = ragged.iteration %ids : tensor<?xi32>
        %w = ragged.slice %W, %t : tensor<10xf32>
        %next = nn.broadcast %w dims [] like %xa : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
        %go = arith.cmpf olt, %next, %xa : tensor<?xf32>
        ragged.yield %go, %next : tensor<?xi1>, tensor<?xf32>
      }
      return %y : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[Ragged_IdTensor, Ragged_RowsType]>:$rows);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows attr-dict `:` type($rows)";
  let hasVerifier = 1;
}

def Ragged_SliceOp : Ragged_PureOp<"slice"> {
  let summary = "A slice of a stacked array.";
  let description = [{
    `y = x[t]`, a view: nothing is copied. The number is in the bounds of the array,
    whose shape is static.

    ```mlir
    func.func @third(%W: tensor<12x8x8xf32>) -> tensor<8x8xf32> {
      %t = arith.constant 2 : index
      %w = ragged.slice %W, %t : tensor<12x8x8xf32>
      return %w : tensor<8x8xf32>
    }
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Index:$number);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $number attr-dict `:` type($input)";
}

def Ragged_AddSliceOp : Ragged_PureOp<"add_slice"> {
  let summary = "Adds to a slice of a stacked array.";
  let description = [{
    `y = x`, but `y[t] = x[t] + s`: the cotangent of what `ragged.slice` reads.

    ```mlir
    func.func @third(%dw: tensor<8x8xf32>, %dW: tensor<12x8x8xf32>) -> tensor<12x8x8xf32> {
      %t = arith.constant 2 : index
      %sum = ragged.add_slice %dw, %dW, %t : tensor<8x8xf32>, tensor<12x8x8xf32>
      return %sum : tensor<12x8x8xf32>
    }
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$slice, Ragged_FloatTensor:$all,
                       Index:$number);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $slice `,` $all `,` $number attr-dict `:` type($slice) `,` type($all)
  }];
}

#endif // CAMBIUM_RAGGED_SLICE_OPS_TD
