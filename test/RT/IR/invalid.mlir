// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @below {{expected the name of an nn.param, but got @W}}
  %W = rt.param @W : memref<4x3xf32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  // expected-error @below {{expected 'memref<4x3xf32>', but got 'memref<3x4xf32>'}}
  %W = rt.gradient @W : memref<3x4xf32>
  return
}

// -----

nn.param @s : tensor<f32>
func.func @f() {
  // expected-error @below {{expected a parameter with rows, but got 'tensor<f32>'}}
  rt.clear_touched @s
  return
}

// -----

func.func @f() attributes {rt.scalars = ["gradient_scale"]} {
  // expected-error @below {{expected an index below 1 (the entry's rt.scalars), but got 1}}
  %lr = rt.scalar 1 : f64
  return
}

// -----

// expected-error @below {{expected 'rt.entry' to be "function", "accumulate" or "apply", but got "main"}}
func.func @f() attributes {rt.entry = "main"} {
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expected 1 sizes, but got 0}}
  %x = rt.alloc() : memref<?x3xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expected an identity layout, but got 'memref<3xf32, strided<[2]>>'}}
  %x = rt.alloc() : memref<3xf32, strided<[2]>>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{expected a region with two arguments of type index (begin and end), but got 1 arguments}}
  rt.parallel %n grain 1 {
  ^bb0(%begin: index):
  }
  return
}

// -----

// expected-note @below {{the function is defined here}}
func.func private @task(%begin: index, %end: index)
func.func @f(%n: index) {
  // expected-error @below {{expected a function of the captured values, begin and end}}
  rt.launch @task(%n) over %n grain 1 : index
  return
}
