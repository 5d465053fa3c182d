// RUN: cambium-opt %s --kernels-parallelize-loops --verify-diagnostics
// RUN: cambium-opt %s --kernels-form-stages --verify-diagnostics
// RUN: cambium-opt %s --buffers-hoist-allocations --verify-diagnostics

func.func @arrays(%n: index, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // [RT-FOREACH-C3]
  // expected-error @below {{expected a loop on memory, as behind the buffers phase, but got one that carries arrays}}
  %y = rt.for_each %i of %n work 4 into(%a = %x : tensor<?x4xf32>) {
    rt.yield %a : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}
