// RUN: cambium-opt --cambium-gradient-to-linalg --cambium-linalg-to-buffers %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=PARAM < %t.mlir
// RUN: FileCheck %s --check-prefix=COPY < %t.mlir

/// All memory of a Tree-LSTM: the ids, inputs and products of all nodes, two states,
/// and in a level the two states of the children and the product. Nothing is
/// allocated in a loop, and both states are computed where they are kept.
// CHECK-LABEL: func @encode
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<?x8xf32>)
// CHECK-DAG: rt.forest_size %arg1 num_nodes
// CHECK-DAG: rt.alloc(%[[N:.*]]) : memref<?xi32>
// CHECK-DAG: rt.alloc(%[[N]]) : memref<?x6xf32>
// CHECK-DAG: rt.alloc(%[[N]]) : memref<?x40xf32>
// CHECK-DAG: %[[S:.*]] = rt.alloc(%[[N]]) : memref<?x8xf32>
// CHECK-DAG: %[[T:.*]] = rt.alloc(%[[N]]) : memref<?x8xf32>
// CHECK-DAG: %[[MAX:.*]] = rt.forest_size %arg1 max_level_nodes
// CHECK-COUNT-2: rt.alloc(%[[MAX]]) : memref<?x2x8xf32>
// CHECK: rt.alloc(%[[MAX]]) : memref<?x40xf32>
// CHECK-NOT: rt.alloc
// CHECK: scf.for
// CHECK: linalg.fill {{.*}}memref<?x40xf32>
// CHECK-NEXT: linalg.matmul
// CHECK-DAG: %[[SL:.*]] = memref.subview %[[S]][%{{.*}}, 0]
// CHECK-DAG: %[[TL:.*]] = memref.subview %[[T]][%{{.*}}, 0]
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref<?x8xf32, strided<[8, 1], offset: ?>>, memref<?x8xf32, strided<[8, 1], offset: ?>>)
// CHECK-COUNT-4: math.exp
// CHECK-NOT: rt.alloc
// CHECK: memref.subview %[[OUT]]

/// No parameter is copied: each is read in place.
// PARAM-DAG: %[[W:.*]] = rt.param @W
// PARAM-DAG: %[[U:.*]] = rt.param @U
// PARAM-NOT: linalg.copy ins(%[[W]]
// PARAM-NOT: linalg.copy ins(%[[U]]
// PARAM: linalg.matmul ins(%{{.*}}, %[[W]] :
// PARAM: linalg.matmul ins(%{{.*}}, %[[U]] :

/// Copies are those of rows by index: ids, vectors, the children's states, roots.
// COPY-COUNT-5: linalg.copy ins(%{{[a-z_0-9]*}} : memref<{{(8x|6x)?}}
// COPY-NOT: linalg.copy

nn.param @E : tensor<400x6xf32>
nn.param @W : tensor<6x40xf32>
nn.param @b : tensor<40xf32>
nn.param @U : tensor<16x40xf32>
func.func @encode(%nodes: !ragged.rows, %forest: !ragged.forest, %words: tensor<?xi32>) -> tensor<?x8xf32> {
  %E = nn.use @E : tensor<400x6xf32>
  %W = nn.use @W : tensor<6x40xf32>
  %b = nn.use @b : tensor<40xf32>
  %U = nn.use @U : tensor<16x40xf32>
  %ids = ragged.permute %words, %forest nodes_to_levels : tensor<?xi32>
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<400x6xf32>
  %wx = nn.linear %x, %W, %b : tensor<?x6xf32>, tensor<6x40xf32>, tensor<40xf32>
  %wl = ragged.part %wx, %forest leaves : tensor<?x40xf32>
  %wi = ragged.part %wx, %forest inner : tensor<?x40xf32>
  %li, %lo, %lu, %l0, %l1 = nn.split %wl over 1 sizes [8, 8, 8, 8, 8] : tensor<?x40xf32>
  %i0 = nn.sigmoid %li : tensor<?x8xf32>
  %o0 = nn.sigmoid %lo : tensor<?x8xf32>
  %u0 = math.tanh %lu : tensor<?x8xf32>
  %c0 = arith.mulf %i0, %u0 : tensor<?x8xf32>
  %t0 = math.tanh %c0 : tensor<?x8xf32>
  %h0 = arith.mulf %o0, %t0 : tensor<?x8xf32>
  %h, %c = ragged.levels up inner %forest nodes(%wi : tensor<?x40xf32>)
           base(%h0, %c0 : tensor<?x8xf32>, tensor<?x8xf32>) num_recurrent 2 num_node_yields 0
           -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    ^bb0(%edges: !ragged.rows, %xl: tensor<?x40xf32>, %hk: tensor<?x8xf32>, %ck: tensor<?x8xf32>):
      %hs = ragged.to_slots %hk, %edges arity 2 : tensor<?x8xf32>
      %cs = ragged.to_slots %ck, %edges arity 2 : tensor<?x8xf32>
      %hf = nn.reshape %hs : tensor<?x2x8xf32> -> tensor<?x16xf32>
      %uh = nn.linear %hf, %U : tensor<?x16xf32>, tensor<16x40xf32>
      %g = arith.addf %uh, %xl : tensor<?x40xf32>
      %gi, %go, %gu, %g0, %g1 = nn.split %g over 1 sizes [8, 8, 8, 8, 8] : tensor<?x40xf32>
      %i = nn.sigmoid %gi : tensor<?x8xf32>
      %o = nn.sigmoid %go : tensor<?x8xf32>
      %u = math.tanh %gu : tensor<?x8xf32>
      %f0 = nn.sigmoid %g0 : tensor<?x8xf32>
      %f1 = nn.sigmoid %g1 : tensor<?x8xf32>
      %iu = arith.mulf %i, %u : tensor<?x8xf32>
      %cl = nn.slice %cs over 1 from 0 size 1 : tensor<?x2x8xf32>
      %cr = nn.slice %cs over 1 from 1 size 1 : tensor<?x2x8xf32>
      %cl1 = nn.reshape %cl : tensor<?x1x8xf32> -> tensor<?x8xf32>
      %cr1 = nn.reshape %cr : tensor<?x1x8xf32> -> tensor<?x8xf32>
      %fl = arith.mulf %f0, %cl1 : tensor<?x8xf32>
      %fr = arith.mulf %f1, %cr1 : tensor<?x8xf32>
      %s0 = arith.addf %iu, %fl : tensor<?x8xf32>
      %cj = arith.addf %s0, %fr : tensor<?x8xf32>
      %tc = math.tanh %cj : tensor<?x8xf32>
      %hj = arith.mulf %o, %tc : tensor<?x8xf32>
      ragged.yield %hj, %cj : tensor<?x8xf32>, tensor<?x8xf32>
  }
  %roots = ragged.index %forest roots : tensor<?xi32>
  %r = ragged.gather %h, %roots : tensor<?x8xf32>, tensor<?xi32>
  return %r : tensor<?x8xf32>
}
