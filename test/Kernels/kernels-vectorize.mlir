// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-vectorize | FileCheck %s
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --kernels-vectorize | FileCheck %s --check-prefix=V3

#line = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

/// Whole vectors, then the rest of the row under a mask.
// CHECK-LABEL: func.func @copy
// CHECK: scf.for
// CHECK: vector.load %{{.*}} : memref<150xf32>, vector<16xf32>
// CHECK: vector.store
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @copy(%x: memref<150xf32>, %y: memref<150xf32>) {
  linalg.copy ins(%x : memref<150xf32>) outs(%y : memref<150xf32>)
  return
}

/// Rows run in parallel; what does not depend on the column is read once a row.
// CHECK-LABEL: func.func @rows
// CHECK: rt.parallel
// CHECK: memref.load %{{.*}} : memref<?xf32>
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK: math.tanh %{{.*}} : vector<16xf32>
func.func @rows(%x: memref<?x64xf32>, %r: memref<?xf32>, %y: memref<?x64xf32>) {
  linalg.generic {indexing_maps = [#id, #i, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : memref<?x64xf32>, memref<?xf32>) outs(%y : memref<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  }
  return
}

/// Sums of columns stay in registers while the rows pass.
// CHECK-LABEL: func.func @column_sums
// CHECK: vector.load %[[OUT:.*]][
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: vector.store {{.*}}, %[[OUT]]
func.func @column_sums(%x: memref<?x32xf32>, %y: memref<32xf32>) {
  linalg.generic {indexing_maps = [#id, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x32xf32>) outs(%y : memref<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  }
  return
}

/// Lanes are combined at the end of a row; those that do not exist do not count.
// CHECK-LABEL: func.func @row_maxima
// CHECK: arith.select
// CHECK: vector.reduction <maximumf>
// CHECK: arith.maximumf
// CHECK: memref.store
func.func @row_maxima(%x: memref<?x20xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x20xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %o, %a : f32
    linalg.yield %s : f32
  }
  return
}

/// The rows of the result are written one after the other.
// CHECK-LABEL: func.func @transpose(
// CHECK-NOT: rt.parallel
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} step
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} step
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[COLUMN]]] : memref<64x32xf32>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK: vector.store %{{.*}}[%{{.*}}, %[[ROW]]] : memref<32x64xf32>, vector<8xf32>
// CHECK-NOT: linalg.
func.func @transpose(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0]
  return
}

/// Threads share what is worth it: tiles of columns, of which 8 have as many elements as a
/// thread is woken for; of a matrix with many more rows, tiles of rows, which are read one
/// after the other. In a chunk one thread does it all.
// CHECK-LABEL: func.func @transpose_shared
// CHECK: rt.parallel %{{.*}} grain 8
// CHECK: ^bb0(%[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %[[BEGIN]], %[[STEP:.*]] : index
// CHECK-DAG: %[[LAST:.*]] = arith.muli %[[END]], %[[STEP]] : index
// CHECK: scf.for %[[COLUMN:.*]] = %[[FIRST]] to %[[LAST]] step %[[STEP]]
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[COLUMN]]] : memref<512x256xf32>, vector<8xf32>
func.func @transpose_shared(%x: memref<512x256xf32>, %y: memref<256x512xf32>) {
  linalg.transpose ins(%x : memref<512x256xf32>) outs(%y : memref<256x512xf32>) permutation = [1, 0]
  return
}
// CHECK-LABEL: func.func @transpose_tall
// CHECK: rt.parallel %{{.*}} grain 16
// CHECK: scf.for
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} step
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[COLUMN]]] : memref<2048x256xf32>, vector<8xf32>
func.func @transpose_tall(%x: memref<2048x256xf32>, %y: memref<256x2048xf32>) {
  linalg.transpose ins(%x : memref<2048x256xf32>) outs(%y : memref<256x2048xf32>) permutation = [1, 0]
  return
}
// CHECK-LABEL: func.func @negative_transpose_shared
// CHECK: rt.parallel %{{.*}} grain 1
// CHECK-NOT: rt.parallel
// CHECK: return
func.func @negative_transpose_shared(%n: index, %x: memref<512x256xf32>, %y: memref<256x512xf32>) {
  rt.parallel %n grain 1 {
  ^bb0(%begin: index, %end: index):
    linalg.transpose ins(%x : memref<512x256xf32>) outs(%y : memref<256x512xf32>) permutation = [1, 0]
  }
  return
}

/// Elements at computed places are gathered, by distances of 32 bits where the memory
/// has so few elements; only lanes of the row read. Where an instruction takes longer than
/// as many loads, there are no lanes.
// CHECK-LABEL: func.func @gather(
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: %[[IDS:.*]] = vector.maskedload {{.*}}, %[[MASK]], {{.*}} into vector<16xi32>
// CHECK: %[[AT:.*]] = arith.muli %[[IDS]], %{{.*}} : vector<16xi32>
// CHECK: vector.gather %{{.*}}[%{{.*}}, %{{.*}}] [%[[AT]]], %[[MASK]], {{.*}} : memref<9x4xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
// V3-LABEL: func.func @gather(
// V3: linalg.generic
func.func @gather(%t: memref<9x4xf32>, %ids: memref<?xi32>, %y: memref<?xf32>) {
  %column = arith.constant 2 : index
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%id: i32, %o: f32):
    %p = arith.index_cast %id : i32 to index
    %v = memref.load %t[%p, %column] : memref<9x4xf32>
    linalg.yield %v : f32
  }
  return
}

