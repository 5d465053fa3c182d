// RUN: cambium-opt --nn-number-dropouts %s | FileCheck %s

/// The order of the text, across functions and regions; a given number stays.
// CHECK-LABEL: func @first
// CHECK: nn.dropout %{{.*}} rate 2.0{{.*}} id 0
// CHECK: nn.dropout %{{.*}} rate 3.0{{.*}} id 1
// CHECK-LABEL: func @second
// CHECK: nn.dropout %{{.*}} rate 4.0{{.*}} id 9
// CHECK: nn.dropout %{{.*}} rate 5.0{{.*}} id 3
func.func @first(%t: !tree.tree, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x4xf32>)
       -> (tensor<4xf32>) {
    %y = nn.dropout %xj rate 0.2 : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  %z = nn.dropout %h rate 0.3 : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.dropout %x rate 0.4 id 9 : tensor<4xf32>
  %z = nn.dropout %y rate 0.5 : tensor<4xf32>
  return %z : tensor<4xf32>
}
