//===-- Passes.td - Passes of the kernels phase --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_KERNELS_PASSES_TD
#define CAMBIUM_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "cambium/Kernels/GPU.td"

def EmitProducts : Pass<"kernels-emit-products", "::mlir::ModuleOp"> {
  let summary = "Make calls of vector code of matrix products.";
  let description = [{
    `linalg.matmul` on memrefs, also with one operand transposed, becomes a call of
    a private function: register tiles of fused multiply-adds over vectors as long
    as the target's. All products of a type share it. A fill with zeros
    or a broadcast of a row right before becomes the value that sums start from.
    Parts of rows or columns run in parallel if there is enough work; the order of a
    sum never changes. A right operand of static size is transposed once, outside of
    loops.

    Products that follow each other are one call (`@product_f32_beside3`,
    `@product_f32_sum3`), hence one parallel loop, where they have the same left
    operand and results of their own, or one result to which all are added. They have
    the same sizes, and nobody else has the memory that they write to, or it is that of
    the gradients of different parameters. Every second
    iteration of a loop does those beside each other from the last one to the first.
    A remark says how many they are.

    What `linalg.transpose` has made and products alone read, as their right operand, is
    made in panels if it is large; matrices of one size in one `rt.for_each` over panels.
    A remark says how many they are (metric `Transposed`).

    A right operand that is a large parameter is read in panels (`rt.panels`). Where
    `rt.target` says `math bf16` or `weights int8`, these hold words, another private
    function multiplies them with a left operand that it rounds likewise, and a remark
    names the products that stay f32.

    ```mlir
    func.func @f(%a: memref<?x300xf32>, %b: memref<300x150xf32>, %c: memref<?x150xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%c : memref<?x150xf32>)
      linalg.matmul ins(%a, %b : memref<?x300xf32>, memref<300x150xf32>)
                    outs(%c : memref<?x150xf32>)
      return
    }
    ```
    becomes
    ```mlir
    %a_rows = memref.cast %a : memref<?x300xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %b_rows = memref.cast %b : memref<300x150xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    call @product_f32(%a_rows, %b_rows, %start, %c_rows, %true, %panel_stride, %vectors) : ...
    func.func private @product_f32(...) attributes {no_inline} {
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::cambium::rt::RTDialect"];
}

def ShareLoops : Pass<"kernels-share-loops", "::mlir::ModuleOp"> {
  let summary = "Make one function of loops that do the same.";
  let description = [{
    Ops on memrefs that differ in nothing but what they read and write become calls
    of a private function: the update of a parameter, the copy of a weight into the
    product of several gates, and first of all the loop over the levels of trees,
    which a loss repeats for each tree and a training step once more. It is the
    number of loops that decides how long generating code takes. Strides of linalg
    ops become arguments. In a loop, ops of one dimension are left in place, because
    a call would cost about as much.

    Where all loops of an op are parallel, or all reductions, and go over memory of
    known size without gaps, its shape makes no difference: the update of a parameter
    and the sum of its squares. If the memory is whole rows of as many elements as a
    reduction works on at once, one function for any number of such rows does it.

    Loops right in an entry become functions even if there is one of a kind. An
    entry is long, but runs once: without loops its code need not be good.

    ```mlir
    func.func @f(%x: memref<150x150xf32>, %y: memref<150x150xf32>, %z: memref<150x150xf32>) {
      linalg.copy ins(%x : memref<150x150xf32>) outs(%y : memref<150x150xf32>)
      linalg.copy ins(%z : memref<150x150xf32>) outs(%y : memref<150x150xf32>)
      return
    }
    ```
    becomes
    ```mlir
    call @loops(%x, %y) : (memref<150x150xf32>, memref<150x150xf32>) -> ()
    call @loops(%z, %y) : (memref<150x150xf32>, memref<150x150xf32>) -> ()
    ```
  }];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def ParallelizeLoops : Pass<"kernels-parallelize-loops"> {
  let summary = "Run the iterations of independent loops at once.";
  let description = [{
    An outermost `rt.for_each` becomes an `rt.parallel`; the target's costs decide how
    many iterations are worth a chunk. One inside of it is a loop of the chunk. Memory
    that is an iteration's own becomes that of the chunk.

    ```mlir
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
      rt.for_each %i of %n work 512 {
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %y[%i] : memref<?xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    rt.parallel %n grain 64 {
    ^bb0(%begin: index, %end: index):
      scf.for %i = %begin to %end step %c1 {
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %y[%i] : memref<?xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::cambium::rt::RTDialect"];
}

def Vectorize : Pass<"kernels-vectorize"> {
  let summary = "Make loops over vectors of linalg ops on memrefs.";
  let description = [{
    Elementwise ops, sums over rows (lanes are columns), reductions of rows (lanes
    are combined at the end) and transpositions of matrices. Lanes are a power of
    two; the last ones of a row are masked. Outermost parallel loops with enough
    work become `rt.parallel`. Elements at computed places, or at equal distances
    where no loop is contiguous, are gathered, where the target does that as fast as
    it loads them. Other ops are left as they are.

    ```mlir
    func.func @f(%x: memref<150xf32>, %y: memref<150xf32>) {
      linalg.copy ins(%x : memref<150xf32>) outs(%y : memref<150xf32>)
      return
    }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c148 step %c4 {
      %v = vector.load %x[%i] : memref<150xf32>, vector<4xf32>
      vector.store %v, %y[%i] : memref<150xf32>, vector<4xf32>
    }
    %mask = arith.constant dense<[true, true, false, false]> : vector<4xi1>
    %w = vector.maskedload %x[%last], %mask, %zero
      : memref<150xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %y[%last], %mask, %w : memref<150xf32>, vector<4xi1>, vector<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::cambium::rt::RTDialect"];
}

def ApproximateMath : Pass<"kernels-approximate-math"> {
  let summary = "Compute functions by polynomials, on vectors too.";
  let description = [{
    `tanh`, `exp`, `expm1`, `erf`, `log` and `log1p` on `f32`: at most 6 units in the
    last place, or 4e-7 absolute. Those on `f64` are left to libm. Divisions in `tanh`
    and `erf`, and others with `arcp`, are by an estimate where AVX-512 has a good one.
    `fpowi` becomes `powf` on `f64`, since LLVM has none with an exponent for each lane.

    ```mlir
    func.func @f(%x: vector<16xf32>) -> vector<16xf32> {
      %y = math.exp %x : vector<16xf32>
      return %y : vector<16xf32>
    }
    ```
    becomes
    ```mlir
    %rounded = arith.addf %scaled, %places : vector<16xf32>
    ...
    %bits = arith.bitcast %below : vector<16xf32> to vector<16xi32>
    %exponent = arith.shli %bits, %shift : vector<16xi32>
    %power = arith.bitcast %exponent : vector<16xi32> to vector<16xf32>
    %y = arith.mulf %polynomial, %power : vector<16xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def OutlineParallel : Pass<"kernels-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Make functions of the regions of rt.parallel.";
  let description = [{
    Each region becomes a private function of the values that it captures and the
    bounds of a chunk; constants are copied into it.

    ```mlir
    func.func @predict(%n: index, %v: f32, %x: memref<?xf32>) {
      rt.parallel %n grain 8 {
      ^bb0(%begin: index, %end: index):
        memref.store %v, %x[%begin] : memref<?xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func private @predict.task(%v: f32, %x: memref<?xf32, strided<[1], offset: ?>>,
                                    %begin: index, %end: index) {
      memref.store %v, %x[%begin] : memref<?xf32, strided<[1], offset: ?>>
    func.func @predict(%n: index, %w: f32, %y: memref<?xf32>) {
      %z = memref.cast %y : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      rt.launch @predict.task(%w, %z) over %n grain 8 : f32, memref<?xf32, strided<[1], offset: ?>>
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cambium::rt::RTDialect"];
}

def ReleaseMemory : Pass<"kernels-release-memory", "::mlir::func::FuncOp"> {
  let summary = "Give workspace back that an entry does not need any more.";
  let description = [{
    Right in an entry, `rt.alloc` moves to where its memory is accessed first, and
    `memref.dealloc` follows the last access: what is allocated later takes that
    memory again. Sizes may differ; the runtime knows them. Memory that something
    else than a view refers to lives until the entry returns.

    ```mlir
    func.func @f(%n: index, %m: index, %v: f32, %x: memref<?xf32>) {
      %a = rt.alloc(%n) : memref<?xf32>
      %b = rt.alloc(%m) : memref<?xf32>
      linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
      linalg.copy ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
      linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
      return
    }
    ```
    becomes
    ```mlir
    %a = rt.alloc(%n) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    linalg.copy ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
    memref.dealloc %a : memref<?xf32>
    %b = rt.alloc(%m) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // CAMBIUM_KERNELS_PASSES_TD
