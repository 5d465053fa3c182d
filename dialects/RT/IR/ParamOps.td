//===-- dialects/RT/IR/ParamOps.td - Parameters --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_PARAM_OPS_TD
#define CAMBIUM_RT_PARAM_OPS_TD

include "dialects/RT/IR/RTOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

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

def RT_PanelsOp : RT_ParamOpBase<"panels", [Pure]> {
  let summary = "A parameter's value in panels of columns, as products read it.";
  let description = [{
    A matrix `[depth, columns]` as `[panels, depth, width]`: a panel holds the
    next `width` columns of all rows. Dimensions of the parameter before the
    last two number matrices. The runtime keeps a copy that lies so, if it has
    memory for it; else these are the rows of the value itself, and what stands
    behind the columns of the last panel is not to be used. Strides say which.

    With `as bf16`, a panel is `[ceil(depth / 2), width]` words of 32 bits: two elements
    of a column, rounded to bf16, the first one in the low half. With `as int8`, it is
    `[ceil(depth / 4) + 2, width]` words: four elements of a column as signed integers
    q, then the column's scale as f32 (an element is about q * scale), then -128 times
    the sum of the column's q. What is missing in the last word is 0. There is always a
    copy then, and the parameter is of f32.

    ```mlir
    %W = rt.param @W : memref<300x150xf32>
    %p = rt.panels @W : memref<3x300x64xf32, strided<[?, ?, 1]>>
    %q = rt.panels @W as int8 : memref<3x77x64xi32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param,
      DefaultValuedAttr<RT_PanelFormatAttr, "::cambium::rt::PanelFormat::Values">:$format);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$param (`as` $format^)? attr-dict `:` type($result)";
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
    the runtime provides. State is of the parameter's shape, or, of a matrix, slot 0
    holds a number per row and slot 1 a number per column; dimensions before the last
    two number matrices.

    ```mlir
    %m = rt.state @W 0 : memref<300x150xf32>
    ```
    ```mlir
    %W = rt.param @W : memref<300x150xf32>
    %r = rt.state @W 0 : memref<300xf32>
    %c = rt.state @W 1 : memref<150xf32>
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

def RT_TouchedFlagsOp : RT_ParamOpBase<"touched_flags", [Pure]> {
  let summary = "Which rows of a parameter have a gradient.";
  let description = [{
    A byte for each row: 1 if it is one of `rt.touched`, else 0.

    ```mlir
    %flags = rt.touched_flags @E : memref<?xi8>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs MemRefRankOf<[I8], [1]>:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def RT_SetNumTouchedOp : RT_ParamOpBase<"set_num_touched", [MemoryEffects<[MemWrite]>]> {
  let summary = "Says how many rows of a parameter have a gradient.";
  let description = [{
    What stands in `rt.touched` and in `rt.touched_flags` must say the same.

    ```mlir
    rt.set_num_touched @E, %n
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Index:$count);
  let assemblyFormat = "$param `,` $count attr-dict";
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

#endif // CAMBIUM_RT_PARAM_OPS_TD
