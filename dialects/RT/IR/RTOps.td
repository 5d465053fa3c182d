//===-- dialects/RT/IR/RTOps.td - Operations of the rt dialect ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RT_OPS_TD
#define CAMBIUM_RT_OPS_TD

include "dialects/RT/IR/ForEachOp.td"
include "dialects/RT/IR/RTAttrs.td"
include "dialects/RT/IR/RTBase.td"
include "dialects/Ragged/IR/RaggedOps.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class RT_Op<string mnemonic, list<Trait> traits = []>
    : Op<RT_Dialect, mnemonic, traits>;

// What only a function of the ABI can do: return an error, or hold rows and
// forests.
def RT_NeedsEntry : NativeOpTrait<"NeedsEntry"> {
  let cppNamespace = "::cambium::rt";
}

def RT_IndexMemRef : MemRefRankOf<[I32], [1]>;

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

def RT_TargetOp : RT_Op<"target", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "What processor the code is made for.";
  let description = [{
    At most one in a module. It decides the length of vectors and the instructions.

    ```mlir
    module {
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3",
                              features = "", flags = ["avx2", "fma"]>
    }
    ```
  }];
  let arguments = (ins RT_ProcessorAttr:$processor);
  let assemblyFormat = "$processor attr-dict";
}

def RT_TrainingOp : RT_Op<"training", [
    HasParent<"::mlir::ModuleOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The two entries of a training step.";
  let description = [{
    `accumulate` adds the gradient of the mean loss of a batch to those of the
    parameters, `apply` updates them after `every` batches. Scalar `i` of `apply` is
    the learning rate of group `i`; the last one is the scale of the gradients.
    `optimizers` has one optimizer per group.

    ```mlir
    rt.training "train" accumulate @train.accumulate apply @train.apply every 1
        groups ["default"] optimizers {default = #train.optimizer<sgd>}
    func.func @train.accumulate() {
      return
    }
    func.func @train.apply() {
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$accumulate, FlatSymbolRefAttr:$apply,
      ConfinedAttr<I64Attr, [IntPositive]>:$every, StrArrayAttr:$groups,
      DictionaryAttr:$optimizers);
  let assemblyFormat = [{
    $name `accumulate` $accumulate `apply` $apply `every` $every `groups` $groups
    `optimizers` $optimizers attr-dict
  }];
  let extraClassDeclaration = [{
    /// The names of the scalars of `apply`.
    ::llvm::SmallVector<::std::string> getScalarNames();
  }];
  let hasVerifier = 1;
}

def RT_ManifestOp : RT_Op<"manifest", [
    HasParent<"::mlir::ModuleOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What the module says of itself.";
  let description = [{
    The text for the host (docs/Manifest.md), and the entries with the names that the
    user gave them. The symbol of an entry is another one: it is no name of a function
    of ours or of a library. Made and taken in the llvm phase.

    ```mlir
    rt.manifest "{}" entries [@entry.predict] named ["predict"]
    func.func @entry.predict() {
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, FlatSymbolRefArrayAttr:$entries, StrArrayAttr:$names);
  let assemblyFormat = "$text `entries` $entries `named` $names attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

def RT_AtMostOp : RT_Op<"at_most", [Pure, SameOperandsAndResultType]> {
  let summary = "A size with a bound.";
  let description = [{
    It is `size`, which never exceeds `bound`. Memory whose size changes from level to
    level is allocated once, for the bound (`buffers-hoist-allocations`); that one is
    known before.

    ```mlir
    %most = rt.forest_size %forest max_level_nodes
    %n = rt.at_most %count, %most
    ```
  }];
  let arguments = (ins Index:$size, Index:$bound);
  let results = (outs Index:$result);
  let assemblyFormat = "$size `,` $bound attr-dict";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

// An op on one parameter of the module.
class RT_ParamOpBase<string mnemonic, list<Trait> traits = []>
    : RT_Op<mnemonic, !listconcat(
          traits, [DeclareOpInterfaceMethods<SymbolUserOpInterface>])>;

def RT_ParamOp : RT_ParamOpBase<"param", [Pure]> {
  let summary = "The memory of a parameter's value.";
  let description = [{
    ```mlir
    %W = rt.param @W : memref<300x150xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def RT_GradientOp : RT_ParamOpBase<"gradient", [Pure]> {
  let summary = "The memory of a parameter's gradient.";
  let description = [{
    ```mlir
    %dW = rt.gradient @W : memref<300x150xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def RT_StateOp : RT_ParamOpBase<"state", [Pure]> {
  let summary = "The memory of a slot of a parameter's optimizer state.";
  let description = [{
    Slot 0 or 1. The highest slot that a module uses is the number of slots that
    the runtime provides.

    ```mlir
    %m = rt.state @W 0 : memref<300x150xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param,
                       ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<1>]>:$slot);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$param $slot attr-dict `:` type($result)";
}

def RT_TouchedOp : RT_ParamOpBase<"touched", [Pure]> {
  let summary = "The rows of a parameter that have a gradient.";
  let description = [{
    In the order of their first `rt.touch`; `rt.num_touched` entries are valid.
    The presence of one of the ops on touched rows makes the parameter
    row-sparse.

    ```mlir
    %rows = rt.touched @E : memref<?xi32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs RT_IndexMemRef:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def RT_NumTouchedOp : RT_ParamOpBase<"num_touched", [MemoryEffects<[MemRead]>]> {
  let summary = "How many rows of a parameter have a gradient.";
  let description = [{
    ```mlir
    %n = rt.num_touched @E
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs Index:$result);
  let assemblyFormat = "$param attr-dict";
}

def RT_TouchOp : RT_ParamOpBase<"touch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Marks a row of a parameter as having a gradient.";
  let description = [{
    A row that is marked already stays so. Must not run concurrently for one
    parameter.

    ```mlir
    rt.touch @E, %row
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Index:$row);
  let assemblyFormat = "$param `,` $row attr-dict";
}

def RT_ClearTouchedOp : RT_ParamOpBase<"clear_touched", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Unmarks all rows of a parameter.";
  let description = [{
    The rows of the gradient themselves must have been set to zero before.

    ```mlir
    rt.clear_touched @E
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let assemblyFormat = "$param attr-dict";
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

def RT_ScalarOp : RT_Op<"scalar", [Pure]> {
  let summary = "A scalar that the host passes to the entry.";
  let description = [{
    The index is that of the entry's scalars (`rt.training`).

    ```mlir
    %lr = rt.scalar 0 : f64
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs F64:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def RT_StepOp : RT_Op<"step", [Pure]> {
  let summary = "How many updates of the parameters were done before.";
  let description = [{
    ```mlir
    %t = rt.step : i64
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def RT_NumExamplesOp : RT_Op<"num_examples", [Pure]> {
  let summary = "The number of examples of the call.";
  let description = [{
    ```mlir
    %n = rt.num_examples
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def RT_ExampleKeysOp : RT_Op<"example_keys", [Pure]> {
  let summary = "The random key of each example of the call.";
  let description = [{
    An entry that uses it is marked as random in the manifest.

    ```mlir
    %keys = rt.example_keys : memref<?xi64>
    ```
  }];
  let results = (outs MemRefRankOf<[I64], [1]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Partitions and forests
//===----------------------------------------------------------------------===//

def RT_RowsSizeOp : RT_Op<"rows_size", [Pure]> {
  let summary = "A count of a partition.";
  let description = [{
    ```mlir
    %n = rt.rows_size %tokens num_rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_RowsSizeAttr:$field);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows $field attr-dict";
}

def RT_RowsOffsetsOp : RT_Op<"rows_offsets", [Pure]> {
  let summary = "The first row of each segment of a partition, and the end.";
  let description = [{
    ```mlir
    %offsets = rt.rows_offsets %tokens : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs RT_IndexMemRef:$result);
  let assemblyFormat = "$rows attr-dict `:` type($result)";
}

def RT_MakeRowsOp : RT_Op<"make_rows", [Pure]> {
  let summary = "A partition from its offsets.";
  let description = [{
    For `n` segments the memref has at least `n + 1` elements, of which the
    first is 0.

    ```mlir
    %rows = rt.make_rows %n, %num_rows, %offsets : memref<?xi32>
    ```
  }];
  let arguments = (ins Index:$num_segments, Index:$num_rows, RT_IndexMemRef:$offsets);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$num_segments `,` $num_rows `,` $offsets attr-dict `:` type($offsets)";
}

def RT_ForestSizeOp : RT_Op<"forest_size", [Pure]> {
  let summary = "A count of a forest.";
  let description = [{
    ```mlir
    %n = rt.forest_size %forest num_nodes
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, RT_ForestSizeAttr:$field);
  let results = (outs Index:$result);
  let assemblyFormat = "$forest $field attr-dict";
}

def RT_ForestIndexOp : RT_Op<"forest_index", [Pure]> {
  let summary = "An index array of a forest.";
  let description = [{
    ```mlir
    %children = rt.forest_index %forest child_nodes : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, RT_ForestIndexAttr:$field);
  let results = (outs RT_IndexMemRef:$result);
  let assemblyFormat = "$forest $field attr-dict `:` type($result)";
}

def RT_ChainOp : RT_Op<"chain", [Pure, RT_NeedsEntry]> {
  let summary = "The forest of unary trees over the segments of a partition.";
  let description = [{
    Only in an entry, not in a parallel region: without memory the entry returns.

    ```mlir
    %forest = rt.chain %tokens reversed
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, UnitAttr:$reversed);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows (`reversed` $reversed^)? attr-dict";
}

def RT_FromParentsOp : RT_Op<"from_parents", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The forest given by the parent of each row within its segment.";
  let description = [{
    Only in an entry, not in a parallel region: on an invalid structure, or a node
    with more than `arity` children, the entry returns with an error.

    ```mlir
    %forest = rt.from_parents %tokens, %parents : memref<?xi32>
    %binary = rt.from_parents %tokens, %parents arity 2 : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_IndexMemRef:$parents,
                       OptionalAttr<I32Attr>:$arity);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = [{
    $rows `,` $parents (`arity` $arity^)? attr-dict `:` type($parents)
  }];
}

def RT_GroupOp : RT_Op<"group", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "How some rows of a partition fall into its segments.";
  let description = [{
    The rows named by the `count` first `ids`, ascending. Only in an entry, not in a
    parallel region: without memory the entry returns.

    ```mlir
    %active = rt.group %tokens, %ids, %n : memref<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, RT_IndexMemRef:$ids, Index:$count);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$rows `,` $ids `,` $count attr-dict `:` type($ids)";
}

def RT_IterationsOp : RT_Op<"iterations", [RT_NeedsEntry, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The forest of the iterations of rows.";
  let description = [{
    A chain of `steps[i] + 1` nodes per row; at most `max` steps. Only in an entry, not in a parallel
    region: without memory the entry returns.

    ```mlir
    %forest = rt.iterations %steps, %n max 12 : memref<?xi32>
    ```
  }];
  let arguments = (ins RT_IndexMemRef:$steps, Index:$count, I64Attr:$max);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$steps `,` $count `max` $max attr-dict `:` type($steps)";
}

//===----------------------------------------------------------------------===//
// Services
//===----------------------------------------------------------------------===//

def RT_FailIfOp : RT_Op<"fail_if", [RT_NeedsEntry, MemoryEffects<[MemWrite]>]> {
  let summary = "Records an error; the entry goes on.";
  let description = [{
    Where the condition holds, the call returns `status` (a `cambium_status_t`) with the
    message, when the entry has done its work. With `row`, the number of a row stands
    behind the message. Only in an entry, not in a parallel region.

    ```mlir
    func.func @example(%bad: i1, %i: index) {
      rt.fail_if %bad, 9, "expected numbers, but got NaN"
      rt.fail_if %bad, 3, "'arith.divsi' divides by zero" row %i
      return
    }
    ```
  }];
  let arguments = (ins I1:$condition, Optional<Index>:$row, I32Attr:$status,
                       StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $status `,` $message (`row` $row^)? attr-dict
  }];
}

def RT_AllocOp : RT_Op<"alloc", [
    RT_NeedsEntry, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Workspace that lives until the entry returns.";
  let description = [{
    64-byte aligned, not initialized. Only in an entry, not in a parallel region,
    and not in a loop: it is never freed before. Without memory the entry returns
    with an error.

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

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

def RT_BarrierOp : RT_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "All blocks of the GPU wait for each other.";
  let description = [{
    What a stage before it has written is read by stages behind it. All threads of the
    grid get to it, or none.

    ```mlir
    rt.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def RT_DeviceEntryOp : RT_Op<"device_entry", [
    HasParent<"::mlir::ModuleOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What the host has to know of an entry's kernel.";
  let description = [{
    A `cambium_abi_device_entry_t` of device_abi.h: the name of the entry, the kernel
    with its threads and bytes of shared memory, the function that computes the bytes
    of workspace, the forests that the host makes (a space and whether it is reversed,
    each), and the status and the text of each failure. Made from the device code,
    taken in the llvm phase of the host's.

    ```mlir
    rt.device_entry "predict" kernel "cambium_predict" threads 256 shared 0
        chains [0, 1] messages [] [] workspace @predict.workspace
    func.func private @predict.workspace() -> index {
      %n = arith.constant 128 : index
      return %n : index
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$kernel, I64Attr:$threads, I64Attr:$shared,
      DenseI32ArrayAttr:$chains, DenseI32ArrayAttr:$statuses, StrArrayAttr:$texts,
      FlatSymbolRefAttr:$workspace);
  let assemblyFormat = [{
    $name `kernel` $kernel `threads` $threads `shared` $shared `chains` $chains
    `messages` $statuses $texts `workspace` $workspace attr-dict
  }];
  let hasVerifier = 1;
}

def RT_ImageOp : RT_Op<"image", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "The kernels of all entries for one architecture.";
  let description = [{
    A text in PTX. Taken in the llvm phase of the host's code.

    ```mlir
    module {
      rt.image "sm_90" ".version 8.0\n.target sm_90\n.address_size 64\n"
    }
    ```
  }];
  let arguments = (ins StrAttr:$arch, StrAttr:$ptx);
  let assemblyFormat = "$arch $ptx attr-dict";
}

#endif // CAMBIUM_RT_OPS_TD
