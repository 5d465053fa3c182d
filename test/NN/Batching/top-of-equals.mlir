// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The greatest of equal elements, of NaN and of minus infinity: values and
/// places of the compiled code against the interpreter's.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --nodes=9 --samples=4 --seed=5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: top.of_ties
// CHECK-DAG: equal: top.tied
// CHECK-DAG: equal: top.of_nans
// CHECK-DAG: equal: top.nans
// CHECK-DAG: equal: top.of_rows
// CHECK-DAG: equal: top.rows
// CHECK-NOT: DIFFERENT
func.func @top(%x: tensor<?x7xf32> {cambium.name = "x"})
    -> (tensor<?x4xf32> {cambium.name = "of_ties"}, tensor<?x4xi32> {cambium.name = "tied"},
        tensor<?x5xf32> {cambium.name = "of_nans"}, tensor<?x5xi32> {cambium.name = "nans"},
        tensor<6x7xf32> {cambium.name = "of_rows"}, tensor<6x7xi32> {cambium.name = "rows"}) {
  // Numbers below 0 become equal, NaN, and minus infinity.
  %some = nn.relu %x : tensor<?x7xf32>
  %ties, %tied = nn.top %some count 4 over 1 : tensor<?x7xf32>
  %root = math.sqrt %x : tensor<?x7xf32>
  %nans, %places = nn.top %root count 5 over 1 : tensor<?x7xf32>
  %log = math.log %some : tensor<?x7xf32>
  %infinities, %rows = nn.top %log count 6 over 0 : tensor<?x7xf32>
  return %ties, %tied, %nans, %places, %infinities, %rows
    : tensor<?x4xf32>, tensor<?x4xi32>, tensor<?x5xf32>, tensor<?x5xi32>, tensor<6x7xf32>,
      tensor<6x7xi32>
}
