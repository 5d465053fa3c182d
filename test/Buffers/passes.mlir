// RUN: cambium-opt --buffers-reuse-memory --buffers-hoist-allocations --buffers-use-arena --split-input-file %s | FileCheck %s

/// An allocation of the rows of a level moves out with the bound that its size has;
/// the loop uses a view of it.
// CHECK-LABEL: func @bounded
// CHECK-SAME: %[[MAX:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: memref<?x3xf32>
// CHECK: %[[X:.*]] = rt.alloc(%[[MAX]]) : memref<?x3xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK-NOT: rt.at_most
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[I]], 3], strides: [3, 1]
// CHECK: linalg.copy ins(%[[VIEW]]
// CHECK-NOT: memref.copy
func.func @bounded(%max: index, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = rt.at_most %i, %max
    %x = memref.alloc(%n) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}


// -----

/// The size of a copy of joined rows is that of what they are joined from.
// CHECK-LABEL: func @joined
// CHECK-SAME: %[[MAX:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: memref<?x1x3xf32>
// CHECK: %[[BOUND:.*]] = arith.muli %{{.*}}, %[[MAX]]
// CHECK: %[[X:.*]] = rt.alloc(%[[BOUND]]) : memref<?x3xf32>
// CHECK: scf.for
func.func @joined(%max: index, %out: memref<?x1x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = rt.at_most %i, %max
    %rows = memref.reinterpret_cast %out to offset: [0], sizes: [%n, 1, 3], strides: [3, 3, 1]
      : memref<?x1x3xf32> to memref<?x1x3xf32>
    %joined = memref.collapse_shape %rows [[0], [1, 2]] : memref<?x1x3xf32> into memref<?x3xf32>
    %dim = memref.dim %joined, %c0 : memref<?x3xf32>
    %x = memref.alloc(%dim) : memref<?x3xf32>
    memref.copy %x, %joined : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}
// -----

/// Sums and products of sizes are bounded by those of the bounds.
// CHECK-LABEL: func @products
// CHECK-SAME: %[[MAX:[a-z0-9]+]]: index
// CHECK: %[[BOUND:.*]] = affine.apply #{{.*}}()[%[[MAX]]]
// CHECK: rt.alloc(%[[BOUND]])
// CHECK: scf.for
func.func @products(%max: index, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = rt.at_most %i, %max
    %m = affine.apply affine_map<()[s0] -> (s0 * 25)>()[%n]
    %x = memref.alloc(%m) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}

// -----

