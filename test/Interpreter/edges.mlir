// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json | FileCheck %s

/// What ops give at the edges: no rows, zero vectors, 0 log 0, infinities.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}0,0,0,[],[]]
// CHECK-SAME: ,{{\[}}[0,0],0]
// CHECK-SAME: ,{{\[}}0,0.69314718246459961]
// CHECK-SAME: ,{{\[}}[0,1],[1,0]]
// CHECK-SAME: ,{{\[}}[0,"nan",1],["nan",0,1],"nan"]
/// The gradient of nn.max goes to the first of the greatest.
// CHECK-SAME: ,{{\[}}[0,5,0,0]]
/// A leaf attends to nobody: its sum is zero.
// CHECK-SAME: ,{{\[}}[0,0]]]}

//--- model.mlir
func.func @no_rows(%x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>,
                                          tensor<?xf32>, tensor<?xf32>) {
  %0 = nn.sum %x over 0 : tensor<?xf32>
  %1 = nn.mean %x over 0 : tensor<?xf32>
  %2 = nn.max %x over 0 : tensor<?xf32>
  %3 = nn.softmax %x over 0 : tensor<?xf32>
  %4 = nn.log_softmax %x over 0 : tensor<?xf32>
  return %0, %1, %2, %3, %4
    : tensor<f32>, tensor<f32>, tensor<f32>, tensor<?xf32>, tensor<?xf32>
}
func.func @zero_vector() -> (tensor<2xf32>, tensor<f32>) {
  %x = arith.constant dense<0.0> : tensor<2xf32>
  %y = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = nn.l2_normalize %x over 0 : tensor<2xf32>
  %1 = nn.cosine_similarity %x, %y over 0 : tensor<2xf32>, tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}
func.func @zero_log_zero() -> (tensor<f32>, tensor<f32>) {
  %p = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %lq = arith.constant dense<[0xFF800000, 0.0]> : tensor<2xf32>
  %lr = arith.constant dense<-0.6931471805599453> : tensor<2xf32>
  %0 = nn.kl_divergence %p, %lq : tensor<2xf32>, tensor<2xf32>
  %1 = nn.kl_divergence %p, %lr : tensor<2xf32>, tensor<2xf32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func @large_scores() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[-1000.0, 1000.0]> : tensor<2xf32>
  %y = arith.constant dense<[0.0, 0xFF800000]> : tensor<2xf32>
  %0 = nn.softmax %x over 0 : tensor<2xf32>
  %1 = nn.softmax %y over 0 : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func @nans() -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>) {
  %x = arith.constant dense<[-1.0, 0x7FC00000, 1.0]> : tensor<3xf32>
  %y = arith.constant dense<[0x7FC00000, 0.0, 1.0]> : tensor<3xf32>
  %0 = nn.relu %x : tensor<3xf32>
  %1 = nn.leaky_relu %y slope 0.5 : tensor<3xf32>
  %2 = nn.max %x over 0 : tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<f32>
}
func.func @ties() -> tensor<4xf32> {
  %x = arith.constant dense<[1.0, 2.0, 2.0, 0.0]> : tensor<4xf32>
  %dy = arith.constant dense<5.0> : tensor<f32>
  %0 = nn.max_grad %x, %dy over 0 : tensor<4xf32>, tensor<f32>
  return %0 : tensor<4xf32>
}
func.func @leaf() -> tensor<2xf32> {
  %none = tree.no_rows : tensor<?x2xf32>
  %scores = nn.sum %none over 1 : tensor<?x2xf32>
  %a = nn.softmax %scores over 0 : tensor<?xf32>
  %h = nn.matmul %a, %none : tensor<?xf32>, tensor<?x2xf32>
  return %h : tensor<2xf32>
}
//--- data.json
{"examples": [{"function": "no_rows", "arg0": []}, {"function": "zero_vector"},
  {"function": "zero_log_zero"}, {"function": "large_scores"}, {"function": "nans"},
  {"function": "ties"}, {"function": "leaf"}]}
