// RUN: cambium-compile %s --gpu-arch=sm_80 --emit=ptx -o - | FileCheck %s --implicit-check-not=".func "

/// Each entry has a kernel, by which a host finds it. Stages that do the same are one function,
/// whatever kernels they are of; another function makes another stage.
// CHECK: .func [[SAME:f_\$_task]](
// CHECK: .entry cambium_f(
// CHECK: call.uni [[SAME]]
// CHECK: .entry cambium_g(
// CHECK: call.uni [[SAME]]
// CHECK: .func [[OTHER:h_\$_task]](
// CHECK: .entry cambium_h(
// CHECK: call.uni [[OTHER]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @h(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
