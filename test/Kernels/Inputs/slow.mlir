#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

nn.param @T : tensor<9xf32>

func.func @f(%ids: memref<?xi32> {rt.as = #rt.input<name = "ids">},
             %y: memref<?xf32> {rt.as = #rt.output<name = "y">}) {
  return
}
func.func private @g(%a: memref<?x30xf32>, %b: memref<?x30xf32>, %c: memref<?x?xf32>, %ids: memref<?xi32>, %y: memref<?xf32>) {
  linalg.matmul indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : memref<?x30xf32>, memref<?x30xf32>) outs(%c : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : memref<?xi32>) outs(%y : memref<?xf32>) {
  ^bb0(%id: i32, %o: f32):
    %p = arith.index_cast %id : i32 to index
    %t = rt.param @T : memref<9xf32>
    %v = memref.load %t[%p] : memref<9xf32>
    linalg.yield %v : f32
  }
  return
}
