// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse --split-input-file %s | FileCheck %s

/// The levels above the leaves, upwards: states are arrays that the loop carries, the
/// base stands in them before, and each level's rows are put in their place. Children
/// are read where they are: no gather is left. Each array of indices is one tensor.
// CHECK-LABEL: func @up
// CHECK-SAME: %[[FOREST:.*]]: !ragged.forest, %[[X:.*]]: tensor<?x3xf32>, %[[H0:.*]]: tensor<?x3xf32>
// CHECK: %[[NODES_AT:.*]] = rt.forest_index %[[FOREST]] child_nodes
// CHECK: %[[NODES:.*]] = bufferization.to_tensor %[[NODES_AT]] restrict
// CHECK: %[[OFFSETS_AT:.*]] = rt.forest_index %[[FOREST]] child_offsets
// CHECK: %[[OFFSETS:.*]] = bufferization.to_tensor %[[OFFSETS_AT]] restrict
// CHECK: %[[LEVELS:.*]] = rt.forest_size %[[FOREST]] num_levels
// CHECK: %[[COUNT:.*]] = arith.subi %[[LEVELS]], %c1
// CHECK: %[[BASE:.*]] = tensor.insert_slice %[[H0]] into %{{.*}}[0, 0]
// CHECK: %[[H:.*]] = scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1 iter_args(%[[ALL:.*]] = %[[BASE]])
// CHECK: tensor.extract_slice %[[OFFSETS]]
// CHECK: rt.at_most
// CHECK: %[[XL:.*]] = tensor.extract_slice %[[X]]
// CHECK: tensor.extract_slice %[[NODES]]
// CHECK: rt.for_each
// CHECK: scf.if
// CHECK: tensor.extract_slice %[[ALL]]
// CHECK: linalg.copy
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[ALL]]
// CHECK: arith.addf
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[XL]]
// CHECK: %[[NEXT:.*]] = tensor.insert_slice %[[Y]] into %[[ALL]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: return %[[H]]
func.func @up(%forest: !ragged.forest, %x: tensor<?x3xf32>, %h0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %h = ragged.levels up inner %forest nodes(%x : tensor<?x3xf32>) base(%h0 : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %s = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
    %y = arith.addf %s, %xl : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Downwards from the highest level: for each node the sum of the messages on the
/// edges to its parents, in ascending order.
// CHECK-LABEL: func @down
// CHECK: %[[EDGES_AT:.*]] = rt.forest_index %{{.*}} parent_edges
// CHECK: %[[EDGES:.*]] = bufferization.to_tensor %[[EDGES_AT]] restrict
// CHECK: %[[OFFSETS_AT:.*]] = rt.forest_index %{{.*}} parent_offsets
// CHECK: %[[OFFSETS:.*]] = bufferization.to_tensor %[[OFFSETS_AT]] restrict
// CHECK: scf.for %[[I:.*]] = %c0 to %[[LEVELS:.*]] step %c1 iter_args(%[[MESSAGES:.*]] = %{{.*}})
// CHECK: arith.subi %{{.*}}, %[[I]]
// CHECK: tensor.extract_slice %[[OFFSETS]]
// CHECK: tensor.extract_slice %[[EDGES]]
// CHECK: rt.for_each
// CHECK: tensor.extract_slice %[[MESSAGES]]
// CHECK: scf.for
// CHECK: arith.addf
func.func @down(%forest: !ragged.forest, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = ragged.levels down all %forest nodes(%x : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %d: tensor<?x3xf32>):
    %y = arith.addf %d, %xl : tensor<?x3xf32>
    %e = ragged.expand %y, %edges : tensor<?x3xf32>
    ragged.yield %e : tensor<?x3xf32>
  }
  return %m : tensor<?x3xf32>
}

// -----

/// What is stored is the value of which the yields are views, once; what the region
/// gets as it is is not stored.
// CHECK-LABEL: func @views_are_stored_once
// CHECK-SAME: %[[X:.*]]: tensor<?x2x3xf32>
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} -> (tensor<?x2x3xf32>, tensor<?x2x3xf32>)
// CHECK-DAG: tensor.collapse_shape %[[LOOP]]#1 {{\[\[}}0], [1, 2]]
// CHECK-DAG: tensor.extract_slice %[[LOOP]]#1[0, 1, 0]
// CHECK: return %[[LOOP]]#0, %{{.*}}, %{{.*}}, %[[X]]
func.func @views_are_stored_once(%x: tensor<?x2x3xf32>, %forest: !ragged.forest)
    -> (tensor<?x2x3xf32>, tensor<?x6xf32>, tensor<?x1x3xf32>, tensor<?x2x3xf32>) {
  %r:4 = ragged.levels up all %forest nodes(%x : tensor<?x2x3xf32>)
           num_recurrent 1 num_node_yields 3
           -> (tensor<?x2x3xf32>, tensor<?x6xf32>, tensor<?x1x3xf32>, tensor<?x2x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x2x3xf32>, %hk: tensor<?x2x3xf32>):
    %s = ragged.reduce sum %hk, %edges : tensor<?x2x3xf32>
    %y = arith.addf %s, %xl : tensor<?x2x3xf32>
    %v = nn.reshape %s : tensor<?x2x3xf32> -> tensor<?x6xf32>
    %w = nn.slice %s over 1 from 1 size 1 : tensor<?x2x3xf32>
    ragged.yield %y, %v, %w, %xl : tensor<?x2x3xf32>, tensor<?x6xf32>, tensor<?x1x3xf32>, tensor<?x2x3xf32>
  }
  return %r#0, %r#1, %r#2, %r#3
    : tensor<?x2x3xf32>, tensor<?x6xf32>, tensor<?x1x3xf32>, tensor<?x2x3xf32>
}

