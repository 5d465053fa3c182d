//===-- dialects/Ragged/IR/WindowOps.td - Rows around rows -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_WINDOW_OPS_TD
#define CAMBIUM_RAGGED_WINDOW_OPS_TD

include "dialects/Ragged/IR/RaggedBase.td"

def Ragged_AroundOp : Ragged_PureOp<"around", [Ragged_ProducesRows]> {
  let summary = "The rows of the segment around each row.";
  let description = [{
    For row `r` the rows `r - before` to `r + after`, zeros where the segment has none.

    ```mlir
    %y = ragged.around %x, %rows before 2 after 1 : tensor<?x64xf32>
    ```
    gives `tensor<?x4x64xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows, I64Attr:$before,
                       I64Attr:$after);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = [{
    $input `,` $rows `before` $before `after` $after attr-dict `:` type($input)
  }];
}

def Ragged_SumAroundOp : Ragged_PureOp<"sum_around", [Ragged_ProducesRows]> {
  let summary = "The sum of a row over all windows that it stands in.";
  let description = [{
    The adjoint of `ragged.around`.

    ```mlir
    %x = ragged.sum_around %y, %rows before 2 : tensor<?x4x64xf32>
    ```
    gives `tensor<?x64xf32>`.
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_RowsType:$rows, I64Attr:$before);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $rows `before` $before attr-dict `:` type($input)
  }];
}

#endif // CAMBIUM_RAGGED_WINDOW_OPS_TD
