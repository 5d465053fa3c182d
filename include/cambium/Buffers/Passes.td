//===-- Passes.td - Passes of the buffers phase --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_BUFFERS_PASSES_TD
#define CAMBIUM_BUFFERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EntryOutputs : Pass<"buffers-entry-outputs", "::mlir::ModuleOp"> {
  let summary = "Give entries memory for their results.";
  let description = [{
    Tensor arguments of functions become memrefs that are only read; each result
    becomes a memref argument after them, which keeps the result's attributes. All
    results are written as tensors first, those that were computed first before
    others: one may be computed in the memory of another.

    ```mlir
    func.func @f(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">})
        -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y">}) {
      %y = math.tanh %x : tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<?x3xf32> {rt.as = #rt.input<name = "x">},
                 %out: memref<?x3xf32> {rt.as = #rt.output<name = "y">}) {
      %o = bufferization.to_tensor %out restrict writable : memref<?x3xf32> to tensor<?x3xf32>
      %t = bufferization.to_tensor %x restrict : memref<?x3xf32> to tensor<?x3xf32>
      %y = math.tanh %t : tensor<?x3xf32>
      %w = bufferization.materialize_in_destination %y in %o
        : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
      bufferization.materialize_in_destination %w in restrict writable %out
        : (tensor<?x3xf32>, memref<?x3xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::cambium::rt::RTDialect"];
}

def WriteRecords : Pass<"buffers-write-records"> {
  let summary = "Write what loops only record to memory.";
  let description = [{
    An array that begins undefined and that an iteration only puts rows into is
    not carried: it is memory, whose rows an iteration writes. So the number of
    values that a loop carries does not grow with the number of those that are
    kept for its gradient, and neither does what the analysis of the loop costs.
    Rows that are made in memory that other values are made in, too, stay: the
    analysis has to see when they are put into the array.

    ```mlir
    func.func @f(%x: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %e = tensor.empty(%n) : tensor<?x3xf32>
      %r = scf.for %i = %zero to %n step %one iter_args(%a = %e) -> (tensor<?x3xf32>) {
        %y = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<1x3xf32>
        %w = tensor.insert_slice %y into %a[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
        scf.yield %w : tensor<?x3xf32>
      }
      return %r : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?x3xf32>
      scf.for %i = %zero to %n step %one {
        %v = memref.subview %m[%i, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<1x3xf32, strided<[3, 1], offset: ?>>
        %y = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<1x3xf32>
        bufferization.materialize_in_destination %y in restrict writable %v : (tensor<1x3xf32>, memref<1x3xf32, strided<[3, 1], offset: ?>>) -> ()
      }
      %r = bufferization.to_tensor %m restrict writable : memref<?x3xf32> to tensor<?x3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OwnDestinations : Pass<"buffers-own-destinations"> {
  let summary = "Give every op a destination of its own.";
  let description = [{
    A `tensor.empty` that several ops use (after CSE) is cloned for each, and so
    is what only fills a destination, or puts parts into an array that has
    nothing else yet; shared, it would be copied, with what is not written.

    ```mlir
    %e = tensor.empty() : tensor<3xf32>
    %a = linalg.exp ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %b = linalg.exp ins(%a : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<3xf32>
    %a = linalg.exp ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %f = tensor.empty() : tensor<3xf32>
    %b = linalg.exp ins(%a : tensor<3xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConstantMemory : Pass<"buffers-constant-memory", "::mlir::ModuleOp"> {
  let summary = "Put constant tensors into globals of the module.";
  let description = [{
    What changes the module is done first, so that functions can be bufferized by
    threads.

    ```mlir
    func.func @f() -> tensor<2xf32> {
      %r = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      return %r : tensor<2xf32>
    }
    ```
    becomes
    ```mlir
    memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
    func.func @f() -> tensor<2xf32> {
      %m = memref.get_global @__constant_2xf32 : memref<2xf32>
      %r = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Bufferize : Pass<"buffers-bufferize", "::mlir::func::FuncOp"> {
  let summary = "Make memory of all tensors of a function.";
  let description = [{
    One-Shot Bufferize of a function whose arguments are memory already. Constant
    tensors must be globals by now (`buffers-constant-memory`). What is put into a
    larger array is computed there; or apart, where what else is read there does not
    let it be. Then nothing is copied first: that part of the array has no values yet.

    ```mlir
    func.func @f(%x: memref<3xf32>, %out: memref<3xf32>) {
      %t = bufferization.to_tensor %x restrict : memref<3xf32> to tensor<3xf32>
      %e = bufferization.to_tensor %out restrict writable : memref<3xf32> to tensor<3xf32>
      %y = linalg.exp ins(%t : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
      bufferization.materialize_in_destination %y in restrict writable %out
        : (tensor<3xf32>, memref<3xf32>) -> ()
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<3xf32>, %out: memref<3xf32>) {
      linalg.exp ins(%x : memref<3xf32>) outs(%out : memref<3xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ReuseMemory : Pass<"buffers-reuse-memory"> {
  let summary = "Give values that do not live together one buffer.";
  let description = [{
    Within a block, an allocation takes the memory of an earlier one of the same
    type and size that is not used any more when it is first used, or which the op
    that writes it first reads for the last time, element by element. In the body of
    a loop over levels this keeps the working set small. In GPU code it may also
    let stages wait for each other, so that loops can be left alone.

    ```mlir
    func.func @f(%n: index, %x: memref<?x3xf32>, %y: memref<?x3xf32>) {
      %a = memref.alloc(%n) : memref<?x3xf32>
      linalg.exp ins(%x : memref<?x3xf32>) outs(%a : memref<?x3xf32>)
      linalg.copy ins(%a : memref<?x3xf32>) outs(%x : memref<?x3xf32>)
      %b = memref.alloc(%n) : memref<?x3xf32>
      linalg.exp ins(%y : memref<?x3xf32>) outs(%b : memref<?x3xf32>)
      linalg.copy ins(%b : memref<?x3xf32>) outs(%y : memref<?x3xf32>)
      return
    }
    ```
    becomes
    ```mlir
    %a = memref.alloc(%n) : memref<?x3xf32>
    linalg.exp ins(%x : memref<?x3xf32>) outs(%a : memref<?x3xf32>)
    linalg.copy ins(%a : memref<?x3xf32>) outs(%x : memref<?x3xf32>)
    linalg.exp ins(%y : memref<?x3xf32>) outs(%a : memref<?x3xf32>)
    linalg.copy ins(%a : memref<?x3xf32>) outs(%y : memref<?x3xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [Option<"outsideLoops", "outside-loops", "bool", "false",
                        "Leave the bodies of loops alone">];
}

def HoistAllocations : Pass<"buffers-hoist-allocations"> {
  let summary = "Move allocations out of loops.";
  let description = [{
    An allocation inside a loop moves before the outermost loop with the largest
    size that it can have; inside, the part that is used is a view of it. Sizes
    that change are bounded by `rt.at_most` with a value from outside: rows of a
    level by `max_level_nodes` or `max_level_edges` of the forest.

    In an `rt.for_each`, small memory of a known size becomes the iteration's own
    (`memref.alloca`). Other memory is allocated for all iterations if each is worth a
    thread. If not, they share it and cannot run at once: the loop becomes an `scf.for`,
    and a remark says so.

    ```mlir
    func.func @f(%levels: index, %max: index, %counts: memref<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %l = %c0 to %levels step %c1 {
        %count = memref.load %counts[%l] : memref<?xindex>
        %n = rt.at_most %count, %max
        %x = memref.alloc(%n) : memref<?x3xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    %buffer = memref.alloc(%max) : memref<?x3xf32>
    scf.for %l = %c0 to %levels step %c1 {
      %count = memref.load %counts[%l] : memref<?xindex>
      %n = rt.at_most %count, %max
      %x = memref.reinterpret_cast %buffer to offset: [0], sizes: [%n, 3], strides: [3, 1]
           : memref<?x3xf32> to memref<?x3xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def UseArena : Pass<"buffers-use-arena"> {
  let summary = "Allocate from the workspace of the call, copy by linalg.";
  let description = [{
    `memref.alloc` becomes `rt.alloc`, whose memory lives until the entry returns;
    `memref.copy` becomes `linalg.copy`, which needs no function of a library. All memory
    has its size then, so that bounds (`rt.at_most`) go, unless they are to be kept: the
    host computes the memory of GPU code, and does not know all sizes.

    ```mlir
    func.func @f(%n: index, %y: memref<?x3xf32>) {
      %x = memref.alloc(%n) {alignment = 64 : i64} : memref<?x3xf32>
      memref.copy %x, %y : memref<?x3xf32> to memref<?x3xf32>
      return
    }
    ```
    becomes
    ```mlir
    %x = rt.alloc(%n) : memref<?x3xf32>
    linalg.copy ins(%x : memref<?x3xf32>) outs(%y : memref<?x3xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::cambium::rt::RTDialect"];
  let options = [Option<"keepBounds", "keep-bounds", "bool", "false",
                        "Keep the bounds of sizes">];
}

def VerifyBuffers : Pass<"buffers-verify", "::mlir::ModuleOp"> {
  let summary = "Check the contract of the buffers phase.";
  let description = [{
    No value is a tensor, no result is returned, only dialects of the phase occur,
    and nothing is allocated in a loop.

    ```mlir
    func.func @f(%x: memref<?x3xf32> {rt.as = #rt.input<name = "x">},
                 %out: memref<?x3xf32> {rt.as = #rt.output<name = "y">}) {
      linalg.copy ins(%x : memref<?x3xf32>) outs(%out : memref<?x3xf32>)
      return
    }
    ```
  }];
}

#endif // CAMBIUM_BUFFERS_PASSES_TD
