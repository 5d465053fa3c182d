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
