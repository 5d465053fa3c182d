//===-- test/Ragged/Batching/depth-errors.mlir - Loops that cannot be batched ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file --verify-diagnostics

/// Carried values of two spaces.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func @two_spaces(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %y0: tensor<?x3xf32> {cambium.rows = "labels"},
                      %go: tensor<?xi1> {cambium.rows = "words"}) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C7]
  // expected-error @below {{'depth.iterate' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %h, %g, %n = depth.iterate max 2 carried(%x = %x0 : tensor<?x3xf32>, %y = %y0 : tensor<?x3xf32>) {
    depth.yield %go, %x, %y : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// The predicate of other rows.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func @flags(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %go: tensor<?xi1> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C7]
  // expected-error @below {{'depth.iterate' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<?x3xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Flags of other rows that say what starts active.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func @starting(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %go: tensor<?xi1> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C7]
  // expected-error @below {{'depth.iterate' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %h, %n = depth.iterate max 2 active(%go : tensor<?xi1>) carried(%x = %x0 : tensor<?x3xf32>) {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %on = nn.broadcast %zero dims [] like %x : tensor<f32>, tensor<?x3xf32> -> tensor<?xf32>
    %still = arith.cmpf ogt, %on, %on : tensor<?xf32>
    depth.yield %still, %x : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Rows in a loop of the whole example.
// expected-note @below {{the rows come from here}}
func.func @rows_of_examples(%x0: tensor<3xf32>, %rows: tensor<?x3xf32>, %go: tensor<i1>) -> tensor<3xf32> {
  // [DEPTH-ITERATE-C9]
  // expected-error @below {{'depth.iterate' op expected a loop of whole examples to use no rows of them, but got 'tensor<?x3xf32>' (carry rows, with a flag per row)}}
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<3xf32>) {
    %m = nn.mean %rows over 0 : tensor<?x3xf32>
    %y = arith.addf %m, %x : tensor<3xf32>
    depth.yield %go, %y : tensor<i1>, tensor<3xf32>
  }
  return %h : tensor<3xf32>
}

// -----

/// A tree has rows too.
// expected-note @below {{the rows come from here}}
func.func @tree_of_examples(%t: !tree.tree, %x0: tensor<3xf32>, %go: tensor<i1>) -> tensor<3xf32> {
  // [DEPTH-ITERATE-C9]
  // expected-error @below {{'depth.iterate' op expected a loop of whole examples to use no rows of them, but got '!tree.tree' (carry rows, with a flag per row)}}
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<3xf32>) {
    %s = tree.fold %t nodes() children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
      %hs = nn.sum %hk over 0 : tensor<?x3xf32>
      %hj = arith.addf %hs, %x : tensor<3xf32>
      tree.yield %hj : tensor<3xf32>
    }
    %r = tree.root %t, %s : tensor<?x3xf32>
    depth.yield %go, %r : tensor<i1>, tensor<3xf32>
  }
  return %h : tensor<3xf32>
}

// -----

