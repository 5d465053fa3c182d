// RUN: cambium-opt %s --llvm-describe-module --split-input-file --verify-diagnostics | FileCheck %s

/// Parameters with what the code does to them, entries with their arguments.
// CHECK: rt.manifest "{\22abi\22:6,
// CHECK-SAME: {\22name\22:\22W\22,\22type\22:\22f32\22,\22shape\22:[4,3],\22decay\22:false,\22state_slots\22:2,\22init\22:{\22kind\22:\22uniform\22,\22a\22:-0.5,\22b\22:0.5}}
// CHECK-SAME: {\22name\22:\22E\22,\22type\22:\22f32\22,\22shape\22:[9,3],\22trainable\22:false,\22group\22:\22words\22,\22row_sparse\22:true}
// CHECK-SAME: {\22name\22:\22P\22,{{[^}]*}}\22panels\22:2,\22panels_alone\22:true,\22init\22:{\22kind\22:\22xavier_uniform\22}}
// CHECK-SAME: {\22name\22:\22Q\22,{{[^}]*}}\22panels\22:2{{[,}]}}
// CHECK-SAME: ],\22kept\22:{\22bytes\22:256,\22marks\22:128},\22entries
// CHECK-SAME: {\22name\22:\22f\22,\22kind\22:\22function\22
// CHECK-SAME: \22spaces\22:[{\22name\22:\22tree\22,\22of\22:\22nodes\22},{\22name\22:\22words\22,\22of\22:\22rows\22}]
// CHECK-SAME: \22forests\22:[{\22name\22:\22tree\22,\22space\22:0,\22arity\22:2,\22single_root\22:true}]
// CHECK-SAME: \22inputs\22:[{\22name\22:\22ids\22,\22type\22:\22i32\22,\22shape\22:[],\22space\22:1,\22limit\22:9},{\22name\22:\22arg1\22,\22type\22:\22f64\22,\22shape\22:[2],\22space\22:-1,\22edges_of\22:0}]
// CHECK-SAME: \22outputs\22:[{\22name\22:\22out0\22,\22type\22:\22f32\22,\22shape\22:[3],\22space\22:-2}]
// CHECK-SAME: \22random\22:true
// CHECK-SAME: {\22name\22:\22s.accumulate\22,\22kind\22:\22accumulate\22,\22step\22:\22s\22
// CHECK-SAME: {\22name\22:\22s.apply\22,\22kind\22:\22apply\22,\22step\22:\22s\22,\22accumulate\22:1,\22every\22:4,\22optimizers\22:{\22default\22:{\22kind\22:\22adam\22
// CHECK-SAME: \22scalars\22:[\22lr.default\22,\22gradient_scale\22]
nn.param @W : tensor<4x3xf32> init #nn.init<uniform(-0.5, 0.5)> no_decay
nn.param @E : tensor<9x3xf32> frozen group "words" row_sparse
nn.param @P : tensor<4x3xf32> init #nn.init<xavier_uniform>
nn.param @Q : tensor<4x3xf32>

rt.training "s" accumulate @s.accumulate apply @s.apply every 4
  groups ["default"] optimizers {default = #train.optimizer<adam>}

func.func @f(%nodes: !ragged.rows {rt.as = #rt.rows<name = "tree">},
             %words: !ragged.rows {rt.as = #rt.rows<name = "words">},
             %tree: !ragged.forest {rt.as = #rt.forest<name = "tree", space = 0, arity = 2, single_root = true>},
             %ids: memref<?xi32> {rt.as = #rt.input<name = "ids", space = 1, limit = 9>},
             %edges: memref<?x2xf64> {rt.as = #rt.input<name = "arg1", edges_of = 0>},
             %y: memref<3xf32> {rt.as = #rt.output<name = "out0", space = -2>}) {
  %n = rt.num_examples
  call @helper(%n) : (index) -> ()
  return
}

/// Not an entry, but what it uses counts.
func.func private @helper(%n: index) {
  %keys = rt.example_keys : memref<?xi64>
  rt.touch @E, %n
  %m = rt.state @W 1 : memref<4x3xf32>
  %p = rt.panels @P : memref<2x4x2xf32, strided<[?, ?, 1]>>
  %q = rt.panels @Q : memref<2x4x2xf32, strided<[?, ?, 1]>>
  %value = rt.param @Q : memref<4x3xf32>
  %rows = rt.kept rows from 0 : memref<9x3xf32>
  %marks = rt.kept marks from 0 : memref<9xi32>
  %others = rt.kept marks from 64 : memref<5xi32>
  return
}

/// A step may read values.
func.func @s.accumulate(%loss: memref<f32> {rt.as = #rt.output<name = "loss", space = -2>}) {
  %value = rt.param @P : memref<4x3xf32>
  return
}

func.func @s.apply() {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected '?' as the first and only dynamic dimension, but got 'memref<4xf32>'}}
func.func @f(%x: memref<4xf32> {rt.as = #rt.input<name = "x">}) {
  return
}

// -----

// expected-error @below {{argument 1 of entry 'f': expected the inputs before the outputs}}
func.func @f(%y: memref<?xf32> {rt.as = #rt.output<name = "y">},
             %x: memref<?xf32> {rt.as = #rt.input<name = "x">}) {
  return
}

// -----

// expected-error @below {{argument 1 of entry 'f': expected the row spaces before all other arguments}}
func.func @f(%x: memref<?xf32> {rt.as = #rt.input<name = "x">},
             %n: !ragged.rows {rt.as = #rt.rows<name = "n">}) {
  return
}

// -----

// expected-error @below {{argument 2 of entry 'f': expected the forests before inputs and outputs}}
func.func @f(%n: !ragged.rows {rt.as = #rt.rows<name = "n">},
             %x: memref<?xf32> {rt.as = #rt.input<name = "x">},
             %t: !ragged.forest {rt.as = #rt.forest<name = "t", space = 0>}) {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected elements of type f32, f64, i32 or i64, but got 'f16'}}
func.func @f(%x: memref<?xf16> {rt.as = #rt.input<name = "x">}) {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected !ragged.rows, !ragged.forest or a memref, but got 'index'}}
func.func @f(%x: index) {
  return
}

// -----

// expected-error @below {{argument 0 of entry 'f': expected it to say by 'rt.as' what it is}}
func.func @f(%x: memref<?xf32>) {
  return
}

// -----

/// How products multiply, and what panels hold.
// CHECK: rt.manifest "{\22abi\22:6,\22target\22:{\22triple\22:\22t\22,\22cpu\22:\22c\22,\22features\22:[],\22math\22:\22bf16\22}
// CHECK-SAME: \22panels\22:2,\22panel_format\22:\22bf16\22,\22panels_alone\22:true}
rt.target #rt.processor<triple = "t", cpu = "c", features = "", flags = []> math bf16
nn.param @P : tensor<4x3xf32>
func.func @f() {
  %p = rt.panels @P as bf16 : memref<2x2x2xi32>
  return
}

// -----

// CHECK: rt.manifest "{\22abi\22:6,{{.*}},\22features\22:[],\22weights\22:\22int8\22}
rt.target #rt.processor<triple = "t", cpu = "c", features = "", flags = []> weights int8
func.func @f() {
  return
}
