//===-- dialects/Ragged/IR/LevelsOp.td - The recursion over levels -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_LEVELS_OP_TD
#define CAMBIUM_RAGGED_LEVELS_OP_TD

include "cambium/Interfaces/CarryingOpInterface.td"
include "dialects/Ragged/IR/RaggedBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Ragged_LevelsOp : Ragged_Op<"levels", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<CarryingOpInterface>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "A loop over the levels of a forest.";
  let description = [{
    The region is executed once per level of `part` (`all`, or `inner`: all but
    the leaves), `up` from the leaves or `down` from the highest level.

    Operands: `nodes` are arrays over the nodes of `part`, `edges` arrays over
    all edges, in level order; `base` (only `up inner`, one per state) are the
    states of the leaves. `shared` are arrays of any kind that the levels pass on,
    one to the next.

    Region arguments, in this order:
    - a `!ragged.rows`: the level's edges to children, grouped by node;
    - the level's rows of each `nodes` operand;
    - the level's rows of each `edges` operand;
    - one value per recurrent value: `up`, the state of the child of each of the
      level's edges; `down`, for each of the level's nodes the sum of the
      messages on its edges to parents;
    - the `shared` arrays.

    `ragged.yield` gives, in this order, the recurrent values (`up`: a state per
    node; `down`: a message per edge to a child), further rows per node, further
    rows per edge, and the `shared` arrays. `num_recurrent` and `num_node_yields` say how many
    there are of the first two kinds. With `cuts` the edges of a `ragged.chart` are taken
    two by two: "edge" then means a cut, and what is passed along it has two rows, one
    for each side (`?x2x...`). A derivative keeps no other rows of the levels
    with `rematerialize`, but computes them again.

    Results: for `up` the states of *all* nodes (for `inner`, the `base` comes
    first), for `down` the messages of all edges; then arrays over the nodes of
    `part`, arrays over all edges, and what the last level yields as `shared`.

    ```mlir
    %h = ragged.levels up inner %forest nodes(%x : tensor<?x150xf32>)
           base(%h0 : tensor<?x150xf32>) num_recurrent 1 num_node_yields 0
           -> (tensor<?x150xf32>) {
    ^bb0(%edges: !ragged.rows, %xl: tensor<?x150xf32>, %hk: tensor<?x150xf32>):
      %s = ragged.reduce sum %hk, %edges : tensor<?x150xf32>
      %y = arith.addf %s, %xl : tensor<?x150xf32>
      ragged.yield %y : tensor<?x150xf32>
    }
    ```
  }];
  let arguments = (ins
    Ragged_DirectionAttr:$direction, Ragged_PartAttr:$part, Ragged_ForestType:$forest,
    Variadic<Ragged_AnyTensor>:$nodes, Variadic<Ragged_AnyTensor>:$edges,
    Variadic<Ragged_AnyTensor>:$base, Variadic<Ragged_AnyTensor>:$shared,
    I64Attr:$num_recurrent, I64Attr:$num_node_yields, UnitAttr:$rematerialize,
    UnitAttr:$cuts);
  let results = (outs Variadic<Ragged_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $direction $part $forest (`cuts` $cuts^)?
    (`nodes` `(` $nodes^ `:` type($nodes) `)`)?
    (`edges` `(` $edges^ `:` type($edges) `)`)?
    (`base` `(` $base^ `:` type($base) `)`)?
    (`shared` `(` $shared^ `:` type($shared) `)`)?
    `num_recurrent` $num_recurrent `num_node_yields` $num_node_yields
    (`rematerialize` $rematerialize^)? attr-dict `->` `(` type($results) `)` $body
  }];
  // Takes the body, and gives it its terminator.
  let builders = [OpBuilder<(ins
    "Direction":$direction, "Part":$part, "::mlir::Value":$forest,
    "const LevelsInputs &":$inputs, "const LevelsYields &":$yields,
    "bool":$rematerialize, "bool":$cuts, "::mlir::Region &":$body)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getEdgesArg() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getNodeArgs();
    ::mlir::Block::BlockArgListType getEdgeArgs();
    ::mlir::Block::BlockArgListType getRecurrentArgs();
    ::mlir::Block::BlockArgListType getSharedArgs();
    /// Results and yields come in the same order: recurrent, node, edge, shared.
    ::mlir::ResultRange getRecurrentResults();
    ::mlir::ResultRange getNodeResults();
    ::mlir::ResultRange getEdgeResults();
    ::mlir::ResultRange getSharedResults();
    YieldOp getYield();
    /// Values by kind that stand in the order of the results.
    LevelsYields byKind(::mlir::ValueRange values);
    LevelsYields getYields();
    LevelsInputs getInputs();
    /// Of an argument that holds rows of a node or edge array, the array; else
    /// null.
    ::mlir::Value getArrayOf(::mlir::Value arg);
    /// The use as a node array: the argument for its rows; null if it is none.
    ::mlir::BlockArgument getNodeArgOf(::mlir::OpOperand &use);
    /// One more array, behind the others of its kind; gives its argument.
    ::mlir::BlockArgument addNodes(::mlir::Value array);
    ::mlir::BlockArgument addEdges(::mlir::Value array);
    /// Drops the node array of an argument that nobody reads.
    void eraseNodes(::mlir::BlockArgument arg);
  }];
}

def Ragged_YieldOp : Ragged_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["LevelsOp", "IterateOp", "RepeatOp"]>]> {
  let summary = "The rows that a level or an iteration computes.";
  let description = [{
    ```mlir
    %a, %b = ragged.levels up all %forest nodes(%x : tensor<?x150xf32>)
           num_recurrent 1 num_node_yields 1
           -> (tensor<?x150xf32>, tensor<?x150xf32>) {
    ^bb0(%edges: !ragged.rows, %xl: tensor<?x150xf32>, %hk: tensor<?x150xf32>):
      %s = ragged.reduce sum %hk, %edges : tensor<?x150xf32>
      %h = arith.addf %s, %xl : tensor<?x150xf32>
      ragged.yield %h, %s : tensor<?x150xf32>, tensor<?x150xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Ragged_AnyTensor>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // CAMBIUM_RAGGED_LEVELS_OP_TD
