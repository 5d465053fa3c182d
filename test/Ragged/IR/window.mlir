// RUN: cambium-opt %s | cambium-opt | FileCheck %s

// CHECK-LABEL: func @window
// CHECK: %[[E:.*]] = ragged.window %arg0, %arg1, %arg2
// CHECK: ragged.num_rows %[[E]]
func.func @window(%forest: !ragged.forest, %begin: index, %end: index) -> index {
  %e = ragged.window %forest, %begin, %end
  %n = ragged.num_rows %e
  return %n : index
}
