//===-- RTAttrs.td - What the arguments of functions are -*- tablegen -*- -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_ATTRS_TD
#define CAMBIUM_RT_ATTRS_TD

include "dialects/RT/IR/RTBase.td"
include "mlir/IR/AttrTypeBase.td"

class RT_Attr<string name, string text> : AttrDef<RT_Dialect, name> {
  let mnemonic = text;
  let assemblyFormat = "`<` struct(params) `>`";
}

def RT_RowsAttr : RT_Attr<"Rows", "rows"> {
  let summary = "A row space of the examples, as an argument.";
  let description = [{
    Of a `!ragged.rows`: `name` is what the user calls the rows. The spaces of a
    function are numbered in the order of these arguments, from 0. The rows are those
    of the examples, or those of the rows of space `in`, which comes before it.

    ```mlir
    func.func private @f(%sentences: !ragged.rows {rt.as = #rt.rows<name = "sentences">},
                         %words: !ragged.rows {rt.as = #rt.rows<name = "words", in = 0>})
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
      DefaultValuedParameter<"int64_t", "kPerExample">:$in);
  let genVerifyDecl = 1;
}

def RT_ForestAttr : RT_Attr<"Forest", "forest"> {
  let summary = "A tree per example, as an argument.";
  let description = [{
    Of a `!ragged.forest`, after all row spaces: `space` is the number of the space
    of its nodes, `arity` the largest number of children that the function can read
    (-1 for any), `single_root` whether it asks for the one root.

    ```mlir
    func.func private @f(%nodes: !ragged.rows {rt.as = #rt.rows<name = "tree">},
        %tree: !ragged.forest {rt.as = #rt.forest<name = "tree", space = 0, arity = 2>})
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$space,
      DefaultValuedParameter<"int64_t", "-1">:$arity,
      DefaultValuedParameter<"bool", "false">:$single_root);
  let genVerifyDecl = 1;
}

def RT_InputAttr : RT_Attr<"Input", "input"> {
  let summary = "An input of the examples, as an argument.";
  let description = [{
    Of a tensor or memref, after all forests. Its rows are those of space `space`,
    or the edges of tree `edges_of`, or, without either, the examples. Of ids all are in
    `[0, limit)`, which the host checks; -1: anything is good.

    ```mlir
    func.func private @f(%words: !ragged.rows {rt.as = #rt.rows<name = "words">},
        %ids: tensor<?xi32> {rt.as = #rt.input<name = "ids", space = 0, limit = 400>},
        %label: tensor<?xi32> {rt.as = #rt.input<name = "label">})
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
      DefaultValuedParameter<"int64_t", "kPerExample">:$space,
      DefaultValuedParameter<"int64_t", "-1">:$edges_of,
      DefaultValuedParameter<"int64_t", "-1">:$limit);
  let genVerifyDecl = 1;
}

def RT_OutputAttr : RT_Attr<"Output", "output"> {
  let summary = "An output: a result, or an argument that holds it.";
  let description = [{
    Of a tensor that is a result, or from the buffers phase on of a memref after all
    inputs. Its rows are those of space `space`, or, without it, the examples; -2: it
    is one per call.

    ```mlir
    func.func private @f(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">})
        -> (tensor<?xf32> {rt.as = #rt.output<name = "score">},
            tensor<3xf32> {rt.as = #rt.output<name = "weights", space = -2>})
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
      DefaultValuedParameter<"int64_t", "kPerExample">:$space);
  let genVerifyDecl = 1;
}

def RT_ProcessorAttr : RT_Attr<"Processor", "processor"> {
  let summary = "A processor.";
  let description = [{
    `triple`, `cpu` and `features` as LLVM spells them, and `flags`, the features that
    the code may need as /proc/cpuinfo spells them.

    ```mlir
    module {
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3",
                              features = "", flags = ["avx2", "fma"]>
    }
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$triple, "::mlir::StringAttr":$cpu,
      "::mlir::StringAttr":$features, "::mlir::ArrayAttr":$flags);
}

#endif // CAMBIUM_RT_ATTRS_TD
