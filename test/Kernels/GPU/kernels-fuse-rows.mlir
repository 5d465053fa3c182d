// RUN: cambium-opt %s --kernels-fuse-rows | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>

/// A product and what follows on its elements: one stage, whose threads wait for each
/// other, and no grid.
// CHECK-LABEL: func.func @tail
// CHECK: scf.for
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK: math.fma
// CHECK: barrier.cta.sync
// CHECK: math.exp
// CHECK-NOT: linalg
// CHECK: return
func.func @tail(%x: memref<?x8xf32>, %w: memref<8x40xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x40xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x40xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%y : memref<?x40xf32>) outs(%y : memref<?x40xf32>)
  }
  return
}

/// Products of the same rows are computed together: a thread has sums of both, and there
/// are three slices of operands in shared memory.
// CHECK-LABEL: func.func @together
// CHECK: rt.parallel
// CHECK-COUNT-3: memref.view %{{.*}} : memref<?xi8> to memref<16x34xf32>
// CHECK: %{{.*}}:8 = scf.for
// CHECK-NOT: rt.parallel
// CHECK-NOT: linalg
// CHECK: return
func.func @together(%n: index, %w: memref<8x64xf32>, %v: memref<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %y = rt.alloc(%n) : memref<?x64xf32>
  %z = rt.alloc(%n) : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.fill ins(%zero : f32) outs(%z : memref<?x64xf32>)
    linalg.matmul ins(%x, %v : memref<?x8xf32>, memref<8x64xf32>) outs(%z : memref<?x64xf32>)
    linalg.add ins(%y, %z : memref<?x64xf32>, memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  }
  return
}

/// Blocks divide the 192 columns, and each of the three computes the left operand, which
/// it needs whole, into memory of its own. What others read, one of them writes too.
// CHECK-LABEL: func.func @own
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[ROWS:.*]] = arith.muli %[[N]], %c32{{.*}}
// CHECK: %[[ALL:.*]] = arith.muli %[[ROWS]], %c3{{.*}}
// CHECK: %[[COPIES:.*]] = rt.alloc(%[[ALL]]) : memref<?xi8>
// CHECK: rt.parallel
// CHECK: %[[OWN:.*]] = memref.view %[[COPIES]]{{.*}} to memref<?x8xf32>
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %subview
// CHECK: memref.subview %[[OWN]]
// CHECK: math.fma
// CHECK-NOT: rt.parallel
// CHECK: linalg.copy
func.func @own(%n: index, %w: memref<8x192xf32>, %given: memref<?x8xf32>, %out: memref<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %y = rt.alloc(%n) : memref<?x192xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%given : memref<?x8xf32>) outs(%x : memref<?x8xf32>)
    linalg.fill ins(%zero : f32) outs(%y : memref<?x192xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x192xf32>) outs(%y : memref<?x192xf32>)
  }
  linalg.copy ins(%x : memref<?x8xf32>) outs(%out : memref<?x8xf32>)
  return
}

