//===-- MaxSpanning.cpp - The meaning of trees that are chosen -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chu and Liu (1965), Edmonds (1967), growing one path (Gabow et al. 1986). The
// path follows, from child to parent, the best edge into its last row. Where it
// reaches a finished row or the root it is finished. Where it reaches itself
// the cycle becomes one node, whose edges are worth what they are more than
// that of the cycle which they would replace. In the end cycles are opened from
// the last one to the first, where the edge into them ends. About n^2 steps.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Interpret/Models.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

namespace {
/// What an edge is worth: first its level, then its score. An edge whose score
/// is minus infinity or no number is a level below the others, that to the root
/// below all that there can be, so that there is one.
struct Weight {
  int64_t level;
  double score;

  bool isGreater(Weight other) const {
    return level > other.level || (level == other.level && score > other.score);
  }
};

/// An edge between nodes that stands for one between rows.
struct Edge {
  Weight weight;
  int64_t row, parent;
};

class SpanningTree {
public:
  explicit SpanningTree(int64_t count)
      : count(count), edges(count * count), status(count, Status::New),
        node(count), above(2 * count), chosen(2 * count), next(count) {
    std::iota(node.begin(), node.end(), 0);
  }

  void setScore(int64_t row, int64_t parent, double score, double greatest) {
    bool isNumber = score > -std::numeric_limits<double>::infinity();
    Weight weight{isNumber ? 0 : -1, isNumber ? std::min(score, greatest) : 0};
    if (row == parent)
      weight.level -= count + 1;
    edge(row, parent) = {weight, row, parent};
  }

  /// The parent of each row, -1 for the root.
  std::vector<int64_t> build() {
    for (int64_t start = 0; start < count; ++start) {
      if (status[start] == Status::New)
        push(start);
      while (!path.empty())
        follow(path.back());
    }
    return expand();
  }

private:
  /// What is known of a row: nothing, it stands on the path, it is finished,
  /// another row stands for it.
  enum class Status { New, OnPath, Done, Gone };

  Edge &edge(int64_t row, int64_t parent) {
    return edges[row * count + parent];
  }
  void push(int64_t row) {
    status[row] = Status::OnPath;
    path.push_back(row);
  }

  void follow(int64_t v) {
    int64_t best = v;
    for (int64_t u = 0; u < count; ++u)
      if (u != v && status[u] != Status::Gone &&
          edge(v, u).weight.isGreater(edge(v, best).weight))
        best = u;
    chosen[node[v]] = edge(v, best);
    if (best != v && status[best] == Status::New)
      return push(best);
    if (best != v && status[best] == Status::OnPath)
      return contract(best);
    for (int64_t row : path)
      status[row] = Status::Done;
    path.clear();
  }

  /// The rows of the path from `first` on are a cycle: `first` stands for them.
  void contract(int64_t first) {
    auto begin = llvm::find(path, first);
    std::vector<int64_t> cycle(begin, path.end());
    path.erase(begin + 1, path.end());
    for (auto [i, m] : llvm::enumerate(cycle)) {
      Weight kept = edge(m, cycle[(i + 1) % cycle.size()]).weight;
      for (int64_t x = 0; x < count; ++x) {
        edge(m, x).weight.level -= kept.level;
        edge(m, x).weight.score -= kept.score;
      }
      above[node[m]] = next;
      status[m] = Status::Gone;
    }
    for (int64_t m : llvm::drop_begin(cycle))
      join(first, m);
    status[first] = Status::OnPath;
    node[first] = next++;
  }

  void join(int64_t first, int64_t m) {
    takeGreater(edge(first, first), edge(m, m));
    for (int64_t x = 0; x < count; ++x) {
      if (status[x] == Status::Gone)
        continue;
      takeGreater(edge(first, x), edge(m, x));
      takeGreater(edge(x, first), edge(x, m));
    }
  }
  static void takeGreater(Edge &to, const Edge &from) {
    if (from.weight.isGreater(to.weight))
      to = from;
  }

  /// The edge that was chosen for a node, unless one into it was taken before.
  std::vector<int64_t> expand() {
    std::vector<int64_t> parents(count);
    std::vector<bool> isTaken(next);
    for (int64_t n = next - 1; n >= 0; --n) {
      if (isTaken[n])
        continue;
      const Edge &into = chosen[n];
      parents[into.row] = into.row == into.parent ? -1 : into.parent;
      for (int64_t inner = into.row; inner != n; inner = above[inner])
        isTaken[inner] = true;
    }
    return parents;
  }

  int64_t count;
  std::vector<Edge> edges;
  std::vector<Status> status;
  std::vector<int64_t> path;
  /// The node that a row stands for: rows are the first nodes, then cycles.
  std::vector<int64_t> node;
  /// The cycle of each node, and the edge that was chosen for it.
  std::vector<int64_t> above;
  std::vector<Edge> chosen;
  int64_t next;
};

struct MaxSpanningModel
    : InterpretableOpInterface::ExternalModel<MaxSpanningModel, MaxSpanningOp> {
  LogicalResult interpret(Operation *operation,
                          Interpreter &interpreter) const {
    auto op = cast<MaxSpanningOp>(operation);
    const std::vector<RuntimeValue> &rows =
        *interpreter.get(op.getScores()).rows;
    auto count = static_cast<int64_t>(rows.size());
    auto type = cast<FloatType>(op.getScores().getType().getElementType());
    double greatest =
        APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
    SpanningTree tree(count);
    for (auto [i, row] : llvm::enumerate(rows)) {
      const Tensor &scores = *row.tensor;
      if (scores.getNumRows() != count)
        // [TREE-MAX_SPANNING-C2]
        return op.emitOpError("expected a score for each pair of rows of its "
                              "example: row ")
               << i << " of " << count << " has " << scores.getNumRows();
      for (int64_t j = 0; j < count; ++j)
        tree.setScore(i, j, scores.f(j), greatest);
    }
    Tensor parents = Tensor::ints({count});
    for (auto [i, parent] : llvm::enumerate(tree.build()))
      parents.i(i) = parent;
    return interpreter.set(op.getParents(), std::move(parents));
  }
};
} // namespace

void cambium::tree::attachMaxSpanningMeaning(MLIRContext *context) {
  MaxSpanningOp::attachInterface<MaxSpanningModel>(*context);
}
