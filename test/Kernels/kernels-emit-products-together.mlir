//===-- test/Kernels/kernels-emit-products-together.mlir - One region -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products --cse | FileCheck %s
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v4 weights=int8" --kernels-emit-products | FileCheck %s --check-prefix=INT8
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products --remarks-filter=kernels-emit-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Products that threads do together are one call, and one parallel loop.

nn.param @P : tensor<256x70xf32>
nn.param @Q : tensor<256x70xf32>
nn.param @b : tensor<70xf32>

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

/// The gates of a cell: the same left operand, results of their own. What is done between
/// them without an effect, and what their sums start from, is no obstacle.
// CHECK-LABEL: func.func @gates
// CHECK: rt.alloc
// CHECK: rt.alloc
// CHECK-NOT: linalg.
// CHECK: call @product_f32_beside2(%[[A:[a-z_0-9]+]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %false, %{{[^,]*}}, %c3, %[[A]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %true
// CHECK-NOT: call
// CHECK: return
// INT8-LABEL: func.func @gates
// INT8: call @product_int8_beside2
// REMARK: [[@LINE+11]]:{{.*}}Together=2
func.func @gates(%n: index, %a: memref<?x256xf32> {rt.as = #rt.input<name = "a">}) {
  %zero = arith.constant 0.0 : f32
  %p = rt.param @P : memref<256x70xf32>
  %q = rt.param @Q : memref<256x70xf32>
  %r = rt.param @b : memref<70xf32>
  %c = rt.alloc(%n) : memref<?x70xf32>
  linalg.broadcast ins(%r : memref<70xf32>) outs(%c : memref<?x70xf32>) dimensions = [0]
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  %d = rt.alloc(%n) : memref<?x70xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<?x70xf32>)
  linalg.matmul ins(%a, %q : memref<?x256xf32>, memref<256x70xf32>) outs(%d : memref<?x70xf32>)
  return
}

/// The gradient of a state: one result, to which all are added in their order.
// CHECK-LABEL: func.func @gradient
// CHECK: call @product_f32_sum3(%{{[^,]*}}, %{{[^,]*}}, %[[C:[a-z_0-9]+]], %[[C]], %true, %{{[^,]*}}, %c3, %{{[^,]*}}, %{{[^,]*}}, %[[C]], %[[C]], %false
// CHECK-NOT: call
// CHECK: return
func.func @gradient(%n: index, %a: memref<?x256xf32> {rt.as = #rt.input<name = "a">},
                    %b: memref<?x256xf32> {rt.as = #rt.input<name = "b">}) {
  %zero = arith.constant 0.0 : f32
  %p = rt.param @P : memref<256x70xf32>
  %q = rt.param @Q : memref<256x70xf32>
  %c = rt.alloc(%n) : memref<?x70xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%b, %q : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%a, %q : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  return
}

/// Gradients of weights: one left operand, which is read the other way round, and the memory
/// of different parameters.
// CHECK-LABEL: func.func @weights
// CHECK: call @product_f32_transposed_beside2(
// CHECK-NOT: call
// CHECK: return
func.func @weights(%x: memref<?x256xf32> {rt.as = #rt.input<name = "x">},
                   %dy: memref<?x70xf32> {rt.as = #rt.input<name = "dy">},
                   %dz: memref<?x70xf32> {rt.as = #rt.input<name = "dz">}) {
  %p = rt.gradient @P : memref<256x70xf32>
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%x, %dy : memref<?x256xf32>, memref<?x70xf32>) outs(%p : memref<256x70xf32>)
  %q = rt.gradient @Q : memref<256x70xf32>
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%x, %dz : memref<?x256xf32>, memref<?x70xf32>) outs(%q : memref<256x70xf32>)
  return
}

/// The gradient of one parameter twice; one that is read; another left operand, whose rows
/// may be more.
// CHECK-LABEL: func.func @negative_weights
// CHECK-COUNT-5: call @product_f32{{(_transposed)?}}(
// CHECK: return
func.func @negative_weights(%x: memref<?x256xf32>, %z: memref<?x256xf32>, %dy: memref<?x70xf32>,
                            %w: memref<70x70xf32>) {
  %p = rt.gradient @P : memref<256x70xf32>
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%x, %dy : memref<?x256xf32>, memref<?x70xf32>) outs(%p : memref<256x70xf32>)
  %again = rt.gradient @P : memref<256x70xf32>
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%x, %dy : memref<?x256xf32>, memref<?x70xf32>) outs(%again : memref<256x70xf32>)
  %q = rt.gradient @Q : memref<256x70xf32>
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%z, %dy : memref<?x256xf32>, memref<?x70xf32>) outs(%q : memref<256x70xf32>)
  %c = rt.alloc() : memref<256x70xf32>
  linalg.matmul ins(%q, %w : memref<256x70xf32>, memref<70x70xf32>) outs(%c : memref<256x70xf32>)
  linalg.matmul ins(%q, %w : memref<256x70xf32>, memref<70x70xf32>) outs(%q : memref<256x70xf32>)
  return
}

