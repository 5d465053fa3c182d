//===-- KeptOp.td - Memory that lives longer than a call -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_KEPT_OP_TD
#define CAMBIUM_RT_KEPT_OP_TD

include "dialects/RT/IR/RTOpBase.td"

def RT_KeptOp : RT_Op<"kept", [Pure]> {
  let summary = "Memory that is kept between calls.";
  let description = [{
    Marks are zero where a parameter may have changed since the last call. Rows hold
    what calls have written. Functions that only read parameters may write to both,
    calls at once as well. The memory stands `from` so many bytes behind the first of
    the module's marks, or rows.

    ```mlir
    %marks = rt.kept marks from 0 : memref<20000xi32>
    %rows = rt.kept rows from 64 : memref<20000x256xf32>
    ```
  }];
  let arguments = (ins UnitAttr:$marks, ConfinedAttr<I64Attr, [IntNonNegative]>:$from);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = [{
    (`marks` $marks^) : (`rows`)? `from` $from attr-dict `:` type($result)
  }];
}

#endif // CAMBIUM_RT_KEPT_OP_TD
