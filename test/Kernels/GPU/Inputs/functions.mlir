// All functions of numbers, over numbers from -1 to 1 and larger ones.
func.func @f32(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %s0 = arith.constant dense<30.0> : tensor<64xf32>
  %a0 = arith.mulf %x, %s0 : tensor<64xf32>
  %y0 = math.sin %a0 : tensor<64xf32>
  %s1 = arith.constant dense<30.0> : tensor<64xf32>
  %a1 = arith.mulf %x, %s1 : tensor<64xf32>
  %y1 = math.cos %a1 : tensor<64xf32>
  %s2 = arith.constant dense<5.0> : tensor<64xf32>
  %a2 = arith.mulf %x, %s2 : tensor<64xf32>
  %y2 = math.atan %a2 : tensor<64xf32>
  %s3 = arith.constant dense<20.0> : tensor<64xf32>
  %a3 = arith.mulf %x, %s3 : tensor<64xf32>
  %y3 = math.exp %a3 : tensor<64xf32>
  %s4 = arith.constant dense<20.0> : tensor<64xf32>
  %a4 = arith.mulf %x, %s4 : tensor<64xf32>
  %y4 = math.exp2 %a4 : tensor<64xf32>
  %s5 = arith.constant dense<3.0> : tensor<64xf32>
  %a5 = arith.mulf %x, %s5 : tensor<64xf32>
  %y5 = math.expm1 %a5 : tensor<64xf32>
  %s6 = arith.constant dense<3.0> : tensor<64xf32>
  %a6 = arith.mulf %x, %s6 : tensor<64xf32>
  %y6 = math.tanh %a6 : tensor<64xf32>
  %s7 = arith.constant dense<4.0> : tensor<64xf32>
  %a7 = arith.mulf %x, %s7 : tensor<64xf32>
  %y7 = math.erf %a7 : tensor<64xf32>
  %square = arith.mulf %x, %x : tensor<64xf32>
  %log = math.log %square : tensor<64xf32>
  %log1p = math.log1p %x : tensor<64xf32>
  %log2 = math.log2 %square : tensor<64xf32>
  %pow = math.powf %square, %a5 : tensor<64xf32>
  %three = arith.constant dense<3.0> : tensor<64xf32>
  %cube = math.powf %x, %three : tensor<64xf32>
  %odd = math.powf %x, %a0 : tensor<64xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %log, %log1p, %log2, %pow, %cube, %odd : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

func.func @f64(%x: tensor<64xf64>) -> (tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>) {
  %s0 = arith.constant dense<30.0> : tensor<64xf64>
  %a0 = arith.mulf %x, %s0 : tensor<64xf64>
  %y0 = math.sin %a0 : tensor<64xf64>
  %s1 = arith.constant dense<30.0> : tensor<64xf64>
  %a1 = arith.mulf %x, %s1 : tensor<64xf64>
  %y1 = math.cos %a1 : tensor<64xf64>
  %s2 = arith.constant dense<5.0> : tensor<64xf64>
  %a2 = arith.mulf %x, %s2 : tensor<64xf64>
  %y2 = math.atan %a2 : tensor<64xf64>
  %s3 = arith.constant dense<20.0> : tensor<64xf64>
  %a3 = arith.mulf %x, %s3 : tensor<64xf64>
  %y3 = math.exp %a3 : tensor<64xf64>
  %s4 = arith.constant dense<20.0> : tensor<64xf64>
  %a4 = arith.mulf %x, %s4 : tensor<64xf64>
  %y4 = math.exp2 %a4 : tensor<64xf64>
  %s5 = arith.constant dense<3.0> : tensor<64xf64>
  %a5 = arith.mulf %x, %s5 : tensor<64xf64>
  %y5 = math.expm1 %a5 : tensor<64xf64>
  %s6 = arith.constant dense<3.0> : tensor<64xf64>
  %a6 = arith.mulf %x, %s6 : tensor<64xf64>
  %y6 = math.tanh %a6 : tensor<64xf64>
  %s7 = arith.constant dense<4.0> : tensor<64xf64>
  %a7 = arith.mulf %x, %s7 : tensor<64xf64>
  %y7 = math.erf %a7 : tensor<64xf64>
  %square = arith.mulf %x, %x : tensor<64xf64>
  %log = math.log %square : tensor<64xf64>
  %log1p = math.log1p %x : tensor<64xf64>
  %log2 = math.log2 %square : tensor<64xf64>
  %pow = math.powf %square, %a5 : tensor<64xf64>
  %three = arith.constant dense<3.0> : tensor<64xf64>
  %cube = math.powf %x, %three : tensor<64xf64>
  %odd = math.powf %x, %a0 : tensor<64xf64>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %log, %log1p, %log2, %pow, %cube, %odd : tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>
}
