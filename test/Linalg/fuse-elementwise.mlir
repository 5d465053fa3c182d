// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse --linalg-fuse-elementwise --canonicalize --cse --split-input-file %s | FileCheck %s

/// The elementwise tail of a cell is one loop: c is computed once, for the result and
/// for h.
// CHECK-LABEL: func @tail
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK-COUNT-2: math.tanh
// CHECK-NOT: math.tanh
// CHECK: linalg.yield
// CHECK: return %[[R]]#{{[01]}}, %[[R]]#{{[01]}}
func.func @tail(%i: tensor<?x3xf32>, %u: tensor<?x3xf32>, %o: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %t = math.tanh %u : tensor<?x3xf32>
  %c = arith.mulf %i, %t : tensor<?x3xf32>
  %tc = math.tanh %c : tensor<?x3xf32>
  %h = arith.mulf %o, %tc : tensor<?x3xf32>
  return %h, %c : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// What is needed before the consumer stays on its own; nothing is computed twice.
// CHECK-LABEL: func @needed_before
// CHECK: math.tanh
// CHECK: linalg.matmul
// CHECK-NOT: math.tanh
// CHECK: arith.addf
func.func @needed_before(%x: tensor<?x3xf32>, %w: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %t = math.tanh %x : tensor<?x3xf32>
  %y = nn.linear %t, %w : tensor<?x3xf32>, tensor<3x3xf32>
  %z = arith.addf %y, %t : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// -----

/// One number per row is not computed again for every element of the row.
// CHECK-LABEL: func @per_row
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT: math.sqrt
// CHECK: arith.divf
func.func @per_row(%x: tensor<?x3xf32>, %n: tensor<?xf32>) -> tensor<?x3xf32> {
  %s = math.sqrt %n : tensor<?xf32>
  %b = nn.broadcast %s dims [0] like %x : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %y = arith.divf %x, %b : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// A reduction computes a few sums and products once more, so that nobody writes them:
/// the norm of rows reads them in each of its loops.
// CHECK-LABEL: func @norm
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0
// CHECK: arith.subf
func.func @norm(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = nn.sum %x over 1 : tensor<?x3xf32>
  %mean = nn.broadcast %m dims [0] like %x : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %c = arith.subf %x, %mean : tensor<?x3xf32>
  %q = arith.mulf %c, %c : tensor<?x3xf32>
  %v = nn.sum %q over 1 : tensor<?x3xf32>
  %s = nn.broadcast %v dims [0] like %x : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %c, %s : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// Not what takes longer, and not what reads two arrays.
// CHECK-LABEL: func @once
// CHECK: math.tanh
// CHECK: arith.mulf
// CHECK-NOT: {{math.tanh|arith.mulf}}
// CHECK: return
func.func @once(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>)
    -> (tensor<?xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>) {
  %t = math.tanh %x : tensor<?x3xf32>
  %a = nn.sum %t over 1 : tensor<?x3xf32>
  %p = arith.mulf %x, %y : tensor<?x3xf32>
  %b = nn.sum %p over 1 : tensor<?x3xf32>
  return %a, %t, %b, %p : tensor<?xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?x3xf32>
}

// -----

/// Values that share an operand are computed in one loop; others are not.
// CHECK-LABEL: func @siblings
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: arith.mulf
// CHECK: math.tanh
// CHECK: linalg.generic
// CHECK: math.exp
func.func @siblings(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>, %z: tensor<4x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>) {
  %a = arith.mulf %x, %y : tensor<?x3xf32>
  %b = math.tanh %x : tensor<?x3xf32>
  %c = math.exp %z : tensor<4x3xf32>
  return %a, %b, %c : tensor<?x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>
}

// -----

/// What takes two results of an op computes them once: copies would double with each
/// of these steps, and the compiler would not come back.
// CHECK-LABEL: func @many_steps
// CHECK: linalg.generic
// CHECK-COUNT-19: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
func.func @many_steps(%a0: tensor<?x3xf32>, %b0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %a1 = arith.addf %a0, %b0 : tensor<?x3xf32>
  %b1 = arith.mulf %a0, %b0 : tensor<?x3xf32>
  %a2 = arith.addf %a1, %b1 : tensor<?x3xf32>
  %b2 = arith.mulf %a1, %b1 : tensor<?x3xf32>
  %a3 = arith.addf %a2, %b2 : tensor<?x3xf32>
  %b3 = arith.mulf %a2, %b2 : tensor<?x3xf32>
  %a4 = arith.addf %a3, %b3 : tensor<?x3xf32>
  %b4 = arith.mulf %a3, %b3 : tensor<?x3xf32>
  %a5 = arith.addf %a4, %b4 : tensor<?x3xf32>
  %b5 = arith.mulf %a4, %b4 : tensor<?x3xf32>
  %a6 = arith.addf %a5, %b5 : tensor<?x3xf32>
  %b6 = arith.mulf %a5, %b5 : tensor<?x3xf32>
  %a7 = arith.addf %a6, %b6 : tensor<?x3xf32>
  %b7 = arith.mulf %a6, %b6 : tensor<?x3xf32>
  %a8 = arith.addf %a7, %b7 : tensor<?x3xf32>
  %b8 = arith.mulf %a7, %b7 : tensor<?x3xf32>
  %a9 = arith.addf %a8, %b8 : tensor<?x3xf32>
  %b9 = arith.mulf %a8, %b8 : tensor<?x3xf32>
  %a10 = arith.addf %a9, %b9 : tensor<?x3xf32>
  %b10 = arith.mulf %a9, %b9 : tensor<?x3xf32>
  %a11 = arith.addf %a10, %b10 : tensor<?x3xf32>
  %b11 = arith.mulf %a10, %b10 : tensor<?x3xf32>
  %a12 = arith.addf %a11, %b11 : tensor<?x3xf32>
  %b12 = arith.mulf %a11, %b11 : tensor<?x3xf32>
  %a13 = arith.addf %a12, %b12 : tensor<?x3xf32>
  %b13 = arith.mulf %a12, %b12 : tensor<?x3xf32>
  %a14 = arith.addf %a13, %b13 : tensor<?x3xf32>
  %b14 = arith.mulf %a13, %b13 : tensor<?x3xf32>
  %a15 = arith.addf %a14, %b14 : tensor<?x3xf32>
  %b15 = arith.mulf %a14, %b14 : tensor<?x3xf32>
  %a16 = arith.addf %a15, %b15 : tensor<?x3xf32>
  %b16 = arith.mulf %a15, %b15 : tensor<?x3xf32>
  %a17 = arith.addf %a16, %b16 : tensor<?x3xf32>
  %b17 = arith.mulf %a16, %b16 : tensor<?x3xf32>
  %a18 = arith.addf %a17, %b17 : tensor<?x3xf32>
  %b18 = arith.mulf %a17, %b17 : tensor<?x3xf32>
  %a19 = arith.addf %a18, %b18 : tensor<?x3xf32>
  %b19 = arith.mulf %a18, %b18 : tensor<?x3xf32>
  %a20 = arith.addf %a19, %b19 : tensor<?x3xf32>
  return %a20 : tensor<?x3xf32>
}

// -----

/// A constant that stands outside of a loop is a number of the op that reads it, and no
/// array.
// CHECK-LABEL: func @constant_outside
// CHECK: %[[C:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}} : tensor<?x3xf32>) outs
// CHECK: arith.mulf %{{.*}}, %[[C]] : f32
#map = affine_map<(i, j) -> (i, j)>
func.func @constant_outside(%x: tensor<?x3xf32>, %empty: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %half = arith.constant 0.5 : f32
  %halves = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<?x3xf32>) {
  ^bb0(%out: f32):
    linalg.yield %half : f32
  } -> tensor<?x3xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> (tensor<?x3xf32>) {
    %y = linalg.generic {indexing_maps = [#map, #map, #map],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a, %halves : tensor<?x3xf32>, tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %m = arith.mulf %p, %q : f32
      linalg.yield %m : f32
    } -> tensor<?x3xf32>
    scf.yield %y : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}

// -----

/// What is computed outside of a loop stays there.
// CHECK-LABEL: func @computed_outside
// CHECK: math.tanh
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<?x3xf32>)
// CHECK-NOT: math.tanh
// CHECK: arith.mulf
#map = affine_map<(i, j) -> (i, j)>
func.func @computed_outside(%x: tensor<?x3xf32>, %empty: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %t = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) {
  ^bb0(%p: f32, %out: f32):
    %h = math.tanh %p : f32
    linalg.yield %h : f32
  } -> tensor<?x3xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> (tensor<?x3xf32>) {
    %y = linalg.generic {indexing_maps = [#map, #map, #map],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a, %t : tensor<?x3xf32>, tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %m = arith.mulf %p, %q : f32
      linalg.yield %m : f32
    } -> tensor<?x3xf32>
    scf.yield %y : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}
