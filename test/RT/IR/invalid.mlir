// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // [RT-PARAM-C1]
  // expected-error @below {{expected the name of an nn.param, but got @W}}
  %W = rt.param @W : memref<4x3xf32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  // [RT-PARAM-C2]
  // expected-error @below {{expected 'memref<4x3xf32>', but got 'memref<3x4xf32>'}}
  %W = rt.gradient @W : memref<3x4xf32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  %rows = rt.state @W 0 : memref<4xf32>
  // [RT-PARAM-C2]
  // expected-error @below {{expected 'memref<4x3xf32>', but got 'memref<4xf32>'}}
  %columns = rt.state @W 1 : memref<4xf32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  // [RT-PANELS-C1]
  // expected-error @below {{expected panels of some columns of a matrix, but got 'memref<1x4x4xf32, strided<[?, ?, 1]>>'}}
  %W = rt.panels @W : memref<1x4x4xf32, strided<[?, ?, 1]>>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @b : tensor<4xf32>
func.func @f() {
  // [RT-PANELS-C1]
  // expected-error @below {{expected panels of some columns of a matrix, but got 'memref<2x2xf32, strided<[?, 1]>>'}}
  %b = rt.panels @b : memref<2x2xf32, strided<[?, 1]>>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  // [RT-PANELS-C2]
  // expected-error @below {{expected 'memref<2x4x2xf32, strided<[?, ?, 1]>>', but got 'memref<2x4x2xf32>'}}
  %W = rt.panels @W : memref<2x4x2xf32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf32>
func.func @f() {
  // [RT-PANELS-C2]
  // expected-error @below {{expected 'memref<2x3x2xi32>', but got 'memref<2x1x2xi32>'}}
  %W = rt.panels @W as int8 : memref<2x1x2xi32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<4x3xf64>
func.func @f() {
  // [RT-PANELS-C3]
  // expected-error @below {{expected a parameter of f32 for 'bf16', but got 'memref<2x2x2xi32>'}}
  %W = rt.panels @W as bf16 : memref<2x2x2xi32>
  return
}

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @s : tensor<4xf32>
func.func @f() {
  // [RT-TOUCH-C1]
  // expected-error @below {{expected a parameter whose gradient is 'row_sparse', but got 's'}}
  rt.clear_touched @s
  return
}

// -----

// expected-note @below {{the entry is declared here}}
rt.training "s" accumulate @a apply @f every 1 groups [] optimizers {}
func.func @a() {
  return
}
func.func @f() {
  // [RT-SCALAR-C1]
  // expected-error @below {{expected an index below 1, the number of scalars of the entry, but got 1}}
  %lr = rt.scalar 1 : f64
  return
}

// -----

// [RT-TRAINING-C3]
// expected-error @below {{expected the name of a public function, but got @f}}
rt.training "s" accumulate @f apply @f every 1 groups [] optimizers {}
func.func private @f() {
  return
}

// -----

// [RT-TRAINING-C1]
// expected-error @below {{expected an optimizer of group 'words', but got {}}}
rt.training "s" accumulate @f apply @f every 1 groups ["words"] optimizers {}
func.func @f() {
  return
}

// -----

// [RT-TRAINING-C2]
// expected-error @below {{expected one optimizer per group, but got 0 groups and 1 optimizers}}
rt.training "s" accumulate @f apply @f every 1 groups [] optimizers {a = #train.optimizer<sgd>}
func.func @f() {
  return
}

// -----

// [RT-AS-C1]
// expected-error @below {{argument 0: expected 'rt.as' to be what a value of type 'tensor<?xf32>' can be, but got #rt.rows<name = "x">}}
func.func private @f(%x: tensor<?xf32> {rt.as = #rt.rows<name = "x">})

// -----

// [RT-AS-C1]
// expected-error @below {{result 0: expected 'rt.as' to be what a value of type 'tensor<?xf32>' can be, but got #rt.input<name = "x">}}
func.func private @f() -> (tensor<?xf32> {rt.as = #rt.input<name = "x">})

// -----

// [RT-AS-C2]
// expected-error @below {{argument 1: expected a space below 1, the number of arguments of type '!ragged.rows', but got 1}}
func.func private @f(%n: !ragged.rows {rt.as = #rt.rows<name = "n">},
                     %t: !ragged.forest {rt.as = #rt.forest<name = "t", space = 1>})

// -----

// [RT-AS-C3]
// expected-error @below {{argument 0: expected edges of a tree below 0, the number of arguments of type '!ragged.forest', but got 0}}
func.func private @f(%x: tensor<?xf32> {rt.as = #rt.input<name = "x", edges_of = 0>})

// -----

// [RT-FOREST-C1]
// expected-error @below {{expected the space of a tree's nodes to be at least 0, but got -1}}
func.func private @f(%t: !ragged.forest {rt.as = #rt.forest<name = "t", space = -1>})

// -----

// [RT-FOREST-C2]
// expected-error @below {{expected an arity of at least -1, but got -2}}
func.func private @f(%t: !ragged.forest {rt.as = #rt.forest<name = "t", space = 0, arity = -2>})

// -----

// [RT-ROWS-C1]
// expected-error @below {{expected rows in a space of at least -1, but got -2}}
func.func private @f(%r: !ragged.rows {rt.as = #rt.rows<name = "r", in = -2>})

// -----

// [RT-INPUT-C1]
// expected-error @below {{expected a space of at least -2, but got -3}}
func.func private @f(%x: tensor<?xf32> {rt.as = #rt.input<name = "x", space = -3>})

// -----

// [RT-INPUT-C2]
// expected-error @below {{expected edges of a tree from 0 on, but got -2}}
func.func private @f(%x: tensor<?xf32> {rt.as = #rt.input<name = "x", edges_of = -2>})

// -----

// [RT-INPUT-C3]
// expected-error @below {{expected rows of a space or edges of a tree, but got both: space 0, tree 1}}
func.func private @f(%x: tensor<?xf32> {rt.as = #rt.input<name = "x", space = 0, edges_of = 1>})

// -----

// [RT-INPUT-C4]
// expected-error @below {{expected a limit of at least -1, but got -2}}
func.func private @f(%x: tensor<?xi32> {rt.as = #rt.input<name = "x", limit = -2>})

// -----

// [RT-OUTPUT-C1]
// expected-error @below {{expected a space of at least -2, but got -3}}
func.func private @f() -> (tensor<?xf32> {rt.as = #rt.output<name = "x", space = -3>})

// -----

func.func @f(%n: index) {
  // [RT-ALLOC-C2]
  // expected-error @below {{expected 1 sizes, but got 0}}
  %x = rt.alloc() : memref<?x3xf32>
  return
}

// -----

func.func @f(%n: index) {
  // [RT-ALLOC-C1]
  // expected-error @below {{expected an identity layout, but got 'memref<3xf32, strided<[2]>>'}}
  %x = rt.alloc() : memref<3xf32, strided<[2]>>
  return
}

// -----

func.func @f(%n: index) {
  // [RT-PARALLEL-C1]
  // expected-error @below {{expected a region with two arguments of type index (begin and end), but got 1 arguments}}
  rt.parallel %n grain 1 {
  ^bb0(%begin: index):
  }
  return
}

// -----

func.func @f(%n: index) {
  // [RT-LAUNCH-C1]
  // expected-error @below {{expected the name of a function, but got @task}}
  rt.launch @task(%n) over %n grain 1 : index
  return
}

// -----

// expected-note @below {{the function is defined here}}
func.func private @task(%begin: index, %end: index)
func.func @f(%n: index) {
  // [RT-LAUNCH-C2]
  // expected-error @below {{expected a function of the captured values, begin and end}}
  rt.launch @task(%n) over %n grain 1 : index
  return
}

// -----

func.func @f(%n: index) {
  // [RT-FOREACH-C1]
  // expected-error @below {{expected a region with arguments of types ('index'), but got ('i32')}}
  "rt.for_each"(%n) ({
  ^bb0(%i: i32):
    "rt.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @f(%n: index, %x: tensor<3xf32>) -> tensor<3xf32> {
  %y = rt.for_each %i of %n into(%a = %x : tensor<3xf32>) {
    // [RT-YIELD-C1]
    // expected-error @below {{expected values of types ('tensor<3xf32>'), as the loop gives, but got ('index')}}
    rt.yield %i : index
  }
  return %y : tensor<3xf32>
}

// -----

func.func @f(%n: index, %x: memref<3xf32>) {
  // expected-error @below {{must be variadic of ranked tensor}}
  rt.for_each %i of %n into(%a = %x : memref<3xf32>) {
    rt.yield %a : memref<3xf32>
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @below {{attribute 'work' failed to satisfy constraint}}
  rt.for_each %i of %n work 0 {
  }
  return
}

// -----

// [RT-MANIFEST-C1]
// expected-error @below {{expected a name for each entry, but got 1 entries and 0 names}}
rt.manifest "{}" entries [@f] named []
func.func @f() {
  return
}

// -----

// [RT-MANIFEST-C2]
// expected-error @below {{expected the name of a function, but got @g}}
rt.manifest "{}" entries [@g] named ["g"]

// -----

// [RT-DEVICE-C1]
// expected-error @below {{expected a space and a kind for each sequence, but got 1 numbers}}
rt.device_entry "f" kernel "f" threads 256 shared 0 chains [0] messages [] [] workspace @f
func.func private @f() -> index

// -----

// [RT-DEVICE-C2]
// expected-error @below {{expected a text for each status, but got 1 statuses and 0 texts}}
rt.device_entry "f" kernel "f" threads 256 shared 0 chains [] messages [9] [] workspace @f
func.func private @f() -> index

// -----

// [RT-DEVICE-C3]
// expected-error @below {{expected the name of a function, but got @f}}
rt.device_entry "f" kernel "f" threads 256 shared 0 chains [] messages [] [] workspace @f

// -----

func.func @f() {
  // [RT-BARRIER-C1]
  // expected-error @below {{expected a limit and a failure together}}
  "rt.barrier"() <{limit = 5 : i64}> : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @below {{attribute 'limit' failed to satisfy constraint}}
  "rt.barrier"() <{limit = 0 : i64, failure = 1 : i32}> : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @below {{attribute 'stage' failed to satisfy constraint}}
  "rt.barrier"() <{stage = -1 : i32}> : () -> ()
  return
}

// -----

// [RT-TARGET-C1]
// expected-error @below {{expected a GPU from sm_80 on for 'math tf32', but got "x86-64-v3"}}
rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "", flags = ["avx2", "fma"]> math tf32

// -----

// [RT-TARGET-C1]
// expected-error @below {{expected a GPU from sm_80 on for 'math bf16', but got "sm_75"}}
rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_75", features = "+ptx80", flags = []> math bf16
