//===-- ForEachOp.td - The loop whose iterations are independent ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_FOREACHOP_TD
#define CAMBIUM_RT_FOREACHOP_TD

include "dialects/RT/IR/RTBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def RT_ForEachOp : Op<RT_Dialect, "for_each", [
    AutomaticAllocationScope, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"YieldOp">, DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps",
      "getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable", "getLoopResults"]>]> {
  let summary = "A loop whose iterations are independent.";
  let description = [{
    The region is executed for each number in `[0, count)`, in any order or at once:
    an iteration writes nothing that another one reads or writes. It gets the arrays
    of `into` with what it writes to them itself, and yields them. The results are
    the arrays with what all iterations have written. Behind the buffers phase there
    are none: iterations write to memory. What is allocated by `memref.alloca` in the
    region is an iteration's own.

    `work` says how many elements an iteration moves, from which a target decides how
    many are worth a thread. Without it one alone is.

    ```mlir
    func.func @gather(%x: tensor<?x8xf32>, %ids: tensor<?xindex>, %n: index) -> tensor<?x8xf32> {
      %empty = tensor.empty(%n) : tensor<?x8xf32>
      %rows = rt.for_each %i of %n work 8 into(%all = %empty : tensor<?x8xf32>) {
        %id = tensor.extract %ids[%i] : tensor<?xindex>
        %row = tensor.extract_slice %x[%id, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
        %next = tensor.insert_slice %row into %all[%i, 0] [1, 8] [1, 1]
          : tensor<8xf32> into tensor<?x8xf32>
        rt.yield %next : tensor<?x8xf32>
      }
      return %rows : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Index:$count, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$work,
                       Variadic<AnyRankedTensor>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$count, "::mlir::IntegerAttr":$work,
                                 CArg<"::mlir::ValueRange", "{}">:$inits)>];
  let extraClassDeclaration = [{
    ::mlir::Value getNumber() { return getBody().getArgument(0); }
    YieldOp getYield();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasRegionVerifier = 1;
}

#endif // CAMBIUM_RT_FOREACHOP_TD
