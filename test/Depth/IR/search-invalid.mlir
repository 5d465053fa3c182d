//===-- test/Depth/IR/search-invalid.mlir - One case per error of a search ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @none(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C1]
  // expected-error @below {{'depth.search' op expected a number of hypotheses in [1, 2^31), but got 0}}
  %w, %n, %s = depth.search beam 0 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @no_words(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C1]
  // expected-error @below {{expected a number of words in [1, 2^31), but got -1}}
  %w, %n, %s = depth.search beam 2 max -1 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @among_none(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C1]
  // expected-error @below {{expected a number of words to draw among in [1, 2^31), but got 0}}
  %w, %n, %s = depth.search sample 2 among 0 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @among_beam(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C2]
  // expected-error @below {{'depth.search' op expected 'among' with 'sample' alone}}
  %w, %n, %s = depth.search beam 2 among 3 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @penalty(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C2]
  // expected-error @below {{expected 'length_penalty' with 'beam' alone: what is drawn is not compared}}
  %w, %n, %s = depth.search sample 2 length_penalty 1.0 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @penalty_nan(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C13]
  // expected-error @below {{'depth.search' op expected a finite 'length_penalty', but got nan}}
  %w, %n, %s = depth.search beam 2 length_penalty 0x7FF8000000000000 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @carried(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>, %x: tensor<3xf32>) {
  // [DEPTH-SEARCH-C6]
  // expected-error @below {{'depth.search' op expected to yield a score for each word and the next values ('tensor<?xWORDSxf32>', 'tensor<?x3xf32>'), but got ('tensor<?x9xf32>')}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %e carried(%h = %x : tensor<3xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // expected-note @below {{it is yielded here}}
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @scores(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C6]
  // expected-error @below {{expected to yield a score for each word and the next values ('tensor<?xWORDSxf32>'), but got ('tensor<?xf32>')}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    %q = nn.sum %p over 1 : tensor<?x9xf32>
    // expected-note @below {{it is yielded here}}
    depth.yield %q : tensor<?xf32>
  }
  return
}

// -----

func.func @many(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C9]
  // expected-error @below {{expected between 1 and 7 words, but got 9}}
  %w, %n, %s = depth.search beam 300000000 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @two_words(%b: tensor<2xi32>, %e: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C3]
  // expected-error @below {{'depth.search' op expected one word, 'tensor<i32>', to begin and to end with, but got 'tensor<2xi32>'}}
  %w, %n, %s = "depth.search"(%b, %e) <{count = 2 : i64, max = 4 : i64}> ({
  ^bb0(%last: tensor<?xi32>):
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }) : (tensor<2xi32>, tensor<i32>) -> (tensor<2x4xi32>, tensor<2xi32>, tensor<2xf32>)
  return
}

// -----

func.func @rows(%b: tensor<i32>, %e: tensor<i32>, %T: tensor<9x9xf32>, %x: tensor<?x3xf32>) {
  // [DEPTH-SEARCH-C4]
  // expected-error @below {{expected carried values of the example, of static shape, but got 'tensor<?x3xf32>'}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %e carried(%h = %x : tensor<?x3xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @carried_rows(%b: tensor<i32>, %T: tensor<9x9xf32>, %x: tensor<?xf32>) {
  // [DEPTH-SEARCH-C4]
  // expected-error @below {{'depth.search' op expected carried values of the example, of static shape, but got 'tensor<?xf32>'}}
  %w, %n, %s = "depth.search"(%b, %b, %x) <{count = 2 : i64, max = 4 : i64}> ({
  ^bb0(%last: tensor<?xi32>, %h: tensor<?xf32>):
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p, %h : tensor<?x9xf32>, tensor<?xf32>
  }) : (tensor<i32>, tensor<i32>, tensor<?xf32>) -> (tensor<2x4xi32>, tensor<2xi32>, tensor<2xf32>)
  return
}

// -----

