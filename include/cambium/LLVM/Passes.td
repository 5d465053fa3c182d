//===-- include/cambium/LLVM/Passes.td - Passes of the LLVM phase --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LLVM_PASSES_TD
#define CAMBIUM_LLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def DescribeModule : Pass<"llvm-describe-module", "::mlir::ModuleOp"> {
  let summary = "Write the manifest of the module.";
  let description = [{
    The manifest (docs/Manifest.md), made from the arguments of the entries and from
    the parameters, is the text of `rt.manifest`; the symbols of the entries are
    others from here on. What the code does says the rest: a use of `rt.state` asks for state, one of `rt.example_keys` makes
    an entry random.

    ```mlir
    func.func @predict(%x: memref<?x3xf32> {rt.as = #rt.input<name = "x">},
                       %y: memref<?xf32> {rt.as = #rt.output<name = "y">}) {
      return
    }
    ```
    becomes
    ```mlir
    rt.manifest "{\22abi\22:6,\22params\22:[],\22entries\22:..." entries [@entry.predict] named ["predict"]
    ```
  }];
}

def ConvertRTToLLVM : Pass<"llvm-convert-rt", "::mlir::ModuleOp"> {
  let summary = "Read what rt ops stand for from the call's structs.";
  let description = [{
    Functions get the call (`cambium_abi_call_t` of abi.h) as first argument; the
    arguments of entries are read from it, so that they have no others, and they
    return a status. Runs on functions without `scf`: a service that fails makes
    the entry return at once.

    ```mlir
    func.func private @f() -> index {
      %n = rt.num_examples
      return %n : index
    }
    ```
    becomes
    ```mlir
    func.func private @f(%call: !llvm.ptr) -> index {
      %p = llvm.getelementptr %call[16] : (!llvm.ptr) -> !llvm.ptr, i8
      %i = llvm.load %p : !llvm.ptr -> i64
      %n = arith.index_cast %i : i64 to index
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect"];
}

def LowerToLLVM : Pass<"llvm-lower", "::mlir::ModuleOp"> {
  let summary = "Convert functions, memrefs, vectors and arithmetic to LLVM.";
  let description = [{
    One conversion for all dialects that are left after `llvm-convert-rt`.

    ```mlir
    func.func @f(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
      %y = arith.addf %a, %b : vector<16xf32>
      return %y : vector<16xf32>
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
      %y = llvm.fadd %a, %b : vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ForwardFields : Pass<"llvm-forward-fields", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Read fields of structs where they were computed.";
  let description = [{
    The lowering of memrefs puts pointers, sizes and strides into structs, only to
    read them from there at the next call. Without that detour, which is more than
    half of the code of an entry, LLVM has less to do. What is not used any more is
    erased.

    ```mlir
    llvm.func @product(!llvm.ptr)
    llvm.func @f(%p: !llvm.ptr, %s: !llvm.struct<(ptr, i64)>) {
      %t = llvm.insertvalue %p, %s[0] : !llvm.struct<(ptr, i64)>
      %q = llvm.extractvalue %t[0] : !llvm.struct<(ptr, i64)>
      llvm.call @product(%q) : (!llvm.ptr) -> ()
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%p: !llvm.ptr, %s: !llvm.struct<(ptr, i64)>) {
      llvm.call @product(%p) : (!llvm.ptr) -> ()
      llvm.return
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitKernels : Pass<"llvm-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Make kernels of the entries of GPU code.";
  let description = [{
    An entry gets the name and the calling convention that the host starts it by; all
    other functions become internal. No call may be moved where fewer threads get to
    it. What the host takes care of, `rt.device_entry`, is erased; how much shared memory
    a kernel asks for stays with it. A function of a library is an error.

    ```mlir
    rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [] messages [] []
      workspace @f.workspace
    llvm.func @f.workspace() -> i64
    llvm.func @f(%call: !llvm.ptr<1>) {
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func ptx_kernelcc @cambium_f(%call: !llvm.ptr<1>) attributes {convergent, passthrough = [["nvvm.maxntid", "256"], ["nvvm.minctasm", "1"], ["cambium-shared-at-start", "0"]]}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitModule : Pass<"llvm-emit-module", "::mlir::ModuleOp"> {
  let summary = "Add the module's description and the query function.";
  let description = [{
    The constant `cambium_abi_module_t`, with the manifest and the table of
    entries, and the one exported function, which returns its address. All other
    functions become internal, and are renamed so that none is taken for a
    function of libm.

    ```mlir
    module {
      rt.manifest "{}" entries [@predict] named ["predict"]
      rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v4",
                              features = "", flags = ["avx2"]>
      llvm.func @predict(%call: !llvm.ptr) -> i32 {
        %ok = llvm.mlir.constant(0 : i32) : i32
        llvm.return %ok : i32
      }
    }
    ```
    becomes
    ```mlir
    llvm.func internal @cambium.predict(%call: !llvm.ptr) -> i32
    llvm.mlir.global internal constant @cambium.module
    llvm.func @cambium_module_query() -> !llvm.ptr
    ```
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", "\"\"",
           "What the name of the query function begins with, and an underscore">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CAMBIUM_LLVM_PASSES_TD
