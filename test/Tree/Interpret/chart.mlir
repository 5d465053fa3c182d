/// log Z, marginals and the best tree are those of all binary trees over up to 8 words,
/// which are enumerated; compiled code gives what the interpreter gives.
// RUN: %limit python3 %S/Inputs/check-spans %s | FileCheck %s
// RUN: %limit cambium-compile %s -o %t.so
// RUN: %limit cambium-compare %s %t.so --all --nodes=8 --seed=5 | FileCheck %s --check-prefix=SAME
// CHECK: as all trees say: 10 sentences
// SAME-NOT: DIFFERENT
// SAME-DAG: equal: log_z.out0
// SAME-DAG: equal: marginals.out0
// SAME-DAG: equal: best.out0
// SAME-DAG: equal: best_spans.out0
// SAME-NOT: DIFFERENT
!scores = tensor<?x8xf32>
!ids = tensor<?xi32>
!n = tensor<f32>
!two = tensor<?x2xf32>

func.func private @ofSpans(%s: !scores, %i: !ids, %j: !ids) -> tensor<?xf32> {
  %rows = nn.take %s, %i : !scores, !ids
  %y = nn.pick %rows, %j : !scores, !ids
  return %y : tensor<?xf32>
}

func.func @log_z(%s: !scores {cambium.name = "scores"}) -> !n {
  %t, %i, %j = tree.chart %s : !scores
  %w = func.call @ofSpans(%s, %i, %j) : (!scores, !ids, !ids) -> tensor<?xf32>
  %z = tree.fold %t nodes(%wj = %w : !n) children(%zk : !two) -> (!n) {
    %both = nn.sum %zk over 1 : !two
    %l = nn.log_sum_exp %both over 0 : tensor<?xf32>
    %zj = arith.addf %l, %wj : !n
    tree.yield %zj : !n
  } leaf {
    tree.yield %wj : !n
  }
  %r = tree.root %t, %z : tensor<?xf32>
  return %r : !n
}

func.func @best(%s: !scores {cambium.name = "scores"}) -> !n {
  %t, %i, %j = tree.chart %s : !scores
  %w = func.call @ofSpans(%s, %i, %j) : (!scores, !ids, !ids) -> tensor<?xf32>
  %z = tree.fold %t nodes(%wj = %w : !n) children(%zk : !two) -> (!n) {
    %both = nn.sum %zk over 1 : !two
    %l = nn.max %both over 0 : tensor<?xf32>
    %zj = arith.addf %l, %wj : !n
    tree.yield %zj : !n
  } leaf {
    tree.yield %wj : !n
  }
  %r = tree.root %t, %z : tensor<?xf32>
  return %r : !n
}

func.func @marginals(%s: !scores {cambium.name = "scores"}) -> !scores {
  %z = func.call @log_z(%s) : (!scores) -> !n
  %g = train.gradient %z wrt %s : !n, !scores
  return %g : !scores
}

func.func @best_spans(%s: !scores {cambium.name = "scores"}) -> !scores {
  %b = func.call @best(%s) : (!scores) -> !n
  %g = train.gradient %b wrt %s : !n, !scores
  return %g : !scores
}
