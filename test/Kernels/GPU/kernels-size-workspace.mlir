// RUN: cambium-opt %s --split-input-file --verify-diagnostics --kernels-size-workspace | FileCheck %s

memref.global "private" @cambium_pool : memref<512xi8, 3> = uninitialized

/// Whole lines of 128 bytes, in the sizes that the entry has: what they depend on is
/// copied, reads of what the host gives too.
// CHECK: rt.device_entry "f" kernel "f" threads 256 shared 512
// CHECK-LABEL: func.func private @f.workspace
// CHECK-SAME: %[[TREE:[^ ]*]]: !ragged.forest
// CHECK: %[[OFFSETS:.*]] = rt.forest_index %[[TREE]] level_nodes
// CHECK: %[[FIRST:.*]] = memref.load %[[OFFSETS]]
// CHECK: %[[N:.*]] = arith.index_cast %[[FIRST]]
// CHECK: %[[ROW:.*]] = arith.constant 32 : i64
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[N]]
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mulsi_extended %[[ROW]], %[[WIDE]] : i64
/// What is too large is negative.
// CHECK: arith.cmpi ne, %[[HIGH]],
// CHECK: arith.cmpi slt, %[[LOW]],
// CHECK: arith.constant 127
// CHECK: arith.andi
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[ALL:.*]] = arith.addi %[[SUM]],
// CHECK-NOT: rt.alloc
// CHECK: %[[RESULT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ALL]] : i64
// CHECK: %[[BYTES:.*]] = arith.index_cast %[[RESULT]] : i64 to index
// CHECK: return %[[BYTES]] : index
rt.device_entry "f" kernel "f" threads 256 shared 0 chains [] messages [] [] workspace @f.workspace
func.func private @f.workspace(%rows: !ragged.rows, %tree: !ragged.forest) -> index {
  %none = arith.constant 0 : index
  return %none : index
}
func.func @f(%rows: !ragged.rows {rt.as = #rt.rows<name = "t">}, %tree: !ragged.forest {rt.as = #rt.forest<name = "t", space = 0>}) {
  %c1 = arith.constant 1 : index
  %levels = rt.forest_index %tree level_nodes : memref<?xi32>
  %first = memref.load %levels[%c1] : memref<?xi32>
  %n = arith.index_cast %first : i32 to index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %y = rt.alloc() : memref<5xf64>
  return
}

// -----

/// A size that only the device knows has a bound; the entry takes what it needs.
// CHECK-LABEL: func.func private @f.workspace
// CHECK: %[[N:.*]] = rt.num_examples
// CHECK: %[[MOST:.*]] = arith.muli %[[N]]
// CHECK: %[[LINES:.*]] = arith.ceildivui %[[MOST]]
// CHECK: arith.index_cast %[[LINES]]
// CHECK-LABEL: func.func @f
// CHECK: %[[LOADED:.*]] = memref.load
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[LOADED]]
// CHECK: %[[OWN:.*]] = arith.ceildivui %[[SIZE]]
// CHECK: rt.alloc(%[[OWN]])
rt.device_entry "f" kernel "f" threads 256 shared 0 chains [] messages [] [] workspace @f.workspace
func.func private @f.workspace() -> index {
  %none = arith.constant 0 : index
  return %none : index
}
func.func @f() {
  %c7 = arith.constant 7 : index
  %x = rt.alloc() : memref<i64>
  %v = memref.load %x[] : memref<i64>
  %n = arith.index_cast %v : i64 to index
  %examples = rt.num_examples
  %most = arith.muli %examples, %c7 : index
  %size = rt.at_most %n, %most
  %lines = arith.ceildivui %size, %c7 : index
  %y = rt.alloc(%lines) : memref<?xf32>
  return
}

// -----

rt.device_entry "f" kernel "f" threads 256 shared 0 chains [] messages [] [] workspace @f.workspace
func.func private @f.workspace() -> index {
  %none = arith.constant 0 : index
  return %none : index
}
func.func @f() {
  %x = rt.alloc() : memref<i64>
  // expected-note @below {{it depends on this}}
  %v = memref.load %x[] : memref<i64>
  %n = arith.index_cast %v : i64 to index
  // expected-error @below {{'rt.alloc' op expected a size that the host can compute}}
  %y = rt.alloc(%n) : memref<?xf32>
  return
}
