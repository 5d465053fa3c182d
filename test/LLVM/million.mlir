// RUN: rm -rf %t && mkdir -p %t
// RUN: %limit cambium-compile %s -o %t/model.so
// RUN: bash -c "ulimit -s 256 && cambium-million %t/model.so 1000000 chain" | FileCheck %s
// RUN: bash -c "ulimit -s 256 && cambium-million %t/model.so 1000000 star" | FileCheck %s
// RUN: bash -c "ulimit -s 256 && cambium-million %t/model.so 1000001 star" | FileCheck %s --check-prefix=CHILDREN

/// A compiled model on a chain and a star of exactly 1,000,000 nodes, and on a star
/// of 1,000,000 children, forward, backward and with an update, on a stack of 256
/// KiB: a tree is worth the sum of its nodes, and so is its gradient.
// CHECK: root 1000000 loss 1000000 gradient 1000000 updated -999999
// CHILDREN: root 1000001 loss 1000001 gradient 1000001 updated -1000000

nn.param @value : tensor<1x1xf32> init #nn.init<constant(1.0)>

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %tokens: tensor<?xi32> {cambium.name = "tokens"})
    -> tensor<1xf32> {
  %value = nn.use @value : tensor<1x1xf32>
  %x = nn.embed %tokens, %value : tensor<?xi32>, tensor<1x1xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<1xf32>)
                 children(%hk : tensor<?x1xf32>) -> (tensor<1xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x1xf32>
    %y = arith.addf %s, %xj : tensor<1xf32>
    tree.yield %y : tensor<1xf32>
  }
  %root = tree.root %tree, %h : tensor<?x1xf32>
  return %root : tensor<1xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<f32> {
  %y = call @predict(%tree, %tokens) : (!tree.tree, tensor<?xi32>) -> tensor<1xf32>
  %l = nn.sum %y over 0 : tensor<1xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
