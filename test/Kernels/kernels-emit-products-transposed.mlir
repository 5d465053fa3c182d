//===-- test/Kernels/kernels-emit-products-transposed.mlir - In panels ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products --canonicalize --cse | FileCheck %s
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v4 weights=int8" --kernels-emit-products | FileCheck %s --check-prefix=INT8
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products --remarks-filter=kernels-emit-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Transposed matrices that products alone read are made in panels.

nn.param @P : tensor<150x256xf32>
nn.param @Q : tensor<150x256xf32>
nn.param @S : tensor<150x25xf32>

/// Two of one size are made in one loop, though a product of the first one stands between
/// them; what fills no panel behind it. Products then follow each other.
// CHECK-LABEL: func.func @together
// CHECK-DAG: %[[P:.*]] = rt.param @P
// CHECK-DAG: %[[Q:.*]] = rt.param @Q
// CHECK-DAG: %[[A:.*]] = rt.alloc() : memref<4x256x48xf32>
// CHECK-DAG: %[[B:.*]] = rt.alloc() : memref<4x256x48xf32>
// CHECK: rt.for_each %[[I:.*]] of %c3 work 24576 {
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c48
// CHECK: %[[FROM:.*]] = memref.subview %[[P]][%[[ROW]], 0] [48, 256]
// CHECK: %[[TO:.*]] = memref.subview %[[A]][%[[I]], 0, 0] [1, 256, 48]
// CHECK: linalg.transpose ins(%[[FROM]] : {{.*}}) outs(%[[TO]]
// CHECK: memref.subview %[[Q]][%[[ROW]], 0] [48, 256]
// CHECK: linalg.transpose
// CHECK: }
// CHECK: memref.subview %[[P]][144, 0] [6, 256]
// CHECK: memref.subview %[[A]][3, 0, 0] [1, 256, 6]
// CHECK: linalg.transpose
// CHECK: memref.subview %[[Q]][144, 0] [6, 256]
// CHECK: linalg.transpose
// CHECK-NOT: rt.alloc() : memref<256x150xf32>
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [256, 150], strides: [48, 1]
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [256, 150], strides: [48, 1]
// CHECK: call @product_f32_sum2({{.*}}, %c12288, %c3, {{.*}}, %c12288, %c3)
// INT8-LABEL: func.func @together
// INT8: rt.for_each
// INT8: call @product_f32_sum2
// REMARK: [[@LINE+9]]:{{.*}}Transposed=2
func.func @together(%n: index, %a: memref<?x256xf32> {rt.as = #rt.input<name = "a">},
                    %b: memref<?x256xf32> {rt.as = #rt.input<name = "b">},
                    %y: memref<?x150xf32> {rt.as = #rt.output<name = "y">}) {
  %zero = arith.constant 0.0 : f32
  %p = rt.param @P : memref<150x256xf32>
  %q = rt.param @Q : memref<150x256xf32>
  %s = rt.alloc(%n) : memref<?x150xf32>
  %t = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%p : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
  linalg.fill ins(%zero : f32) outs(%s : memref<?x150xf32>)
  linalg.matmul ins(%a, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%s : memref<?x150xf32>)
  linalg.transpose ins(%q : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%b, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%s : memref<?x150xf32>)
  linalg.copy ins(%s : memref<?x150xf32>) outs(%y : memref<?x150xf32>)
  return
}

/// One that is no parameter has a loop of its own, where it is.
// CHECK-LABEL: func.func @own
// CHECK: rt.for_each %{{.*}} of %c3 work 12288 {
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK: rt.for_each %{{.*}} of %c3 work 12288 {
// CHECK: call @product_f32(
// CHECK: call @product_f32(
// CHECK: return
func.func @own(%n: index, %a: memref<?x256xf32>, %y: memref<?x150xf32>, %z: memref<?x150xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p = rt.param @P : memref<150x256xf32>
  %w = rt.alloc() : memref<150x256xf32>
  %s = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%p : memref<150x256xf32>) outs(%s : memref<256x150xf32>) permutation = [1, 0]
  %t = rt.alloc() : memref<256x150xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%one : f32) outs(%w : memref<150x256xf32>)
    linalg.transpose ins(%w : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
    linalg.matmul ins(%a, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
    linalg.matmul ins(%a, %s : memref<?x256xf32>, memref<256x150xf32>) outs(%z : memref<?x150xf32>)
  }
  return
}

/// What may write to the parameters stands between them: memory that a caller has may be
/// anything.
// CHECK-LABEL: func.func @apart
// CHECK: rt.for_each %{{.*}} of %c3 work 12288 {
// CHECK: call @product_f32(
// CHECK: linalg.fill
// CHECK: rt.for_each %{{.*}} of %c3 work 12288 {
// CHECK: call @product_f32(
func.func @apart(%a: memref<?x256xf32>, %y: memref<?x150xf32>, %z: memref<?x150xf32>,
                 %x: memref<150x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = rt.param @P : memref<150x256xf32>
  %q = rt.param @Q : memref<150x256xf32>
  %s = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%p : memref<150x256xf32>) outs(%s : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%a, %s : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
  linalg.fill ins(%zero : f32) outs(%x : memref<150x256xf32>)
  %t = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%q : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%a, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%z : memref<?x150xf32>)
  return
}

/// What is read by others, or as a left operand, or is small, stays in rows.
// CHECK-LABEL: func.func @negative_readers
// CHECK-NOT: rt.for_each
// CHECK-COUNT-3: linalg.transpose
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_readers(%n: index, %a: memref<?x256xf32>, %b: memref<?x25xf32>,
                            %w: memref<150x150xf32>, %y: memref<?x150xf32>,
                            %z: memref<256x150xf32>) {
  %p = rt.param @P : memref<150x256xf32>
  %q = rt.param @Q : memref<150x256xf32>
  %s = rt.param @S : memref<150x25xf32>
  %copied = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%p : memref<150x256xf32>) outs(%copied : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%a, %copied : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
  linalg.copy ins(%copied : memref<256x150xf32>) outs(%z : memref<256x150xf32>)
  %left = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%q : memref<150x256xf32>) outs(%left : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%left, %w : memref<256x150xf32>, memref<150x150xf32>) outs(%z : memref<256x150xf32>)
  linalg.matmul ins(%a, %left : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
  %small = rt.alloc() : memref<25x150xf32>
  linalg.transpose ins(%s : memref<150x25xf32>) outs(%small : memref<25x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%b, %small : memref<?x25xf32>, memref<25x150xf32>) outs(%y : memref<?x150xf32>)
  return
}

/// Memory that two have one after the other, read in another block, or before anything was
/// made.
// CHECK-LABEL: func.func @negative_order
// CHECK-NOT: rt.for_each
// CHECK-COUNT-4: linalg.transpose
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_order(%n: index, %a: memref<?x256xf32>, %y: memref<?x150xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = rt.param @P : memref<150x256xf32>
  %q = rt.param @Q : memref<150x256xf32>
  %s = rt.alloc() : memref<256x150xf32>
  linalg.transpose ins(%p : memref<150x256xf32>) outs(%s : memref<256x150xf32>) permutation = [1, 0]
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %s : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
  }
  linalg.transpose ins(%q : memref<150x256xf32>) outs(%s : memref<256x150xf32>) permutation = [1, 0]
  linalg.matmul ins(%a, %s : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
  %t = rt.alloc() : memref<256x150xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
    linalg.transpose ins(%p : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
    linalg.matmul ins(%a, %t : memref<?x256xf32>, memref<256x150xf32>) outs(%y : memref<?x150xf32>)
    linalg.transpose ins(%q : memref<150x256xf32>) outs(%t : memref<256x150xf32>) permutation = [1, 0]
  }
  return
}