// -----

/// Downwards along the iterations of rows: levels that have all rows, as the level that they
/// get messages from, come in a loop of their own. The messages are those of the edges behind
/// the level's own; rows that are put into all of an array are all that is read of it. An
/// array that nobody reads then, here or at the end, is not carried.
// CHECK-LABEL: func @iterations
// CHECK-SAME: %[[STEPS:[a-z0-9]*]]: tensor<?xi32>, %[[X:[a-z0-9]*]]: tensor<?x3xf32>
// CHECK: %[[FOREST:.*]] = rt.iterations
// CHECK: %[[NUMBER:.*]] = scf.for {{.*}} -> (index)
// CHECK: %[[LESS:.*]] = arith.subi %[[NUMBER]], %c1
// CHECK: %[[WHOLE:.*]] = arith.maxsi %[[LESS]], %c0
// CHECK: %[[REST:.*]] = arith.subi %[[COUNT:.*]], %[[WHOLE]]
// CHECK: %[[LISTED:.*]]:4 = scf.for %{{.*}} = %c0 to %[[REST]]
// CHECK: rt.for_each
// CHECK: scf.yield
// CHECK: scf.for %{{.*}} = %[[REST]] to %[[COUNT]] {{.*}} iter_args(%[[ALL:.*]] = %[[LISTED]]#0, %[[RECORD:.*]] = %[[LISTED]]#1, %[[COTANGENT:.*]] = %[[LISTED]]#2)
// CHECK-NOT: rt.for_each
// CHECK: %[[NODES:.*]] = rt.at_most
// CHECK: %[[NEXT:.*]] = arith.addi %[[EDGE:.*]], %[[NODES]] : index
// CHECK-NEXT: %[[P:.*]] = tensor.extract_slice %[[ALL]][%[[NEXT]], 0] [%[[NODES]], 3]
// CHECK-NEXT: %[[C:.*]] = tensor.extract_slice %[[COTANGENT]][0, 0] [%[[NODES]], 3]
// CHECK-NEXT: tensor.insert_slice %[[C]] into %[[RECORD]]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %[[C]]
// CHECK: linalg.generic
// CHECK: tensor.insert_slice %{{.*}} into %[[ALL]][%[[EDGE]], 0]
// CHECK: scf.yield
func.func @iterations(%steps: tensor<?xi32>, %x: tensor<?x3xf32>, %all: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %f = ragged.iterations %steps max 5 : tensor<?xi32>
  %ids = ragged.index %f rows : tensor<?xi32>
  %inner = ragged.part %ids, %f inner : tensor<?xi32>
  %m:4 = ragged.levels down inner %f nodes(%x, %inner : tensor<?x3xf32>, tensor<?xi32>)
      shared(%all, %all : tensor<?x3xf32>, tensor<?x3xf32>)
      num_recurrent 1 num_node_yields 1
      -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %numbers: tensor<?xi32>, %p: tensor<?x3xf32>,
       %cotangent: tensor<?x3xf32>, %kept: tensor<?x3xf32>):
    %c = ragged.gather %cotangent, %numbers : tensor<?x3xf32>, tensor<?xi32>
    %k = ragged.put_rows %xl, %kept, %numbers : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xi32>
    %a = arith.addf %p, %c : tensor<?x3xf32>
    %d = arith.mulf %k, %k : tensor<?x3xf32>
    ragged.yield %a, %c, %d, %k
      : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %m#0, %m#1, %m#2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// Levels of any other forest have rows in an order of their own, however many they are.
// CHECK-LABEL: func @negative_whole
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func @negative_whole(%f: !ragged.forest, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = ragged.levels down inner %f nodes(%x : tensor<?x3xf32>)
      num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %p: tensor<?x3xf32>):
    %a = arith.addf %p, %xl : tensor<?x3xf32>
    %e = ragged.expand %a, %edges : tensor<?x3xf32>
    ragged.yield %e : tensor<?x3xf32>
  }
  return %m : tensor<?x3xf32>
}
