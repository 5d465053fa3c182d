// RUN: cambium-opt %s --llvm-describe-module --split-input-file --verify-diagnostics | FileCheck %s

/// Parameters with what the code does to them, entries with their arguments.
// CHECK: rt.manifest = "{\22abi\22:2,
// CHECK-SAME: {\22name\22:\22W\22,\22type\22:\22f32\22,\22shape\22:[4,3],\22trainable\22:true,\22group\22:\22default\22,\22decay\22:false,\22row_sparse\22:false,\22state_slots\22:2,\22init\22:{\22kind\22:\22uniform\22,\22a\22:-0.5,\22b\22:0.5}}
// CHECK-SAME: {\22name\22:\22E\22,\22type\22:\22f32\22,\22shape\22:[9,3],\22trainable\22:false,\22group\22:\22words\22,\22decay\22:true,\22row_sparse\22:true,\22state_slots\22:0,\22init\22:{\22kind\22:\22zeros\22}}
// CHECK-SAME: {\22name\22:\22f\22,\22kind\22:\22function\22
// CHECK-SAME: \22spaces\22:[{\22name\22:\22tree\22,\22of\22:\22nodes\22},{\22name\22:\22words\22,\22of\22:\22rows\22}]
// CHECK-SAME: \22forests\22:[{\22name\22:\22tree\22,\22space\22:0,\22arity\22:2,\22single_root\22:true}]
// CHECK-SAME: \22inputs\22:[{\22name\22:\22ids\22,\22type\22:\22i32\22,\22shape\22:[],\22space\22:1,\22limit\22:9},{\22name\22:\22arg1\22,\22type\22:\22f64\22,\22shape\22:[2],\22space\22:-1,\22edges_of\22:0}]
// CHECK-SAME: \22outputs\22:[{\22name\22:\22out0\22,\22type\22:\22f32\22,\22shape\22:[3],\22space\22:-2}]
// CHECK-SAME: \22random\22:true
// CHECK-SAME: {\22name\22:\22s.accumulate\22,\22kind\22:\22accumulate\22,\22step\22:\22s\22
// CHECK-SAME: {\22name\22:\22s.apply\22,\22kind\22:\22apply\22,\22step\22:\22s\22,\22accumulate\22:1,\22every\22:4,\22optimizers\22:{\22default\22:{\22kind\22:\22adam\22
// CHECK-SAME: \22scalars\22:[\22lr.default\22,\22gradient_scale\22]
nn.param @W : tensor<4x3xf32> init #nn.init<uniform(-0.5, 0.5)> {no_decay}
nn.param @E : tensor<9x3xf32> {frozen, group = "words"}

func.func @f(%nodes: !ragged.rows {ragged.name = "tree"}, %words: !ragged.rows {ragged.name = "words"},
             %tree: !ragged.forest {ragged.name = "tree", ragged.space = 0 : i64, ragged.arity = 2 : i64},
             %ids: memref<?xi32> {ragged.name = "ids", ragged.space = 1 : i64, ragged.limit = 9 : i64},
             %edges: memref<?x2xf64> {ragged.edges_of = 0 : i64},
             %y: memref<3xf32> {rt.output, ragged.space = -2 : i64})
    attributes {rt.entry = "function"} {
  %n = rt.num_examples
  call @helper(%n) : (index) -> ()
  return
}

/// Not an entry, but what it uses counts.
func.func private @helper(%n: index) {
  %keys = rt.example_keys : memref<?xi64>
  rt.touch @E, %n
  %m = rt.state @W 1 : memref<4x3xf32>
  return
}

func.func @s.accumulate(%loss: memref<f32> {rt.output, ragged.space = -2 : i64})
    attributes {rt.entry = "accumulate", rt.step = "s"} {
  return
}

func.func @s.apply() attributes {rt.entry = "apply", rt.step = "s", rt.accumulate = @s.accumulate,
    rt.scalars = ["lr.default", "gradient_scale"], rt.every = 4 : i64,
    rt.optimizers = {default = #train.optimizer<adam>}} {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected '?' as the first and only dynamic dimension, but got 'memref<4xf32>'}}
func.func @f(%x: memref<4xf32>) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{argument 1 of entry 'f': expected the inputs before the outputs}}
func.func @f(%y: memref<?xf32> {rt.output}, %x: memref<?xf32>) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected 'ragged.space' to be the index of one of the 0 row spaces}}
func.func @f(%tree: !ragged.forest) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected 'ragged.space' in [-1, 0), but got 3}}
func.func @f(%x: memref<?xf32> {ragged.space = 3 : i64}) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected elements of type f32, f64, i32 or i64, but got 'f16'}}
func.func @f(%x: memref<?xf16>) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected !ragged.rows, !ragged.forest or a memref, but got 'index'}}
func.func @f(%x: index) attributes {rt.entry = "function"} {
  return
}

// -----

// expected-error @below {{expected public functions to be entries, with 'rt.entry'}}
func.func @f() {
  return
}
