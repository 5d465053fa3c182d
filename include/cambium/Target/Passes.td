//===-- include/cambium/Target/Passes.td - What code is made for ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_PASSES_TD
#define CAMBIUM_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTarget : Pass<"target-attach", "::mlir::ModuleOp"> {
  let summary = "Say what processor the code is made for.";
  let description = [{
    Puts `rt.target` into the module, which decides the length of vectors and the
    instructions, and says how products multiply and how weights are kept for them.
    What is set already stays; asking for something else is an error.

    ```mlir
    module {
    }
    ```
    becomes
    ```mlir
    module {
      rt.target <triple = "...", cpu = "...", features = "...", flags = [...]>
    ```
  }];
  let dependentDialects = ["::cambium::rt::RTDialect"];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"",
           "Processor: native, x86-64-v3, x86-64-v4, or a name of LLVM">,
    Option<"math", "math", "std::string", "\"\"",
           "How products of f32 matrices multiply: f32, bf16 or, on GPUs, tf32; f32 "
           "unless the module says something else">,
    Option<"weights", "weights", "std::string", "\"\"",
           "How weights of products are kept: same or int8; the same unless the "
           "module says something else">];
}

#endif // CAMBIUM_TARGET_PASSES_TD
