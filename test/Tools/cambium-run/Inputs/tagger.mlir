// Classes of words from their vectors, those of their neighbours, and the letters of the text.

nn.param @words : tensor<40x8xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @letters : tensor<20x4xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @W : tensor<14x3xf32> init #nn.init<xavier_uniform>

func.func @predict(%words: tensor<?xi32> {cambium.name = "words", cambium.rows = "words"},
                   %letters: tensor<?xi32> {cambium.name = "letters", cambium.rows = "letters"},
                   %topic: tensor<2xf32> {cambium.name = "topic"})
    -> tensor<?x3xf32> {
  %E = nn.use @words : tensor<40x8xf32>
  %L = nn.use @letters : tensor<20x4xf32>
  %W = nn.use @W : tensor<14x3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<40x8xf32>
  %l = nn.embed %letters, %L : tensor<?xi32>, tensor<20x4xf32>
  %m = nn.mean %l over 0 : tensor<?x4xf32>
  %ms = nn.broadcast %m dims [1] like %x : tensor<4xf32>, tensor<?x8xf32> -> tensor<?x4xf32>
  %ts = nn.broadcast %topic dims [1] like %x : tensor<2xf32>, tensor<?x8xf32> -> tensor<?x2xf32>
  %a = nn.concat %x, %ms, %ts over 1 : tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x2xf32>
  %y = nn.linear %a, %W : tensor<?x14xf32>, tensor<14x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @loss(%words: tensor<?xi32> {cambium.name = "words", cambium.rows = "words"},
                %letters: tensor<?xi32> {cambium.name = "letters", cambium.rows = "letters"},
                %topic: tensor<2xf32> {cambium.name = "topic"},
                %labels: tensor<?xi32> {cambium.name = "labels", cambium.rows = "words"}) -> tensor<f32> {
  %y = call @predict(%words, %letters, %topic) : (tensor<?xi32>, tensor<?xi32>, tensor<2xf32>) -> tensor<?x3xf32>
  %l = nn.cross_entropy %y, %labels ignore_id -1 : tensor<?x3xf32>, tensor<?xi32>
  %s = nn.mean %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>

// How many nodes of a graph each node is above of, counted by paths.
func.func @paths(%graph: !tree.tree {cambium.name = "graph"},
                 %ones: tensor<?xf32> {cambium.name = "ones"}) -> tensor<?xf32> {
  %n = tree.fold %graph nodes(%one = %ones : tensor<f32>) children(%k : tensor<?xf32>) -> (tensor<f32>) {
    %s = nn.sum %k over 0 : tensor<?xf32>
    %a = arith.addf %s, %one : tensor<f32>
    tree.yield %a : tensor<f32>
  }
  return %n : tensor<?xf32>
}
