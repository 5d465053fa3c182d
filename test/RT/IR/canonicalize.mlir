// RUN: cambium-opt %s --canonicalize | FileCheck %s

/// A size that is known, or is its own bound, is just a size; another one stays.
// CHECK-LABEL: func.func @at_most
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: %[[C:.*]] = arith.constant 3 : index
// CHECK: %[[SIZE:.*]] = rt.at_most %[[N]], %[[M]]
// CHECK: return %[[C]], %[[N]], %[[SIZE]]
func.func @at_most(%n: index, %m: index) -> (index, index, index) {
  %c3 = arith.constant 3 : index
  %a = rt.at_most %c3, %m
  %b = rt.at_most %n, %n
  %c = rt.at_most %n, %m
  return %a, %b, %c : index, index, index
}
