//===-- dialects/RT/IR/ServiceOps.td - What the runtime does for code ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_SERVICE_OPS_TD
#define CAMBIUM_RT_SERVICE_OPS_TD

include "dialects/RT/IR/RTOpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def RT_FailIfOp : RT_Op<"fail_if", [RT_NeedsEntry, MemoryEffects<[MemWrite]>]> {
  let summary = "Records an error; the entry goes on.";
  let description = [{
    Where the condition holds, the call returns `status` (a `cambium_status_t`) with the
    message, when the entry has done its work. With `row`, the number of a row stands
    behind the message. With `stop`, the entry ends here. Only in an entry, not in a
    parallel region.

    ```mlir
    func.func @example(%bad: i1, %i: index) {
      rt.fail_if %bad, 9, "expected numbers, but got NaN"
      rt.fail_if %bad, 3, "'arith.divsi' divides by zero" row %i
      rt.fail_if %bad, 1, "expected a tree" row %i stop
      return
    }
    ```
  }];
  let arguments = (ins I1:$condition, Optional<Index>:$row, I32Attr:$status,
                       StrAttr:$message, UnitAttr:$stop);
  let assemblyFormat = [{
    $condition `,` $status `,` $message (`row` $row^)? (`stop` $stop^)? attr-dict
  }];
}

def RT_AllocOp : RT_Op<"alloc", [
    RT_NeedsEntry, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Workspace until a `memref.dealloc`, or the end of the entry.";
  let description = [{
    64-byte aligned, not initialized. Only in an entry, not in a parallel region,
    and not in a loop. Without memory the entry returns with an error.

    ```mlir
    %x = rt.alloc(%n) : memref<?x150xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "`(` $sizes `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def RT_ParallelOp : RT_Op<"parallel", [
    RT_NeedsEntry, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "A loop whose iterations may run concurrently, in chunks.";
  let description = [{
    The region is executed for chunks `[begin, end)` that together are
    `[0, count)`; bounds of chunks are multiples of `grain`, but for `count`. It
    must give the same result for any choice of chunks. Values from outside may
    be used.

    With `unit`, which GPU code has, the region is executed once by each thread, warp
    or block of the grid, for the whole range, of which it takes its own iterations.
    The threads of a warp or of a block execute it together.

    ```mlir
    func.func @squares(%n: index, %x: memref<?xf32>) {
      rt.parallel %n grain 64 {
      ^bb0(%begin: index, %end: index):
        %c1 = arith.constant 1 : index
        scf.for %i = %begin to %end step %c1 {
          %v = memref.load %x[%i] : memref<?xf32>
          %y = arith.mulf %v, %v : f32
          memref.store %y, %x[%i] : memref<?xf32>
        }
      }
      return
    }
    ```
  }];
  let arguments = (ins Index:$count, ConfinedAttr<I64Attr, [IntPositive]>:$grain,
                       OptionalAttr<RT_UnitAttr>:$unit);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::Value":$count, "int64_t":$grain), [{
    build($_builder, $_state, count, grain, UnitAttr());
  }]>];
  let assemblyFormat = [{
    $count `grain` $grain (`unit` $unit^)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def RT_YieldOp : RT_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["ForEachOp", "ParallelOp"]>]> {
  let summary = "The end of an iteration of rt.for_each or of a chunk of rt.parallel.";
  let description = [{
    Takes the arrays of `rt.for_each`; without any it is left out in the textual form.

    ```mlir
    rt.parallel %n grain 1 {
    ^bb0(%begin: index, %end: index):
      rt.yield
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* nothing to do */ }]>];
  let hasVerifier = 1;
}

def RT_LaunchOp : RT_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a function over chunks of a range, concurrently.";
  let description = [{
    What `rt.parallel` becomes when its region is outlined: the function takes
    the captured values, then begin and end of a chunk.

    ```mlir
    func.func private @task(%x: memref<?xf32>, %begin: index, %end: index) {
      return
    }
    func.func @example(%x: memref<?xf32>, %rows: index) {
      rt.launch @task(%x) over %rows grain 64 : memref<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captures, Index:$count,
                       ConfinedAttr<I64Attr, [IntPositive]>:$grain,
                       OptionalAttr<RT_UnitAttr>:$unit);
  let assemblyFormat = [{
    $callee `(` $captures `)` `over` $count `grain` $grain (`unit` $unit^)? attr-dict
    (`:` type($captures)^)?
  }];
}

#endif // CAMBIUM_RT_SERVICE_OPS_TD
