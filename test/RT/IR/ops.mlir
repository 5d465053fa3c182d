// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

nn.param @W : tensor<4x3xf32>
nn.param @E : tensor<10x4xf32> row_sparse

// CHECK: rt.target <triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "", flags = ["avx2", "fma"]> math bf16{{$}}
rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "", flags = ["avx2", "fma"]> math bf16 weights same

// CHECK: rt.training "train" accumulate @train.accumulate apply @train.apply every 4 groups ["default"] optimizers {default = #train.optimizer<sgd>}
rt.training "train" accumulate @train.accumulate apply @train.apply every 4
  groups ["default"] optimizers {default = #train.optimizer<sgd>}

/// An entry: partitions and forests, inputs, then outputs.
// CHECK-LABEL: func.func @predict
// CHECK-SAME: rt.as = #rt.rows<name = "tree">
// CHECK-SAME: rt.as = #rt.forest<name = "tree", space = 0, arity = 2, single_root = true>
// CHECK-SAME: rt.as = #rt.input<name = "ids", space = 0, limit = 10>
// CHECK-SAME: rt.as = #rt.input<name = "edges", edges_of = 0>
// CHECK-SAME: rt.as = #rt.output<name = "out">
func.func @predict(%nodes: !ragged.rows {rt.as = #rt.rows<name = "tree">},
                   %tree: !ragged.forest {rt.as = #rt.forest<name = "tree", space = 0, arity = 2, single_root = true>},
                   %ids: memref<?xi32> {rt.as = #rt.input<name = "ids", space = 0, limit = 10>},
                   %edges: memref<?xf32> {rt.as = #rt.input<name = "edges", edges_of = 0>},
                   %out: memref<?x3xf32> {rt.as = #rt.output<name = "out">}) {
  // CHECK: rt.param @W : memref<4x3xf32>
  %W = rt.param @W : memref<4x3xf32>
  // CHECK: rt.panels @W : memref<2x4x2xf32, strided<[?, ?, 1]>>
  %P = rt.panels @W : memref<2x4x2xf32, strided<[?, ?, 1]>>
  // CHECK: rt.panels @W as bf16 : memref<2x2x2xi32>
  %P2 = rt.panels @W as bf16 : memref<2x2x2xi32>
  // CHECK: rt.panels @W as int8 : memref<2x3x2xi32>
  %P4 = rt.panels @W as int8 : memref<2x3x2xi32>
  // CHECK: rt.kept marks from 0 : memref<9xi32>
  %marks = rt.kept marks from 0 : memref<9xi32>
  // CHECK: rt.kept rows from 64 : memref<9x2x3xf32>
  %kept = rt.kept rows from 64 : memref<9x2x3xf32>
  // CHECK: rt.rows_size %{{.*}} num_rows
  %n = rt.rows_size %nodes num_rows
  // CHECK: rt.rows_offsets %{{.*}} : memref<?xi32>
  %o = rt.rows_offsets %nodes : memref<?xi32>
  // CHECK: rt.make_rows %{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>
  %r = rt.make_rows %n, %n, %o : memref<?xi32>
  // CHECK: rt.forest_size %{{.*}} num_levels
  %levels = rt.forest_size %tree num_levels
  // CHECK: rt.forest_index %{{.*}} child_nodes : memref<?xi32>
  %children = rt.forest_index %tree child_nodes : memref<?xi32>
  // CHECK: rt.chain %{{.*$}}
  %c = rt.chain %nodes
  // CHECK: rt.chain %{{.*}} reversed
  %b = rt.chain %nodes reversed
  // CHECK: rt.chart %{{.*$}}
  %spans = rt.chart %nodes
  // CHECK: rt.from_parents %{{.*}}, %{{.*}} : memref<?xi32>
  %f = rt.from_parents %nodes, %ids : memref<?xi32>
  // CHECK: rt.from_parents %{{.*}}, %{{.*}} arity 2 : memref<?xi32>
  %f2 = rt.from_parents %nodes, %ids arity 2 : memref<?xi32>
  // CHECK: rt.group %{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>
  %g = rt.group %nodes, %ids, %n : memref<?xi32>
  // CHECK: rt.iterations %{{.*}}, %{{.*}} max 7 : memref<?xi32>
  %it = rt.iterations %ids, %n max 7 : memref<?xi32>
  // CHECK: rt.fail_if %{{.*}}, 9, "expected numbers"
  %bad = arith.constant true
  rt.fail_if %bad, 9, "expected numbers"
  // CHECK: rt.fail_if %{{.*}}, 3, "divides by zero" row %{{.*}}
  rt.fail_if %bad, 3, "divides by zero" row %n
  // CHECK: rt.fail_if %{{.*}}, 1, "no tree" stop
  rt.fail_if %bad, 1, "no tree" stop
  // CHECK: rt.alloc(%{{.*}}) : memref<?x3xf32>
  %x = rt.alloc(%n) : memref<?x3xf32>
  // CHECK: rt.alloc() : memref<3xf32>
  %y = rt.alloc() : memref<3xf32>
  // CHECK: rt.num_examples
  %examples = rt.num_examples
  // CHECK: rt.example_keys : memref<?xi64>
  %keys = rt.example_keys : memref<?xi64>
  // CHECK: rt.parallel %{{.*}} grain 64 {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
  rt.parallel %n grain 64 {
  ^bb0(%begin: index, %end: index):
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    memref.store %zero, %x[%begin, %c0] : memref<?x3xf32>
    rt.yield
  }
  // CHECK: rt.launch @task(%{{.*}}) over %{{.*}} grain 8 : memref<?x3xf32>
  rt.launch @task(%x) over %n grain 8 : memref<?x3xf32>
  // CHECK: rt.launch @no_captures() over %{{.*}} grain 8
  rt.launch @no_captures() over %n grain 8
  return
}

func.func private @task(%x: memref<?x3xf32>, %begin: index, %end: index) {
  return
}

func.func private @no_captures(%begin: index, %end: index) {
  return
}

// CHECK-LABEL: func.func @train.apply
func.func @"train.apply"() {
  // CHECK: rt.gradient @W : memref<4x3xf32>
  %dW = rt.gradient @W : memref<4x3xf32>
  // CHECK: rt.state @W 1 : memref<4x3xf32>
  %m = rt.state @W 1 : memref<4x3xf32>
  // CHECK: rt.touched @E : memref<?xi32>
  %rows = rt.touched @E : memref<?xi32>
  // CHECK: rt.num_touched @E
  %count = rt.num_touched @E
  // CHECK: rt.touched_flags @E : memref<?xi8>
  %flags = rt.touched_flags @E : memref<?xi8>
  // CHECK: rt.set_num_touched @E, %{{.*}}
  rt.set_num_touched @E, %count
  // CHECK: rt.touch @E, %{{.*}}
  rt.touch @E, %count
  // CHECK: rt.clear_touched @E
  rt.clear_touched @E
  // CHECK: rt.scalar 1 : f64
  %scale = rt.scalar 1 : f64
  // CHECK: rt.step : i64
  %t = rt.step : i64
  return
}

func.func @train.accumulate() {
  return
}

// CHECK: rt.manifest "{}" entries [@train.accumulate] named ["accumulate"]
rt.manifest "{}" entries [@train.accumulate] named ["accumulate"]

// CHECK-LABEL: func.func @sizes
func.func @sizes(%n: index, %m: index) -> index {
  // CHECK: rt.at_most %{{.*}}, %{{.*}}
  %size = rt.at_most %n, %m
  return %size : index
}

// CHECK-LABEL: func.func @units
func.func @units(%n: index) {
  // CHECK: rt.parallel %{{.*}} grain 1 unit warp {
  rt.parallel %n grain 1 unit warp {
  ^bb0(%begin: index, %end: index):
  }
  // CHECK: rt.barrier
  rt.barrier
  // CHECK: rt.launch @no_captures() over %{{.*}} grain 1 unit block
  rt.launch @no_captures() over %n grain 1 unit block
  // CHECK: rt.launch @no_captures() over %{{.*}} grain 1 unit thread
  rt.launch @no_captures() over %n grain 1 unit thread
  return
}

func.func private @workspace() -> index

// CHECK: rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [0, 1] messages [9] ["bad"] workspace @workspace
rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [0, 1] messages [9] ["bad"] workspace @workspace
// CHECK: rt.device_entry "g" {{.*}} messages [] [] stages ["all blocks start", "nn.tanh, m.mlir:3"] workspace @workspace
rt.device_entry "g" kernel "cambium_g" threads 256 shared 0 chains [] messages [] [] stages ["all blocks start", "nn.tanh, m.mlir:3"] workspace @workspace
// CHECK: rt.image "sm_90" ".version 8.0"
rt.image "sm_90" ".version 8.0"
// CHECK: rt.image "sm_90" cubin "\7FELF\00"
rt.image "sm_90" cubin "\7FELF\00"

// CHECK-LABEL: func.func @barriers
func.func @barriers() {
  // CHECK-NEXT: rt.barrier{{$}}
  rt.barrier
  // CHECK-NEXT: rt.barrier ends 0{{$}}
  rt.barrier ends 0
  // CHECK-NEXT: rt.barrier within 10000 or 3{{$}}
  rt.barrier within 10000 or 3
  // CHECK-NEXT: rt.barrier ends 2 within 1 or 4{{$}}
  rt.barrier ends 2 within 1 or 4
  return
}
