// RUN: cambium-opt --fold-bodies %s | FileCheck %s

/// What is in loops is folded, in loops of loops too, and dead ops go. Loops stay as
/// they are, those that do nothing too; so does what is in no loop.
// CHECK-LABEL: func @loops
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: f32
// CHECK: arith.addi %[[N]], %c0
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[UNUSED:.*]] = %[[X]])
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[A]], %[[UNUSED]]
func.func @loops(%n: index, %x: f32, %m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = arith.addi %n, %c0 : index
  %r:2 = scf.for %i = %c0 to %outside step %c1 iter_args(%a = %x, %unused = %x) -> (f32, f32) {
    %dead = arith.mulf %a, %a : f32
    scf.for %j = %c0 to %c0 step %c1 {
      %k = arith.addi %j, %c0 : index
      %s = arith.mulf %x, %x : f32
      memref.store %s, %m[%k] : memref<?xf32>
    }
    scf.yield %a, %unused : f32, f32
  }
  return %r#0 : f32
}