/// The second attention reads what the first one has given.
func.func @two_layers(%x0: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C10]
  // expected-error @below {{'depth.iterate' op cannot be compacted: expected what is read of other rows to be computed row by row from carried values}}
  %h, %n = depth.iterate max 2 compact carried(%x = %x0 : tensor<?x3xf32>) {
    // expected-note @below {{what is read changes here even for a row that has stopped}}
    %a = nn.attention %x, %x, %x heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
    // expected-note @below {{other rows are read here}}
    %b = nn.attention %x, %a, %x heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
    depth.yield %go, %b : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A softmax over the rows mixes them.
func.func @softmax(%x0: tensor<?xf32>, %go: tensor<?xi1>) -> tensor<?xf32> {
  // [DEPTH-ITERATE-C10]
  // expected-error @below {{'depth.iterate' op cannot be compacted}}
  %h, %n = depth.iterate max 2 compact carried(%x = %x0 : tensor<?xf32>) {
    // expected-note @below {{other rows are read here}}
    %s = nn.softmax %x over 0 : tensor<?xf32>
    depth.yield %go, %s : tensor<?xi1>, tensor<?xf32>
  }
  return %h : tensor<?xf32>
}

// -----

/// Another loop reads the rows.
func.func @loop_inside(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %y0: tensor<?x3xf32> {cambium.rows = "labels"},
                       %go: tensor<?xi1> {cambium.rows = "words"}, %on: tensor<?xi1> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C10]
  // expected-error @below {{'depth.iterate' op cannot be compacted}}
  %h, %n = depth.iterate max 2 compact carried(%x = %x0 : tensor<?x3xf32>) {
    // expected-note @below {{other rows are read here}}
    %g, %m = depth.iterate max 2 carried(%y = %y0 : tensor<?x3xf32>) {
      %a = nn.attention %y, %x, %x heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
      depth.yield %on, %a : tensor<?xi1>, tensor<?x3xf32>
    }
    %b = nn.attention %x, %g, %g heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
    depth.yield %go, %b : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Also by attention to what does not change: weights are dropped in each iteration.
func.func @drawn_weights(%x0: tensor<?x4xf32> {cambium.rows = "words"}, %memory: tensor<?x4xf32> {cambium.rows = "others"},
                         %go: tensor<?xi1> {cambium.rows = "words"}) -> tensor<?x4xf32> {
  // [DEPTH-ITERATE-C10]
  // expected-error @below {{'depth.iterate' op cannot be compacted: expected what is read of other rows to be computed row by row from carried values}}
  %h, %n = depth.iterate max 2 compact carried(%x = %x0 : tensor<?x4xf32>) {
    // expected-note @below {{what is read changes here even for a row that has stopped}}
    %k = nn.attention %x, %memory, %memory heads 2 dropout 0.3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
    // expected-note @below {{other rows are read here}}
    %a = nn.attention %x, %k, %x heads 2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
    depth.yield %go, %a : tensor<?xi1>, tensor<?x4xf32>
  }
  return %h : tensor<?x4xf32>
}

// -----

/// What others read of a row that has stopped would be drawn again.
func.func @drawn_keys(%x0: tensor<?x4xf32>, %go: tensor<?xi1>) -> tensor<?x4xf32> {
  // [DEPTH-ITERATE-C10]
  // expected-error @below {{'depth.iterate' op cannot be compacted: expected what is read of other rows to be computed row by row from carried values}}
  %h, %n = depth.iterate max 2 compact carried(%x = %x0 : tensor<?x4xf32>) {
    // expected-note @below {{what is read changes here even for a row that has stopped}}
    %k = nn.dropout %x rate 0.3 : tensor<?x4xf32>
    // expected-note @below {{other rows are read here}}
    %a = nn.attention %x, %k, %x heads 2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
    depth.yield %go, %a : tensor<?xi1>, tensor<?x4xf32>
  }
  return %h : tensor<?x4xf32>
}

// -----

/// A tree whose nodes stop one by one has no order in which it could be walked.
func.func @fold(%t: !tree.tree, %x0: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<?x3xf32>) {
    // [DEPTH-ITERATE-C12]
    // expected-error @below {{'tree.fold' op expected a tree all of whose nodes are at hand, but got one whose nodes are the rows of a loop that stop}}
    %s = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
      %hs = nn.sum %hk over 0 : tensor<?x3xf32>
      %hj = arith.addf %hs, %xj : tensor<3xf32>
      tree.yield %hj : tensor<3xf32>
    }
    depth.yield %go, %s : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Nor has it a root.
func.func @root(%t: !tree.tree, %x0: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<?x3xf32>) {
    // expected-error @below {{'tree.root' op expected a tree all of whose nodes are at hand}}
    %r = tree.root %t, %x : tensor<?x3xf32>
    %rs = nn.broadcast %r dims [1] like %x : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    depth.yield %go, %rs : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// The children of a node.
func.func @children(%t: !tree.tree, %x0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-note @below {{they come from here}}
  %s = tree.fold %t nodes(%xj = %x0 : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    // [DEPTH-ITERATE-C13]
    // expected-error @below {{'depth.iterate' op expected rows of the example, but got the children of the node at hand (a loop in a cell carries values of the node)}}
    %h, %n = depth.iterate max 2 carried(%x = %hk : tensor<?x3xf32>) {
      %e = nn.sum %x over 1 : tensor<?x3xf32>
      %go = arith.cmpf olt, %e, %e : tensor<?xf32>
      depth.yield %go, %x : tensor<?xi1>, tensor<?x3xf32>
    }
    %hs = nn.sum %h over 0 : tensor<?x3xf32>
    %hj = arith.addf %hs, %xj : tensor<3xf32>
    tree.yield %hj : tensor<3xf32>
  }
  return %s : tensor<?x3xf32>
}

// -----

/// Slices that depend on the example.
func.func @slices(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %go: tensor<?xi1> {cambium.rows = "words"},
                  // expected-note @below {{it comes from here}}
                  %W: tensor<2x3x3xf32>) -> tensor<?x3xf32> {
  // [DEPTH-ITERATE-C15]
  // expected-error @below {{'depth.iterate' op expected arrays of slices that depend on parameters alone, but got 'tensor<2x3x3xf32>' that depends on the example}}
  %h, %n = depth.iterate max 2 carried(%x = %x0 : tensor<?x3xf32>) slices(%w = %W : tensor<2x3x3xf32>) {
    %y = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x3xf32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

func.func @fixed_slices(%x0: tensor<?x3xf32>,
                        // expected-note @below {{it comes from here}}
                        %W: tensor<2x3x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{'depth.iterate' op expected arrays of slices that depend on parameters alone, but got 'tensor<2x3x3xf32>' that depends on the example}}
  %h = depth.iterate 2 carried(%x = %x0 : tensor<?x3xf32>) slices(%w = %W : tensor<2x3x3xf32>) {
    %y = nn.linear %x, %w : tensor<?x3xf32>, tensor<3x3xf32>
    depth.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A carried value whose rows change.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func @fixed_rows(%x0: tensor<?x3xf32> {cambium.rows = "words"}, %y0: tensor<?x3xf32> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // expected-error @below {{'depth.iterate' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %h = depth.iterate 2 carried(%x = %x0 : tensor<?x3xf32>) {
    depth.yield %y0 : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// The time to compile doubles with each loop.
func.func @nested(%x0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y1 = depth.iterate 2 carried(%x1 = %x0 : tensor<?x3xf32>) {
    %y2 = depth.iterate 2 carried(%x2 = %x1 : tensor<?x3xf32>) {
      %y3 = depth.iterate 2 carried(%x3 = %x2 : tensor<?x3xf32>) {
        %y4 = depth.iterate 2 carried(%x4 = %x3 : tensor<?x3xf32>) {
          %y5 = depth.iterate 2 carried(%x5 = %x4 : tensor<?x3xf32>) {
            %y6 = depth.iterate 2 carried(%x6 = %x5 : tensor<?x3xf32>) {
              %y7 = depth.iterate 2 carried(%x7 = %x6 : tensor<?x3xf32>) {
                %y8 = depth.iterate 2 carried(%x8 = %x7 : tensor<?x3xf32>) {
                  // [DEPTH-ITERATE-C18]
                  // expected-error @below {{'depth.iterate' op expected at most 8 loops in one another, but got 9}}
                  %y9 = depth.iterate 2 carried(%x9 = %x8 : tensor<?x3xf32>) {
                    depth.yield %x9 : tensor<?x3xf32>
                  }
                  depth.yield %y9 : tensor<?x3xf32>
                }
                depth.yield %y8 : tensor<?x3xf32>
              }
              depth.yield %y7 : tensor<?x3xf32>
            }
            depth.yield %y6 : tensor<?x3xf32>
          }
          depth.yield %y5 : tensor<?x3xf32>
        }
        depth.yield %y4 : tensor<?x3xf32>
      }
      depth.yield %y3 : tensor<?x3xf32>
    }
    depth.yield %y2 : tensor<?x3xf32>
  }
  return %y1 : tensor<?x3xf32>
}
