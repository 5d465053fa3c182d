// RUN: cambium-compile %s -o %t.so
// RUN: cambium-run inspect %t.so | FileCheck %s
// RUN: cambium-compare %s %t.so --all | FileCheck %s --check-prefix=SAME

/// Functions may be called like anything that the compiler makes: parts of the
/// module, kernels, tasks, functions of libm.
// CHECK-DAG: features
// CHECK-DAG: name0
// CHECK-DAG: log1p
// CHECK-DAG: product_f64
// SAME-NOT: DIFFERENT
nn.param @loops : tensor<3x3xf64> init #nn.init<constant(0.5)>
nn.param @entry.cbrt : tensor<3x3xf64> init #nn.init<constant(0.5)>
func.func @features(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = math.log1p %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @module(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = math.erf %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @entries(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @cpu(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @manifest(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @name0(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}
func.func @log1p(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = math.tanh %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @erf(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = math.sin %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @cbrt(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = math.exp %x : tensor<3xf64>
  return %y : tensor<3xf64>
}
func.func @product_f64(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %W = nn.use @loops : tensor<3x3xf64>
  %V = nn.use @entry.cbrt : tensor<3x3xf64>
  %y = nn.linear %x, %W : tensor<?x3xf64>, tensor<3x3xf64>
  %z = nn.linear %y, %V : tensor<?x3xf64>, tensor<3x3xf64>
  return %z : tensor<?x3xf64>
}
