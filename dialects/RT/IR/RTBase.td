//===-- dialects/RT/IR/RTBase.td - The rt dialect and its enumerations ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RT_BASE_TD
#define CAMBIUM_RT_BASE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def RT_Dialect : Dialect {
  let name = "rt";
  let summary = "What generated code gets from the runtime.";
  let description = [{
    Parameters, structure and services of the call that is being executed, as
    ops on memrefs. Each stands for a field or a function of
    `runtime/include/cambium/abi.h`.

    An *entry* is a public `func.func` with a body. From the batched phase on the
    attribute `rt.as` of each argument and result says what it is, in this order:
    `#rt.rows` for each row space of the examples, `#rt.forest` for each tree,
    `#rt.input` for each input; `#rt.output` for each result, or, from the buffers
    phase on, for the memrefs behind the inputs that hold them. All of it goes to the
    manifest (docs/Manifest.md). `rt.training` names the entries of a training step.
  }];
  let cppNamespace = "::cambium::rt";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::cambium::nn::NNDialect", "::cambium::ragged::RaggedDialect"];
}

class RT_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::cambium::rt";
  let genSpecializedAttr = 0;
}

class RT_EnumAttr<I32EnumAttr e, string m, string example> : EnumAttr<RT_Dialect, e, m> {
  let assemblyFormat = "$value";
  let summary = e.summary # ".";
  let description = "A field of the struct of abi.h with the same name, as in\n"
                    "```mlir\n" # example # "\n```";
}

def RT_ForestSize : RT_Enum<"ForestSize", "a count of a forest", [
    I32EnumAttrCase<"NumNodes", 0, "num_nodes">,
    I32EnumAttrCase<"NumEdges", 1, "num_edges">,
    I32EnumAttrCase<"NumLevels", 2, "num_levels">,
    I32EnumAttrCase<"NumTrees", 3, "num_trees">,
    I32EnumAttrCase<"MaxLevelNodes", 4, "max_level_nodes">,
    I32EnumAttrCase<"MaxLevelEdges", 5, "max_level_edges">]>;
def RT_ForestSizeAttr : RT_EnumAttr<RT_ForestSize, "forest_size_field",
    "%n = rt.forest_size %forest num_nodes">;

def RT_ForestIndex : RT_Enum<"ForestIndex", "an index array of a forest", [
    I32EnumAttrCase<"LevelNodes", 0, "level_nodes">,
    I32EnumAttrCase<"ChildOffsets", 1, "child_offsets">,
    I32EnumAttrCase<"ChildNodes", 2, "child_nodes">,
    I32EnumAttrCase<"EdgeParents", 3, "edge_parents">,
    I32EnumAttrCase<"ParentOffsets", 4, "parent_offsets">,
    I32EnumAttrCase<"ParentEdges", 5, "parent_edges">,
    I32EnumAttrCase<"NodeToUser", 6, "node_to_user">,
    I32EnumAttrCase<"UserToNode", 7, "user_to_node">,
    I32EnumAttrCase<"EdgeToUser", 8, "edge_to_user">,
    I32EnumAttrCase<"Roots", 9, "roots">]>;
def RT_ForestIndexAttr : RT_EnumAttr<RT_ForestIndex, "forest_index_field",
    "%c = rt.forest_index %forest child_nodes : memref<?xi32>">;

def RT_RowsSize : RT_Enum<"RowsSize", "a count of a partition", [
    I32EnumAttrCase<"NumSegments", 0, "num_segments">,
    I32EnumAttrCase<"NumRows", 1, "num_rows">]>;
def RT_RowsSizeAttr : RT_EnumAttr<RT_RowsSize, "rows_size_field",
    "%n = rt.rows_size %tokens num_rows">;

def RT_Unit : RT_Enum<"Unit", "what of a GPU executes an iteration", [
    I32EnumAttrCase<"Thread", 0, "thread">,
    I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Block", 2, "block">]>;
def RT_UnitAttr : EnumAttr<RT_Dialect, RT_Unit, "unit"> {
  let assemblyFormat = "$value";
  let summary = "What of a GPU executes an iteration.";
  let description = [{
    A thread, the 32 threads of a warp, or all threads of a block, as in
    ```mlir
    rt.parallel %n grain 1 unit warp {
    ^bb0(%begin: index, %end: index):
    }
    ```
  }];
}

def RT_Math : RT_Enum<"Math", "how products of f32 matrices multiply", [
    I32EnumAttrCase<"F32", 0, "f32">,
    I32EnumAttrCase<"BF16", 1, "bf16">,
    I32EnumAttrCase<"TF32", 2, "tf32">]>;
def RT_MathAttr : EnumAttr<RT_Dialect, RT_Math, "math"> {
  let assemblyFormat = "$value";
  let summary = "How products of f32 matrices multiply.";
  let description = [{
    With `bf16`, both factors are rounded to bf16, to nearest even, and sums are of
    f32; with `tf32`, which GPUs have from sm_80 on, to the 11 bits of tf32, to
    nearest, ties away from zero (docs/Codegen.md and docs/GPU.md say of which
    products).
    ```mlir
    module {
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3",
                              features = "", flags = ["avx2", "fma"]> math bf16
    }
    ```
  }];
}

def RT_Weights : RT_Enum<"Weights", "how weights of products are kept", [
    I32EnumAttrCase<"Same", 0, "same">,
    I32EnumAttrCase<"Int8", 1, "int8">]>;
def RT_WeightsAttr : EnumAttr<RT_Dialect, RT_Weights, "weights"> {
  let assemblyFormat = "$value";
  let summary = "How weights of products are kept.";
  let description = [{
    As they are, or as integers of 8 bits with a scale for each column.
    ```mlir
    module {
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3",
                              features = "", flags = ["avx2", "fma"]> weights int8
    }
    ```
  }];
}

def RT_PanelFormat : RT_Enum<"PanelFormat", "what panels hold", [
    I32EnumAttrCase<"Values", 0, "values">,
    I32EnumAttrCase<"BF16", 1, "bf16">,
    I32EnumAttrCase<"Int8", 2, "int8">]>;
def RT_PanelFormatAttr : EnumAttr<RT_Dialect, RT_PanelFormat, "panel_format"> {
  let assemblyFormat = "$value";
  let summary = "What panels hold.";
  let description = [{
    The values as they are, pairs of bf16, or four integers of 8 bits (`rt.panels`).
    ```mlir
    %W = rt.param @W : memref<300x150xf32>
    %q = rt.panels @W as int8 : memref<3x77x64xi32>
    ```
  }];
}

#endif // CAMBIUM_RT_BASE_TD
