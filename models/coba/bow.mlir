// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of an arithmetic expression in prefix notation, read as a sequence:
// a bag of words.
//
// Simoulin 2022, section 7.3 (data and set-up), section 3.2.1 (mean of the vectors).
//
// sizes: hidden = 256

nn.param @dice : tensor<103x256xf32> init #nn.init<file("embeddings.safetensors", "dice")> {frozen}
nn.param @operators : tensor<3x256xf32> init #nn.init<file("embeddings.safetensors", "operators")>

nn.param @V_1 : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @c_1 : tensor<256xf32> {no_decay}
nn.param @V_2 : tensor<256x100xf32> init #nn.init<xavier_uniform>
nn.param @c_2 : tensor<100xf32> {no_decay}

func.func private @embed(%numbers: tensor<?xi32>, %operators: tensor<?xi32>) -> tensor<?x256xf32> {
  %dice = nn.use @dice : tensor<103x256xf32>
  %ops = nn.use @operators : tensor<3x256xf32>
  %xn = nn.embed %numbers, %dice {padding_id = 0 : i64} : tensor<?xi32>, tensor<103x256xf32>
  %xo = nn.embed %operators, %ops {padding_id = 0 : i64} : tensor<?xi32>, tensor<3x256xf32>
  %x = arith.addf %xn, %xo : tensor<?x256xf32>
  return %x : tensor<?x256xf32>
}

// The class scores of a sentence vector.
func.func private @classify(%s: tensor<256xf32>) -> tensor<100xf32> {
  %V_1 = nn.use @V_1 : tensor<256x256xf32>
  %c_1 = nn.use @c_1 : tensor<256xf32>
  %V_2 = nn.use @V_2 : tensor<256x100xf32>
  %c_2 = nn.use @c_2 : tensor<100xf32>
  %a = nn.linear %s, %V_1, %c_1 : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
  %r = nn.relu %a : tensor<256xf32>
  %y = nn.linear %r, %V_2, %c_2 : tensor<256xf32>, tensor<256x100xf32>, tensor<100xf32>
  return %y : tensor<100xf32>
}

// Scores of the values 1 to 100.
func.func @predict(%numbers: tensor<?xi32> {cambium.name = "numbers"},
                   %operators: tensor<?xi32> {cambium.name = "operators"}) -> tensor<100xf32> {
  %x = call @embed(%numbers, %operators) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?x256xf32>
  %s = nn.mean %x over 0 : tensor<?x256xf32>
  %y = call @classify(%s) : (tensor<256xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}

func.func @loss(%numbers: tensor<?xi32> {cambium.name = "numbers"},
                %operators: tensor<?xi32> {cambium.name = "operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = call @predict(%numbers, %operators) : (tensor<?xi32>, tensor<?xi32>) -> tensor<100xf32>
  %l = nn.cross_entropy %y, %value : tensor<100xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  {clip_norm = 5.0 : f64}
