//===-- include/cambium/Codegen/Passes.td - Passes from buffers to LLVM ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_CODEGEN_PASSES_TD
#define CAMBIUM_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTarget : Pass<"rt-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say what processor the code is made for.";
  let description = [{
    Sets the attribute `rt.target` of the module, which decides the length of
    vectors and the instructions. A target that is set already stays.

    ```mlir
    module attributes {rt.target = {triple = "x86_64-unknown-linux-gnu",
        cpu = "x86-64-v4", features = "", flags = ["avx2", "fma", "avx512f"]}} {
    }
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"",
           "Processor: native, x86-64-v3, x86-64-v4, or a name of LLVM">];
}

def DescribeModule : Pass<"rt-describe-module", "::mlir::ModuleOp"> {
  let summary = "Write the manifest of the module.";
  let description = [{
    Every public function becomes an entry, if `rt.entry` does not say so yet. The
    manifest (docs/Manifest.md), made from their arguments and from the parameters,
    is the attribute `rt.manifest` of the module. What the code does says the rest:
    a use of `rt.touch` and its like makes a parameter row-sparse, one of
    `rt.state` asks for state, one of `rt.example_keys` makes an entry random.

    ```mlir
    func.func @predict(%x: memref<?x3xf32>, %y: memref<?xf32> {rt.output})
        attributes {rt.entry = "function"} {
      return
    }
    ```
  }];
}

def EmitProducts : Pass<"linalg-emit-products", "::mlir::ModuleOp"> {
  let summary = "Make calls of vector code of matrix products.";
  let description = [{
    `linalg.matmul` on memrefs, also with one operand transposed, becomes a call of
    a private function: register tiles of fused multiply-adds over vectors as long
    as the target's. All products of an element type share it. A fill with zeros
    or a broadcast of a row right before becomes the value that sums start from.
    Rows run in parallel if there is enough work; the order of a sum never changes.
    A right operand of static size is transposed once, outside of loops.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%c : memref<?x150xf32>)
    linalg.matmul ins(%a, %b : memref<?x300xf32>, memref<300x150xf32>)
                  outs(%c : memref<?x150xf32>)
    ```
    becomes
    ```mlir
    func.call @product_f32(%a, %b, %c, %c, %true, %all)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::cambium::rt::RTDialect"];
}

def ShareLoops : Pass<"linalg-share-loops", "::mlir::ModuleOp"> {
  let summary = "Make one function of linalg ops that do the same.";
  let description = [{
    Ops on memrefs that differ in nothing but what they read and write become calls
    of a private function: the update of a parameter, the copy of a weight into the
    product of several gates. It is the number of loops that decides how long
    generating code takes. Strides become arguments. In a loop, ops of one
    dimension are left in place, because a call would cost about as much.

    ```mlir
    linalg.copy ins(%x : memref<150x150xf32>) outs(%y : memref<150x150xf32>)
    linalg.copy ins(%z : memref<150x150xf32>) outs(%y : memref<150x150xf32>)
    ```
    becomes
    ```mlir
    func.call @loops(%x, %y) : (memref<150x150xf32>, memref<150x150xf32>) -> ()
    func.call @loops(%z, %y) : (memref<150x150xf32>, memref<150x150xf32>) -> ()
    ```
  }];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def Vectorize : Pass<"linalg-vectorize"> {
  let summary = "Make loops over vectors of linalg ops on memrefs.";
  let description = [{
    Elementwise ops, sums over rows (lanes are columns), reductions of rows (lanes
    are combined at the end) and transpositions of matrices. Lanes are a power of
    two; the last ones of a row are masked. Outermost parallel loops with enough
    work become `rt.parallel`. Other ops are left as they are.

    ```mlir
    linalg.copy ins(%x : memref<150xf32>) outs(%y : memref<150xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c144 step %c16 {
      %v = vector.load %x[%i] : memref<150xf32>, vector<16xf32>
      vector.store %v, %y[%i] : memref<150xf32>, vector<16xf32>
    }
    %v = vector.maskedload %x[%c144], %mask, %zero
    vector.maskedstore %y[%c144], %mask, %v
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::cambium::rt::RTDialect"];
}

def ApproximateMath : Pass<"cambium-approximate-math"> {
  let summary = "Compute functions by polynomials, on vectors too.";
  let description = [{
    `tanh`, `exp`, `expm1`, `erf`, `log` and `log1p` on `f32`: at most 5 units in the
    last place, or 4e-7 absolute. Those on `f64` are left to libm.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    ```
    becomes a polynomial of `math.fma`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def OutlineParallel : Pass<"rt-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Make functions of the regions of rt.parallel.";
  let description = [{
    Each region becomes a private function of the values that it captures and the
    bounds of a chunk; constants are copied into it.

    ```mlir
    rt.parallel %n grain 8 {
    ^bb0(%begin: index, %end: index):
      memref.store %v, %x[%begin] : memref<?xf32>
    }
    ```
    becomes
    ```mlir
    rt.launch @predict.task0(%v, %x) over %n grain 8 : f32, memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cambium::rt::RTDialect"];
}

def ConvertRTToLLVM : Pass<"convert-rt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Read what rt ops stand for from the call's structs.";
  let description = [{
    Functions get the call (`cambium_abi_call_t` of abi.h) as first argument; the
    arguments of entries are read from it, so that they have no others, and they
    return a status. Runs on functions without `scf`: a service that fails makes
    the entry return at once.

    ```mlir
    %n = rt.num_examples
    ```
    becomes
    ```mlir
    %p = llvm.getelementptr %call[16] : (!llvm.ptr) -> !llvm.ptr, i8
    %i = llvm.load %p : !llvm.ptr -> i64
    %n = arith.index_cast %i : i64 to index
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect"];
}

def LowerToLLVM : Pass<"cambium-lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert functions, memrefs, vectors and arithmetic to LLVM.";
  let description = [{
    One conversion for all dialects that are left after `convert-rt-to-llvm`.

    ```mlir
    %y = arith.addf %a, %b : vector<16xf32>
    ```
    becomes `%y = llvm.fadd %a, %b : vector<16xf32>`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitModule : Pass<"rt-emit-module", "::mlir::ModuleOp"> {
  let summary = "Add the module's description and the query function.";
  let description = [{
    The constant `cambium_abi_module_t`, with the manifest and the table of
    entries, and the one exported function, which returns its address. All other
    functions become internal, and are renamed so that none is taken for a
    function of libm.

    ```mlir
    llvm.func @cambium_module_query() -> !llvm.ptr
    ```
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", "\"\"",
           "What the name of the query function begins with, and an underscore">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CAMBIUM_CODEGEN_PASSES_TD
