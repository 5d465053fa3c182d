//===-- SizedOpInterface.td - Ops with sizes beside types -*- tablegen -*- ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def SizedOpInterface : OpInterface<"SizedOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    An op that has dimensions of tensors in its attributes. When a model is given
    other sizes (`nn.sizes`), they change with its types.
  }];
  let methods = [
    InterfaceMethod<[{
      Puts `replace(n)` in the place of each number `n` that is a dimension.
    }], "void", "replaceSizes",
    (ins "::llvm::function_ref<int64_t(int64_t)>":$replace)>
  ];
}
