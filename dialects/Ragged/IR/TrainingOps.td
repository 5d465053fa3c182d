//===-- dialects/Ragged/IR/TrainingOps.td - Gradients of parameters ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_TRAINING_OPS_TD
#define CAMBIUM_RAGGED_TRAINING_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"
include "mlir/IR/BuiltinAttributes.td"

def Ragged_AccumulateOp : Ragged_Op<"accumulate"> {
  let summary = "Adds to the gradient of a parameter.";
  let description = [{
    With a number, to a slice of the gradient of a stacked parameter.

    ```mlir
    nn.param @W : tensor<300x150xf32>
    nn.param @V : tensor<12x300x150xf32>
    func.func @add(%dW: tensor<300x150xf32>, %t: index) {
      ragged.accumulate @W, %dW : tensor<300x150xf32>
      ragged.accumulate @V slice %t, %dW : tensor<300x150xf32>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Arg<Ragged_FloatTensor, "gradient">:$gradient,
                       Optional<Index>:$number);
  let assemblyFormat = [{
    $param (`slice` $number^)? `,` $gradient attr-dict `:` type($gradient)
  }];
}

def Ragged_AccumulateRowsOp : Ragged_Op<"accumulate_rows"> {
  let summary = "Adds rows to the rows of the gradient of a parameter.";
  let description = [{
    `gradient[ids[i]] += rows[i]`, in the order of `i`, but for ids equal to
    `padding_id`; the rows are marked as touched. The parameter is row-sparse.

    ```mlir
    ragged.accumulate_rows @E, %ids, %rows : tensor<?xi32>, tensor<?x300xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Ragged_IdTensor:$ids,
                       Ragged_FloatTensor:$rows, OptionalAttr<I64Attr>:$padding_id);
  let assemblyFormat = [{
    $param `,` $ids `,` $rows (`padding_id` $padding_id^)? attr-dict
    `:` type($ids) `,` type($rows)
  }];
}

#endif // CAMBIUM_RAGGED_TRAINING_OPS_TD
