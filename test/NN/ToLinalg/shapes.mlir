// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse --split-input-file %s | FileCheck %s

/// Gradients of slices that fill the dimension are put side by side, not padded and
/// added up; what came in by a reshape is put in without it.
// CHECK-LABEL: func @pads
// CHECK-NOT: linalg.fill
// CHECK-NOT: arith.addf
// CHECK: %[[A:.*]] = tensor.insert_slice %arg0 into %{{.*}}[0, 0, 0] [%{{.*}}, 1, 3] [1, 1, 1] : tensor<?x3xf32> into tensor<?x2x3xf32>
// CHECK: %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][0, 1, 0] [%{{.*}}, 1, 3] [1, 1, 1] : tensor<?x3xf32> into tensor<?x2x3xf32>
// CHECK: return %[[B]]
func.func @pads(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x2x3xf32> {
  %a1 = nn.reshape %a : tensor<?x3xf32> -> tensor<?x1x3xf32>
  %b1 = nn.reshape %b : tensor<?x3xf32> -> tensor<?x1x3xf32>
  %a2 = nn.pad %a1 over 1 low 0 high 1 : tensor<?x1x3xf32>
  %b2 = nn.pad %b1 over 1 low 1 high 0 : tensor<?x1x3xf32>
  %0 = arith.addf %b2, %a2 : tensor<?x2x3xf32>
  return %0 : tensor<?x2x3xf32>
}

// -----

/// With a gap between them they stay a sum.
// CHECK-LABEL: func @pads_with_gap
// CHECK-COUNT-2: linalg.fill
// CHECK: arith.addf
func.func @pads_with_gap(%a: tensor<?x1xf32>, %b: tensor<?x1xf32>) -> tensor<?x3xf32> {
  %a2 = nn.pad %a over 1 low 0 high 2 : tensor<?x1xf32>
  %b2 = nn.pad %b over 1 low 2 high 0 : tensor<?x1xf32>
  %0 = arith.addf %a2, %b2 : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

/// A sum whose parts alone are used is the sums of parts.
// CHECK-LABEL: func @split_of_sum
// CHECK: tensor.extract_slice %arg0[0, 0] [%{{.*}}, 2]
// CHECK: tensor.extract_slice %arg1[0, 0] [%{{.*}}, 2]
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: tensor<?x4xf32>)
func.func @split_of_sum(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %s = arith.addf %a, %b : tensor<?x4xf32>
  %0, %1 = nn.split %s over 1 sizes [2, 2] : tensor<?x4xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<?x2xf32>
}