func.func @arguments(%b: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C5]
  // expected-error @below {{'depth.search' op expected region arguments of types ('tensor<?xi32>'), but got ('tensor<i32>')}}
  %w, %n, %s = "depth.search"(%b, %b) <{count = 2 : i64, max = 4 : i64}> ({
  ^bb0(%last: tensor<i32>):
    depth.yield %T : tensor<9x9xf32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<2x4xi32>, tensor<2xi32>, tensor<2xf32>)
  return
}

// -----

func.func @effect(%b: tensor<i32>, %T: tensor<9x9xf32>, %memory: memref<f32>, %v: f32) {
  // [DEPTH-SEARCH-C7]
  // expected-error @below {{'depth.search' op expected a body without side effects: it is computed for the rows that go on, and an unknown number of times}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %b next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // expected-note @below {{this op has one}}
    memref.store %v, %memory[] : memref<f32>
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @no_yield(%b: tensor<i32>) {
  // [DEPTH-SEARCH-C8]
  // expected-error @below {{expected to yield a score for each word and the next values ('tensor<?xWORDSxf32>'), but got ()}}
  // expected-note @below {{it is yielded here}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %b next(%last : tensor<?xi32>) {
  }
  return
}

// -----

func.func @results(%b: tensor<i32>, %T: tensor<9x9xf32>) {
  // expected-error @below {{'depth.search' op expected results of types ('tensor<2x4xi32>', 'tensor<2xi32>', 'tensor<2xf32>'), but got ('tensor<2x5xi32>', 'tensor<2xi32>', 'tensor<2xf32>')}}
  %w, %n, %s = "depth.search"(%b, %b) <{count = 2 : i64, max = 4 : i64}> ({
  ^bb0(%last: tensor<?xi32>):
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p : tensor<?x9xf32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<2x5xi32>, tensor<2xi32>, tensor<2xf32>)
  return
}

// -----

func.func @form(%b: tensor<i32>, %T: tensor<9x9xf32>) {
  // expected-error @below {{expected 'beam' or 'sample'}}
  %w, %n, %s = depth.search greedy max 4 begin %b end %b next(%last : tensor<?xi32>) {
  }
  return
}

// -----

func.func @grown_vectors(%b: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C11]
  // expected-error @below {{'depth.search' op expected rows of each hypothesis to grow, 'tensor<?x?x...>', but got 'tensor<?x3xf32>'}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %b grows(%g : tensor<?x3xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    depth.yield %p, %g : tensor<?x9xf32>, tensor<?x3xf32>
  }
  return
}

// -----

func.func @grown_unyielded(%b: tensor<i32>, %T: tensor<9x9xf32>) {
  // [DEPTH-SEARCH-C6]
  // expected-error @below {{expected to yield a score for each word and the next values ('tensor<?xWORDSxf32>', 'tensor<?x?x3xf32>'), but got ('tensor<?x9xf32>')}}
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %b grows(%g : tensor<?x?x3xf32>) next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<9x9xf32>
    // expected-note @below {{it is yielded here}}
    depth.yield %p : tensor<?x9xf32>
  }
  return
}

// -----

func.func @append_rows(%g: tensor<?x3xf32>, %x: tensor<?x3xf32>) {
  // [DEPTH-APPEND-C1]
  // expected-error @below {{'depth.append' op expected rows that have rows, 'tensor<?x?x...>', and one more for each, but got 'tensor<?x3xf32>' and 'tensor<?x3xf32>'}}
  %y = depth.append %g, %x : tensor<?x3xf32>, tensor<?x3xf32>
  return
}

// -----

func.func @append_other(%g: tensor<?x?x3xf32>, %x: tensor<?x4xf32>) {
  // [DEPTH-APPEND-C1]
  // expected-error @below {{and one more for each, but got 'tensor<?x?x3xf32>' and 'tensor<?x4xf32>'}}
  %y = depth.append %g, %x : tensor<?x?x3xf32>, tensor<?x4xf32>
  return
}
