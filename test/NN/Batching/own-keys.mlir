/// Queries with keys of their own: rows of rows. Compiled code against the interpreter: values
/// and gradients, with queries that have no keys, and without queries.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=attend --empty-rows --seed=3 --num-threads=2 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --all --nodes=40 --examples=2 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: attend.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: attend.out0
// CHECK-DAG: equal: loss: gradient of E
// CHECK-DAG: equal: loss: gradient of U
// CHECK-DAG: equal: loss: gradient of R
// CHECK-NOT: DIFFERENT
nn.param @E : tensor<20x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @U : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @R : tensor<5x3xf32> init #nn.init<normal(0.0, 0.7)>

/// The query of a sentence is its last word; it meets all of its words by their distance.
func.func @attend(%words: tensor<?x?xi32> {cambium.name = "words", cambium.rows = "sentences"}) -> tensor<?x6xf32> {
  %E = nn.use @E : tensor<20x6xf32>
  %U = nn.use @U : tensor<6x6xf32>
  %R = nn.use @R : tensor<5x3xf32>
  %q, %k = nn.each rows(%w = %words : tensor<?xi32>) -> (tensor<6xf32>, tensor<?x6xf32>) {
    %x = nn.embed %w, %E : tensor<?xi32>, tensor<20x6xf32>
    %last = arith.constant dense<2147483647> : tensor<i32>
    %l = nn.take %x, %last : tensor<?x6xf32>, tensor<i32>
    %y = nn.linear %x, %U : tensor<?x6xf32>, tensor<6x6xf32>
    nn.yield %l, %y : tensor<6xf32>, tensor<?x6xf32>
  }
  %a = nn.attention %q, %k, %k heads 2 causal relative_keys(%R : tensor<5x3xf32>) relative_values(%R : tensor<5x3xf32>)
    : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>
  return %a : tensor<?x6xf32>
}

func.func @loss(%words: tensor<?x?xi32> {cambium.name = "words", cambium.rows = "sentences"}) -> tensor<f32> {
  %a = call @attend(%words) : (tensor<?x?xi32>) -> tensor<?x6xf32>
  %s = math.tanh %a : tensor<?x6xf32>
  %t = arith.mulf %s, %a : tensor<?x6xf32>
  %r = nn.sum %t over 1 : tensor<?x6xf32>
  %l = nn.sum %r over 0 : tensor<?xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