/// What is between them reads the first result.
// CHECK-LABEL: func.func @negative_read_between
// CHECK: call @product_f32(
// CHECK: linalg.copy
// CHECK: call @product_f32(
func.func @negative_read_between(%n: index, %a: memref<?x256xf32>, %e: memref<?x70xf32>) {
  %p = rt.param @P : memref<256x70xf32>
  %c = rt.alloc(%n) : memref<?x70xf32>
  %d = rt.alloc(%n) : memref<?x70xf32>
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.copy ins(%c : memref<?x70xf32>) outs(%e : memref<?x70xf32>)
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%d : memref<?x70xf32>)
  return
}

/// The second product reads what the first one writes; two write to views of one array;
/// and results that the caller has may be the same.
// CHECK-LABEL: func.func @negative_same_memory
// CHECK-COUNT-6: call @product_f32(
// CHECK: return
func.func @negative_same_memory(%n: index, %a: memref<?x70xf32>, %w: memref<70x70xf32>,
                                %x: memref<?x70xf32>, %y: memref<?x70xf32>) {
  %c = rt.alloc(%n) : memref<?x70xf32>
  linalg.matmul ins(%c, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%x : memref<?x70xf32>)
  %d = rt.alloc(%n) : memref<?x70xf32>
  linalg.matmul ins(%c, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%d : memref<?x70xf32>)
  linalg.matmul ins(%d, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%d : memref<?x70xf32>)
  %e = rt.alloc(%n) : memref<?x140xf32>
  %left = memref.subview %e[0, 0] [%n, 70] [1, 1] : memref<?x140xf32> to memref<?x70xf32, strided<[140, 1]>>
  %right = memref.subview %e[0, 70] [%n, 70] [1, 1] : memref<?x140xf32> to memref<?x70xf32, strided<[140, 1], offset: 70>>
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%left : memref<?x70xf32, strided<[140, 1]>>)
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%right : memref<?x70xf32, strided<[140, 1], offset: 70>>)
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%y : memref<?x70xf32>)
  return
}

/// Other sizes; another left operand and another result; a left operand that a loop carries,
/// which may be any memory; another loop.
// CHECK-LABEL: func.func @negative_others
// CHECK-NOT: call @product_f32_
// CHECK: return
func.func @negative_others(%n: index, %a: memref<?x70xf32>, %b: memref<?x70xf32>,
                           %w: memref<70x70xf32>, %v: memref<70x30xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = rt.alloc(%n) : memref<?x70xf32>
  %d = rt.alloc(%n) : memref<?x30xf32>
  %e = rt.alloc(%n) : memref<?x70xf32>
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%a, %v : memref<?x70xf32>, memref<70x30xf32>) outs(%d : memref<?x30xf32>)
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%b, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%e : memref<?x70xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<?x70xf32> {
    linalg.matmul ins(%x, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%c : memref<?x70xf32>)
    linalg.matmul ins(%x, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%e : memref<?x70xf32>)
    scf.yield %c : memref<?x70xf32>
  }
  linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%c : memref<?x70xf32>)
  return
}

/// Every second iteration of a loop begins with the last product, whose right operand is
/// still in the cache.
// CHECK-LABEL: func.func @levels
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[ODD:.*]] = arith.trunci %[[NUMBER]] : i64 to i1
// CHECK: call @product_f32_beside2({{.*}}, %[[ODD]])
func.func @levels(%n: index, %a: memref<?x70xf32>, %w: memref<70x70xf32>, %v: memref<70x70xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = rt.alloc(%n) : memref<?x70xf32>
  %d = rt.alloc(%n) : memref<?x70xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %w : memref<?x70xf32>, memref<70x70xf32>) outs(%c : memref<?x70xf32>)
    linalg.matmul ins(%a, %v : memref<?x70xf32>, memref<70x70xf32>) outs(%d : memref<?x70xf32>)
  }
  return
}

/// Threads share the rows or the columns of all of them; each computes its part of one after
/// the other, and is told how far behind the right operand of one that of the next begins.
// CHECK: func.func private @product_f32_beside2({{.*}}, %[[BACKWARDS:[a-z_0-9]+]]: i1) attributes
// CHECK: rt.parallel
// CHECK: scf.if %[[BACKWARDS]]
// CHECK: memref.extract_aligned_pointer_as_index %arg1
// CHECK: memref.extract_aligned_pointer_as_index %arg8
// CHECK: %[[NEXT:.*]] = arith.divsi %{{.*}}, %c4
// CHECK: func.call @product_f32_part(%arg7, %arg8, {{.*}}, %[[NEXT]])
// CHECK: func.call @product_f32_part(%arg0, %arg1, {{.*}}, %c0)
// CHECK: else
// CHECK: %[[NEXT:.*]] = arith.divsi %{{.*}}, %c4
// CHECK: func.call @product_f32_part(%arg0, %arg1, {{.*}}, %[[NEXT]])
// CHECK: func.call @product_f32_part(%arg7, %arg8, {{.*}}, %c0)
// CHECK: func.func private @product_f32_sum3(
// CHECK: rt.parallel
// CHECK-COUNT-3: func.call @product_f32_part
