//===-- dialects/NN/IR/SelectOps.td - Elements by number -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
#ifndef CAMBIUM_NN_SELECT_OPS_TD
#define CAMBIUM_NN_SELECT_OPS_TD

def NN_TopOp : NN_PureOp<"top", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "The greatest elements along a dimension, and where they stand.";
  let description = [{
    The `count` greatest elements, the greatest first, and their places, which are
    counted from 0. Of equal elements the one that stands first comes first; NaN is
    greater than all numbers. What is missing where there are fewer elements is minus
    infinity, at place -1. Gradients go to the elements that were found. `count 1` is
    where the maximum stands. One pass over the dimension finds them.

    ```mlir
    %best, %where = nn.top %scores count 5 over 0 : tensor<?xf32>
    %rows = nn.take %x, %where : tensor<?x64xf32>, tensor<5xi32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$count, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$values, NN_IdTensor:$places);
  let assemblyFormat = "$input `count` $count `over` $dim attr-dict `:` type($input)";
}

def NN_SumByOp : NN_PureOp<"sum_by", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "Sums along a dimension, apart for each id.";
  let description = [{
    `y[n, ...]` is the sum of the `values[j, ...]` with `ids[j] = n`, in the order of
    `j`, for `n < size`; so too for each index of the dimensions before `over`, and,
    where there is an id for each element, of those behind it. Other ids are left out. A histogram, the sum of
    what belongs to a word type, a distribution that is copied to a vocabulary.

    ```mlir
    %words = nn.sum_by %attention, %ids over 0 size 4096 : tensor<?xf32>, tensor<?xi32>
    %sums = nn.sum_by %x, %ids over 0 size 4096 : tensor<?x64xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$values, NN_IdTensor:$ids, I64Attr:$dim,
                       I64Attr:$size);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $values `,` $ids `over` $dim `size` $size attr-dict `:` type(operands)
  }];
}

def NN_PickAlongOp : NN_PureOp<"pick_along"> {
  let summary = "Elements along a dimension, by id: the gradient of nn.sum_by.";
  let description = [{
    `y[j, ...] = x[ids[j], ...]`, 0 for an id outside of the dimension; so too for each
    index of the dimensions before `over`, and, where there is an id for each element,
    of those behind it.

    ```mlir
    %y = nn.pick_along %x, %ids over 0 : tensor<9x64xf32>, tensor<5xi32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$input, NN_IdTensor:$ids, I64Attr:$dim);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = "$input `,` $ids `over` $dim attr-dict `:` type(operands)";
}

#endif // CAMBIUM_NN_SELECT_OPS_TD
