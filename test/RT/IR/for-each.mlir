// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --canonicalize | FileCheck %s --check-prefix=CANONICAL

/// Into an array; what it takes from outside may be used.
// CHECK-LABEL: func.func @gather
// CHECK: %[[ALL:.*]] = rt.for_each %[[I:.*]] of %{{.*}} work 8 into(%[[ARG:.*]] = %{{.*}} : tensor<?x8xf32>) {
// CHECK: tensor.insert_slice %{{.*}} into %[[ARG]][%[[I]], 0]
// CHECK: rt.yield %{{.*}} : tensor<?x8xf32>
// CHECK: return %[[ALL]]
// CANONICAL-LABEL: func.func @gather
// CANONICAL: rt.for_each {{.*}} work 8 into
func.func @gather(%x: tensor<?x8xf32>, %ids: tensor<?xindex>, %n: index) -> tensor<?x8xf32> {
  %empty = tensor.empty(%n) : tensor<?x8xf32>
  %rows = rt.for_each %i of %n work 8 into(%all = %empty : tensor<?x8xf32>) {
    %id = tensor.extract %ids[%i] : tensor<?xindex>
    %row = tensor.extract_slice %x[%id, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
    %next = tensor.insert_slice %row into %all[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<?x8xf32>
    rt.yield %next : tensor<?x8xf32>
  }
  return %rows : tensor<?x8xf32>
}

/// On memory; one iteration is worth a thread.
// CHECK-LABEL: func.func @memory
// CHECK: rt.for_each %[[I:.*]] of %{{[a-z0-9]*}} {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK-NEXT: }
func.func @memory(%x: memref<?xf32>, %f: f32, %n: index) {
  rt.for_each %i of %n {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  return
}

/// Several arrays, of which one is not written to: it is not carried.
// CHECK-LABEL: func.func @unchanged
// CHECK: into(%{{.*}} = %{{.*}} : tensor<3xf32>, %{{.*}} = %{{.*}} : tensor<?xf32>)
// CANONICAL-LABEL: func.func @unchanged
// CANONICAL-SAME: %[[X:.*]]: tensor<3xf32>, %[[Y:[^:]*]]: tensor<?xf32>
// CANONICAL: %[[NEW:.*]] = rt.for_each {{.*}} into(%[[ARG:.*]] = %[[Y]] : tensor<?xf32>) {
// CANONICAL: tensor.extract %[[X]]
// CANONICAL: tensor.insert %{{.*}} into %[[ARG]]
// CANONICAL: return %[[X]], %[[NEW]]
func.func @unchanged(%x: tensor<3xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<3xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %r:2 = rt.for_each %i of %n work 1 into(%a = %x : tensor<3xf32>, %b = %y : tensor<?xf32>) {
    %v = tensor.extract %a[%c0] : tensor<3xf32>
    %next = tensor.insert %v into %b[%i] : tensor<?xf32>
    rt.yield %a, %next : tensor<3xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<?xf32>
}

/// No iteration, and one.
// CANONICAL-LABEL: func.func @short
// CANONICAL-SAME: %[[X:.*]]: tensor<3xf32>, %[[F:.*]]: f32
// CANONICAL-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CANONICAL-NEXT: %[[ONE:.*]] = tensor.insert %[[F]] into %[[X]][%[[C0]]]
// CANONICAL-NEXT: return %[[X]], %[[ONE]]
func.func @short(%x: tensor<3xf32>, %f: f32) -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = rt.for_each %i of %c0 into(%a = %x : tensor<3xf32>) {
    %next = tensor.insert %f into %a[%i] : tensor<3xf32>
    rt.yield %next : tensor<3xf32>
  }
  %one = rt.for_each %i of %c1 into(%a = %x : tensor<3xf32>) {
    %next = tensor.insert %f into %a[%i] : tensor<3xf32>
    rt.yield %next : tensor<3xf32>
  }
  return %none, %one : tensor<3xf32>, tensor<3xf32>
}