/// Without products, a block has all columns of a few rows: independent loops, sums of
/// rows, and elements.
// CHECK-LABEL: func.func @rows
// CHECK: rt.parallel
// CHECK: memref.load %{{.*}} : memref<?xi32>
// CHECK: shfl
// CHECK: arith.divf
// CHECK-NOT: rt.parallel
// CHECK-NOT: linalg
// CHECK: return
func.func @rows(%n: index, %ids: memref<?xi32>, %given: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %s = rt.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    rt.for_each %r of %n work 8 {
      %id = memref.load %ids[%r] : memref<?xi32>
      %from = arith.index_cast %id : i32 to index
      %a = memref.subview %given[%from, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      %b = memref.subview %x[%r, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      linalg.copy ins(%a : memref<8xf32, strided<[1], offset: ?>>) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
    }
    linalg.generic {indexing_maps = [#rows, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<?x8xf32>) outs(%s : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<?xf32>) outs(%x : memref<?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %part = arith.divf %out, %in : f32
      linalg.yield %part : f32
    }
  }
  return
}

/// Children are nodes of earlier levels: what a level reads of them, it does not write.
// CHECK-LABEL: func.func @children
// CHECK: rt.parallel
// CHECK-NOT: rt.parallel
// CHECK-NOT: linalg
// CHECK: return
func.func @children(%forest: !ragged.forest, %w: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %nodes = rt.forest_size %forest num_nodes
  %levels = rt.forest_size %forest num_levels
  %most = rt.forest_size %forest max_level_nodes
  %most_edges = rt.forest_size %forest max_level_edges
  %level_nodes = rt.forest_index %forest level_nodes : memref<?xi32>
  %child_offsets = rt.forest_index %forest child_offsets : memref<?xi32>
  %child_nodes = rt.forest_index %forest child_nodes : memref<?xi32>
  %h = rt.alloc(%nodes) : memref<?x8xf32>
  %x = rt.alloc(%most_edges) : memref<?x8xf32>
  %s = rt.alloc(%most) : memref<?x8xf32>
  scf.for %l = %c0 to %levels step %c1 {
    %next = arith.addi %l, %c1 : index
    %b = memref.load %level_nodes[%l] : memref<?xi32>
    %begin = arith.index_cast %b : i32 to index
    %e = memref.load %level_nodes[%next] : memref<?xi32>
    %end = arith.index_cast %e : i32 to index
    %size = arith.subi %end, %begin : index
    %n = rt.at_most %size, %most
    %eb = memref.load %child_offsets[%begin] : memref<?xi32>
    %edge_begin = arith.index_cast %eb : i32 to index
    %ee = memref.load %child_offsets[%end] : memref<?xi32>
    %edge_end = arith.index_cast %ee : i32 to index
    %edge_size = arith.subi %edge_end, %edge_begin : index
    %m = rt.at_most %edge_size, %most_edges
    %ids = memref.subview %child_nodes[%edge_begin] [%m] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %xs = memref.subview %x[0, 0] [%m, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
    %ss = memref.subview %s[0, 0] [%n, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
    %hs = memref.subview %h[%begin, 0] [%n, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    rt.for_each %r of %m work 8 {
      %id = memref.load %ids[%r] : memref<?xi32, strided<[1], offset: ?>>
      %from = arith.index_cast %id : i32 to index
      %a = memref.subview %h[%from, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      %t = memref.subview %xs[%r, 0] [1, 8] [1, 1] : memref<?x8xf32, strided<[8, 1]>> to memref<8xf32, strided<[1], offset: ?>>
      linalg.copy ins(%a : memref<8xf32, strided<[1], offset: ?>>) outs(%t : memref<8xf32, strided<[1], offset: ?>>)
    }
    // The edges of a node stand together.
    rt.for_each %r of %n work 8 {
      %t = memref.subview %ss[%r, 0] [1, 8] [1, 1] : memref<?x8xf32, strided<[8, 1]>> to memref<8xf32, strided<[1], offset: ?>>
      linalg.fill ins(%zero : f32) outs(%t : memref<8xf32, strided<[1], offset: ?>>)
      %node = arith.addi %begin, %r : index
      %f = memref.load %child_offsets[%node] : memref<?xi32>
      %fi = arith.index_cast %f : i32 to index
      %behind = arith.addi %node, %c1 : index
      %g = memref.load %child_offsets[%behind] : memref<?xi32>
      %gi = arith.index_cast %g : i32 to index
      %first = arith.subi %fi, %edge_begin : index
      %last = arith.subi %gi, %edge_begin : index
      scf.for %k = %first to %last step %c1 {
        %a = memref.subview %xs[%k, 0] [1, 8] [1, 1] : memref<?x8xf32, strided<[8, 1]>> to memref<8xf32, strided<[1], offset: ?>>
        linalg.add ins(%a, %t : memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) outs(%t : memref<8xf32, strided<[1], offset: ?>>)
      }
    }
    linalg.fill ins(%zero : f32) outs(%hs : memref<?x8xf32, strided<[8, 1], offset: ?>>)
    linalg.matmul ins(%ss, %w : memref<?x8xf32, strided<[8, 1]>>, memref<8x8xf32>) outs(%hs : memref<?x8xf32, strided<[8, 1], offset: ?>>)
  }
  return
}

/// Rows that an index chooses are another block's; so are those of a transposed operand,
/// and another number of rows.
// CHECK-LABEL: func.func @negative_other_rows
// CHECK-NOT: rt.parallel
// CHECK: return
func.func @negative_other_rows(%n: index, %m: index, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %y = rt.alloc(%n) : memref<?x8xf32>
  %z = rt.alloc(%m) : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
    rt.for_each %r of %n work 8 {
      %id = memref.load %ids[%r] : memref<?xi32>
      %from = arith.index_cast %id : i32 to index
      %a = memref.subview %y[%from, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      %b = memref.subview %x[%r, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      linalg.copy ins(%a : memref<8xf32, strided<[1], offset: ?>>) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
    }
    %part = memref.subview %x[0, 0] [%m, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
    linalg.copy ins(%part : memref<?x8xf32, strided<[8, 1]>>) outs(%z : memref<?x8xf32>)
  }
  return
}

/// A product needs all columns of another one: other blocks have them.
// CHECK-LABEL: func.func @negative_products
// CHECK-NOT: rt.parallel
// CHECK: return
func.func @negative_products(%n: index, %w: memref<64x64xf32>, %x: memref<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x64xf32>
  %z = rt.alloc(%n) : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
    linalg.matmul ins(%x, %w : memref<?x64xf32>, memref<64x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.fill ins(%zero : f32) outs(%z : memref<?x64xf32>)
    linalg.matmul ins(%y, %w : memref<?x64xf32>, memref<64x64xf32>) outs(%z : memref<?x64xf32>)
  }
  return
}

/// Outside of loops a barrier is waited at once, and stages of elements have more threads.
// CHECK-LABEL: func.func @negative_once
// CHECK-COUNT-2: linalg.exp
func.func @negative_once(%n: index) {
  %x = rt.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%x : memref<?x8xf32>)
  linalg.exp ins(%x : memref<?x8xf32>) outs(%x : memref<?x8xf32>)
  return
}

/// What is read says how many rows an op has: the result is a part of an array for which another
/// number stands.
// CHECK-LABEL: func.func @counted
// CHECK: scf.for
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK: math.fma
// CHECK: math.exp
// CHECK-NOT: linalg
// CHECK: return
func.func @counted(%x: memref<?x8xf32>, %w: memref<8x40xf32>, %n: index, %m: index,
                   %all: memref<?x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x40xf32>
  scf.for %i = %c0 to %n step %c1 {
    %part = memref.subview %all[%i, 0] [%m, 40] [1, 1]
        : memref<?x40xf32> to memref<?x40xf32, strided<[40, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%y : memref<?x40xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%y : memref<?x40xf32>)
               outs(%part : memref<?x40xf32, strided<[40, 1], offset: ?>>)
  }
  return
}