/// Values that do not live together share memory; those that do, do not.
// CHECK-LABEL: func @reuse
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
func.func @reuse(%n: index, %in: memref<?xf32>, %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

/// What an op reads for the last time, element by element, is what it writes to.
// CHECK-LABEL: func @in_place
// CHECK: %[[A:.*]] = rt.alloc
// CHECK-NOT: rt.alloc
// CHECK: linalg.exp ins(%[[A]] : memref<?x3xf32>) outs(%[[A]] : memref<?x3xf32>)
func.func @in_place(%n: index, %in: memref<?x3xf32>, %out: memref<?x3xf32>) {
  %a = memref.alloc(%n) : memref<?x3xf32>
  memref.copy %in, %a : memref<?x3xf32> to memref<?x3xf32>
  %b = memref.alloc(%n) : memref<?x3xf32>
  linalg.exp ins(%a : memref<?x3xf32>) outs(%b : memref<?x3xf32>)
  memref.copy %b, %out : memref<?x3xf32> to memref<?x3xf32>
  return
}

// -----

/// Not what it reads at other places, by a view, or what is read later.
// CHECK-LABEL: func @not_in_place
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @not_in_place(%in: memref<3x3xf32>, %out: memref<3x3xf32>) {
  %a = memref.alloc() : memref<3x3xf32>
  memref.copy %in, %a : memref<3x3xf32> to memref<3x3xf32>
  %b = memref.alloc() : memref<3x3xf32>
  linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<3x3xf32>) outs(%b : memref<3x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<3x3xf32> to memref<3x3xf32>
  return
}

// -----

// CHECK-LABEL: func @reversed_view
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
#i = affine_map<(i) -> (i)>
func.func @reversed_view(%in: memref<4xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %view = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [0]
      : memref<4xf32> to memref<4xf32, strided<[0]>>
  %b = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%a, %view : memref<4xf32>, memref<4xf32, strided<[0]>>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

/// A body may read any element, as one that gathers does.
// CHECK-LABEL: func @read_in_the_body
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
#row = affine_map<(i) -> (i)>
func.func @read_in_the_body(%n: index, %at: memref<?xi32>, %in: memref<?xf32>,
                            %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%at : memref<?xi32>) outs(%b : memref<?xf32>) {
  ^bb0(%k: i32, %o: f32):
    %i = arith.index_cast %k : i32 to index
    %x = memref.load %a[%i] : memref<?xf32>
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

/// So may a branch in a body.
// CHECK-LABEL: func @read_in_a_branch
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
#place = affine_map<(i) -> (i)>
func.func @read_in_a_branch(%n: index, %at: memref<?xi32>, %in: memref<?xf32>,
                            %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#place, #place], iterator_types = ["parallel"]}
      ins(%at : memref<?xi32>) outs(%b : memref<?xf32>) {
  ^bb0(%k: i32, %o: f32):
    %zero = arith.constant 0 : i32
    %none = arith.constant 0.0 : f32
    %is = arith.cmpi sge, %k, %zero : i32
    %x = scf.if %is -> f32 {
      %i = arith.index_cast %k : i32 to index
      %y = memref.load %a[%i] : memref<?xf32>
      scf.yield %y : f32
    } else {
      scf.yield %none : f32
    }
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

/// Where the result is written by a view, elements stand at other places.
// CHECK-LABEL: func @written_by_a_view
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
#element = affine_map<(i) -> (i)>
func.func @written_by_a_view(%in: memref<4xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %view = memref.reinterpret_cast %b to offset: [3], sizes: [4], strides: [-1]
      : memref<4xf32> to memref<4xf32, strided<[-1], offset: 3>>
  linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%view : memref<4xf32, strided<[-1], offset: 3>>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func @read_later
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
func.func @read_later(%n: index, %in: memref<?x3xf32>, %out: memref<?x3xf32>) {
  %a = memref.alloc(%n) : memref<?x3xf32>
  memref.copy %in, %a : memref<?x3xf32> to memref<?x3xf32>
  %b = memref.alloc(%n) : memref<?x3xf32>
  linalg.exp ins(%a : memref<?x3xf32>) outs(%b : memref<?x3xf32>)
  memref.copy %b, %out : memref<?x3xf32> to memref<?x3xf32>
  memref.copy %a, %out : memref<?x3xf32> to memref<?x3xf32>
  return
}

// -----

/// An allocation without a bound stays, for the contract to be reported at it.
// CHECK-LABEL: func @unbounded
// CHECK: scf.for
// CHECK: rt.alloc
func.func @unbounded(%max: index, %sizes: memref<?xindex>, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = memref.load %sizes[%i] : memref<?xindex>
    %x = memref.alloc(%n) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}

// -----

/// Small memory of an independent iteration is its own, and the loop stays one.
// CHECK-LABEL: func @private
// CHECK-NOT: rt.alloc
// CHECK: rt.for_each
// CHECK-NEXT: memref.alloca() {{.*}}: memref<4xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
func.func @private(%x: memref<?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  rt.for_each %i of %n work 4 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
      %v = memref.load %a[%c0] : memref<4xf32>
      memref.store %v, %x[%i] : memref<?xf32>
    }
  }
  return
}

// -----

/// Iterations that share memory, because it is too large or its size is not
/// known, cannot run at once: they are executed in order.
// CHECK-LABEL: func @shared
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.for_each
// CHECK: scf.for
// CHECK: scf.for
func.func @shared(%x: memref<?xf32>, %f: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  rt.for_each %i of %n work 4 {
    %a = memref.alloc() : memref<100000xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<100000xf32>)
    %v = memref.load %a[%c0] : memref<100000xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  rt.for_each %i of %n work 4 {
    rt.for_each %j of %n work 4 {
      %a = memref.alloc(%m) : memref<?xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
      %v = memref.load %a[%c0] : memref<?xf32>
      memref.store %v, %x[%i] : memref<?xf32>
    }
  }
  return
}

// -----

/// Iterations that are worth a thread are few: there is memory for all of them,
/// of which each has a part.
// CHECK-LABEL: func @part
// CHECK-SAME: %{{.*}}: memref<?xf32>, %{{.*}}: f32, %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c64
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %[[BYTES]]
// CHECK: %[[MEMORY:.*]] = rt.alloc(%[[ALL]]) : memref<?xi8>
// CHECK: rt.for_each %[[I:.*]] of %[[N]] {
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %[[BYTES]]
// CHECK: memref.view %[[MEMORY]][%[[AT]]][%[[M]]] : memref<?xi8> to memref<?xf32>
func.func @part(%x: memref<?xf32>, %f: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  rt.for_each %i of %n {
    %a = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}
