//===-- dialects/RT/IR/ModuleOps.td - The module and its sizes -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_MODULE_OPS_TD
#define CAMBIUM_RT_MODULE_OPS_TD

include "dialects/RT/IR/RTOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def RT_TargetOp : RT_Op<"target", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "What processor the code is made for.";
  let description = [{
    At most one in a module. It decides the length of vectors and the instructions,
    and says how products multiply (`math`, f32 unless it is said) and how weights are
    kept for that (`weights`, as they are). A GPU has tensor cores for `bf16` and
    `tf32` from sm_80 on; no processor has `tf32`.

    ```mlir
    module {
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3",
                              features = "", flags = ["avx2", "fma"]> math bf16
    }
    ```
  }];
  let arguments = (ins RT_ProcessorAttr:$processor,
      DefaultValuedAttr<RT_MathAttr, "::cambium::rt::Math::F32">:$math,
      DefaultValuedAttr<RT_WeightsAttr, "::cambium::rt::Weights::Same">:$weights);
  let assemblyFormat = "$processor (`math` $math^)? (`weights` $weights^)? attr-dict";
  let hasVerifier = 1;
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

#endif // CAMBIUM_RT_MODULE_OPS_TD