/// Each lane starts from its own row, or from any row of as many as there are.
// CHECK-LABEL: func.func @gather_of_rows
// CHECK: vector.gather %{{.*}}[%[[ROW:.*]], %{{.*}}] [%{{.*}}], {{.*}} : memref<?x5xf32>, vector<16xi32>
// CHECK: vector.gather %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}], {{.*}} : memref<?x5xf32>, vector<16xi64>
func.func @gather_of_rows(%x: memref<?x5xf32>, %ids: memref<?xi32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%id: i32, %o: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %v = memref.load %x[%i, %p] : memref<?x5xf32>
    %w = memref.load %x[%p, %i] : memref<?x5xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  }
  return
}

/// Elements at equal distances are gathered from a view of a column, or along the last
/// dimension of a matrix that is read in its other order; without gathers there are no lanes.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: %[[FAR:.*]] = arith.constant dense<[0, 3, 6, {{.*}}, 45]> : vector<16xi32>
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast {{.*}} to memref<1xf32, strided<[1], offset: ?>>
// CHECK: vector.gather %[[VIEW]][%{{.*}}] [%[[FAR]]], %[[MASK]], {{.*}} : memref<1xf32, strided<[1], offset: ?>>, vector<16xi32>
// CHECK: vector.maskedstore
// V3-LABEL: func.func @strided(
// V3: linalg.generic
func.func @strided(%x: memref<?xf32, strided<[3], offset: 1>>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32, strided<[3], offset: 1>>) outs(%y : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  }
  return
}

// CHECK-LABEL: func.func @turned(
// CHECK: vector.gather %arg0[%{{.*}}, %{{.*}}] {{.*}} : memref<64x5xf32>, vector<16xi32>
// CHECK: vector.store
func.func @turned(%x: memref<64x5xf32>, %y: memref<5x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x5xf32>) outs(%y : memref<5x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  }
  return
}

/// A stride of 0 means one element for all lanes, not those that follow it.
// CHECK-LABEL: func.func @repeated(
// CHECK: arith.constant dense<0> : vector<16xi32>
// CHECK: vector.gather
// CHECK-NOT: vector.load
// CHECK: return
func.func @repeated(%x: memref<?x?xf32, strided<[0, 1]>>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32, strided<[0, 1]>>) outs(%y : memref<?x?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  }
  return
}

/// What is written at distances stays a plain loop, and so does what is read at distances
/// that are not known.
// CHECK-LABEL: func.func @negative_strided
// CHECK-COUNT-2: linalg.generic
func.func @negative_strided(%x: memref<?xf32>, %y: memref<?xf32, strided<[3]>>,
                            %z: memref<?xf32, strided<[?]>>) {
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32, strided<[3]>>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%z : memref<?xf32, strided<[?]>>) outs(%x : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  }
  return
}

/// What is the same for all lanes is read once.
// CHECK-LABEL: func.func @negative_gather_of_one
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32>
// CHECK-NOT: vector.gather
// CHECK: return
func.func @negative_gather_of_one(%x: memref<?xf32>, %at: index, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%y : memref<?xf32>) {
  ^bb0(%o: f32):
    %v = memref.load %x[%at] : memref<?xf32>
    linalg.yield %v : f32
  }
  return
}

/// No lanes: rows at distances that are not known, and flags, which are bytes in memory.
// CHECK-LABEL: func.func @negative_gather
// CHECK-COUNT-2: linalg.generic
func.func @negative_gather(%t: memref<9xf32, strided<[?]>>, %f: memref<9xi1>, %ids: memref<?xi32>,
                           %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%id: i32, %o: f32):
    %p = arith.index_cast %id : i32 to index
    %v = memref.load %t[%p] : memref<9xf32, strided<[?]>>
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%id: i32, %o: f32):
    %p = arith.index_cast %id : i32 to index
    %v = memref.load %f[%p] : memref<9xi1>
    %w = arith.uitofp %v : i1 to f32
    linalg.yield %w : f32
  }
  return
}

/// Lanes behind the end of a row would divide by the zeros that they hold; a constant
/// divides all lanes.
// CHECK-LABEL: func.func @divided
// CHECK: arith.remsi %{{.*}} : vector<16xi32>
// CHECK-LABEL: func.func @negative_divided
// CHECK-NOT: vector
// CHECK: arith.remsi %{{.*}} : i32
func.func @divided(%x: memref<?xi32>, %y: memref<?xi32>) {
  %two = arith.constant 2 : i32
  linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = arith.remsi %a, %two : i32
    linalg.yield %r : i32
  }
  return
}
func.func @negative_divided(%x: memref<?xi32>, %z: memref<?xi32>, %y: memref<?xi32>) {
  linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]}
      ins(%x, %z : memref<?xi32>, memref<?xi32>) outs(%y : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %r = arith.remsi %a, %b : i32
    linalg.yield %r : i32
  }
  return
}
