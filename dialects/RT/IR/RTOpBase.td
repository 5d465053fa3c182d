//===-- dialects/RT/IR/RTOpBase.td - What ops of the rt dialect share ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RT_OP_BASE_TD
#define CAMBIUM_RT_OP_BASE_TD

include "dialects/RT/IR/RTAttrs.td"
include "dialects/RT/IR/RTBase.td"
include "dialects/Ragged/IR/RaggedBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class RT_Op<string mnemonic, list<Trait> traits = []>
    : Op<RT_Dialect, mnemonic, traits>;

// What only a function of the ABI can do: return an error, or hold rows and
// forests.
def RT_NeedsEntry : NativeOpTrait<"NeedsEntry"> {
  let cppNamespace = "::cambium::rt";
}

def RT_IndexMemRef : MemRefRankOf<[I32], [1]>;

#endif // CAMBIUM_RT_OP_BASE_TD
