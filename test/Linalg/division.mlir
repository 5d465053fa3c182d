//===-- test/Linalg/division.mlir - Integers divided by data ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --cambium-to-linalg | FileCheck %s
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --function=odd --seed=3 --num-threads=4 | FileCheck %s --check-prefix=GOOD
// RUN: cambium-compare %s %t.so --function=known --seed=3 | FileCheck %s --check-prefix=KNOWN
// RUN: cambium-compare %s %t.so --function=unsigned --seed=3 --num-threads=4 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not cambium-compare %s %t.so --function=unsigned_rows --seed=3 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not cambium-compare %s %t.so --function=rows --seed=3 --num-threads=4 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not cambium-compare %s %t.so --function=one --seed=3 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not cambium-compare %s %t.so --function=cell --seed=3 2>&1 | FileCheck %s --check-prefix=CELL
// GOOD: equal: odd.out0
// GOOD: equal: odd.out1
// GOOD: equal: odd.out2
// GOOD: equal: odd.out3
// KNOWN: equal: known.out0
// UNSIGNED: equal: unsigned.out0
// UNSIGNED: equal: unsigned.out1
// UNSIGNED: equal: unsigned.out2
// UNSIGNED: equal: unsigned.out3
// UNSIGNED: equal: unsigned.out4
// ZERO: 'arith.remui' {{.*}}divides by zero: row 3
// ROWS: 'arith.divsi' {{.*}}divides by zero: row 3
// ONE: 'arith.remsi' {{.*}}divides by zero
// CELL: 'arith.divsi' {{.*}}divides by zero

/// The smallest number divided by -3, -1, 1, 3, ...: -1 wraps.
func.func @odd(%x: tensor<?xi32> {cambium.name = "x"})
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %two = arith.constant dense<2> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %min = arith.constant dense<-2147483648> : tensor<i32>
  %i = nn.positions %x limit 1000 : tensor<?xi32>
  %twos = nn.broadcast %two dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %threes = nn.broadcast %three dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %n = nn.broadcast %min dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %i2 = arith.muli %i, %twos : tensor<?xi32>
  %d = arith.subi %i2, %threes : tensor<?xi32>
  %0 = arith.divsi %n, %d : tensor<?xi32>
  %1 = arith.remsi %n, %d : tensor<?xi32>
  %2 = arith.floordivsi %n, %d : tensor<?xi32>
  %3 = arith.ceildivsi %n, %d : tensor<?xi32>
  return %0, %1, %2, %3 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

/// The same without signs: 2^31 divided by 2^32 - 3, 2^32 - 1, 1, 3, ...
func.func @unsigned(%x: tensor<?xi32> {cambium.name = "x"})
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %two = arith.constant dense<2> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %min = arith.constant dense<-2147483648> : tensor<i32>
  %i = nn.positions %x limit 1000 : tensor<?xi32>
  %twos = nn.broadcast %two dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %threes = nn.broadcast %three dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %n = nn.broadcast %min dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %i2 = arith.muli %i, %twos : tensor<?xi32>
  %d = arith.subi %i2, %threes : tensor<?xi32>
  %0 = arith.divui %n, %d : tensor<?xi32>
  %1 = arith.remui %n, %d : tensor<?xi32>
  %2 = arith.ceildivui %n, %d : tensor<?xi32>
  %3 = arith.maxui %n, %d : tensor<?xi32>
  %4 = arith.minui %n, %d : tensor<?xi32>
  return %0, %1, %2, %3, %4 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

/// Divisors 2^32 - 3, 2^32 - 2, 2^32 - 1, 0, ...
func.func @unsigned_rows(%x: tensor<?xi32> {cambium.name = "x"}) -> tensor<?xi32> {
  %three = arith.constant dense<3> : tensor<i32>
  %i = nn.positions %x limit 1000 : tensor<?xi32>
  %threes = nn.broadcast %three dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %d = arith.subi %i, %threes : tensor<?xi32>
  %0 = arith.remui %x, %d : tensor<?xi32>
  return %0 : tensor<?xi32>
}

/// Where divisors are known nothing is checked.
// CHECK-LABEL: func.func @known
// CHECK-NOT: fail_if
// CHECK-NOT: arith.select
// CHECK: arith.remsi
// CHECK-NOT: fail_if
func.func @known(%x: tensor<?xi32> {cambium.name = "x"}) -> tensor<?xi32> {
  %two = arith.constant dense<2> : tensor<i32>
  %twos = nn.broadcast %two dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %0 = arith.remsi %x, %twos : tensor<?xi32>
  return %0 : tensor<?xi32>
}

/// Divisors -3, -2, -1, 0, ...: the fourth row fails.
// CHECK-LABEL: func.func @rows
// CHECK: rt.fail_if %{{.*}}, 3, "'arith.divsi' (division.mlir:[[@LINE+7]]:8) divides by zero" row
func.func @rows(%x: tensor<?xi32> {cambium.name = "x"}) -> tensor<?xi32> {
  %three = arith.constant dense<3> : tensor<i32>
  %i = nn.positions %x limit 1000 : tensor<?xi32>
  %threes = nn.broadcast %three dims [] like %x : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %d = arith.subi %i, %threes : tensor<?xi32>

  %0 = arith.divsi %x, %d : tensor<?xi32>
  return %0 : tensor<?xi32>
}

/// Numbers of examples have rows in a batch.
// CHECK-LABEL: func.func @one
// CHECK: rt.fail_if %{{.*}}, 3, "'arith.remsi' {{.*}}" row
func.func @one(%x: tensor<i32> {cambium.name = "x"}) -> tensor<i32> {
  %d = arith.subi %x, %x : tensor<i32>
  %e = arith.andi %d, %x : tensor<i32>
  %0 = arith.remsi %x, %e : tensor<i32>
  return %0 : tensor<i32>
}

/// In the cell of a node: rows are those of the leaves, or of a level, which is said.
// CHECK-LABEL: func.func @cell
// CHECK: rt.fail_if %{{.*}}, 3, "'arith.divsi' {{[^"]*}} divides by zero" row
// CHECK: scf.for
// CHECK: rt.fail_if %{{.*}}, 3, "'arith.divsi' {{[^"]*}} divides by zero in a level or an iteration" row
func.func @cell(%tree: !tree.tree {cambium.name = "t"}, %xs: tensor<?xi32> {cambium.name = "xs"},
                %ys: tensor<?xi32> {cambium.name = "ys"}) -> tensor<?xf32> {
  %h = tree.fold %tree nodes(%x = %xs : tensor<i32>, %y = %ys : tensor<i32>)
                 children(%hk : tensor<?xf32>) -> (tensor<f32>) {
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %whole = arith.fptosi %s : tensor<f32> to tensor<i32>
    %d = arith.muli %whole, %y : tensor<i32>
    %q = arith.divsi %x, %d : tensor<i32>
    %f = arith.sitofp %q : tensor<i32> to tensor<f32>
    tree.yield %f : tensor<f32>
  }
  return %h : tensor<?xf32>
}
