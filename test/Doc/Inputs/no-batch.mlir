// A function that has no form over all rows of a batch: its result depends on how
// many rows an example has. See docs/Debugging.md.
func.func @count(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %words, %c0 : tensor<?xi32>
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  %t = tensor.from_elements %f : tensor<f32>
  return %t : tensor<f32>
}
