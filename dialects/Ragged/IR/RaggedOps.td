//===-- dialects/Ragged/IR/RaggedOps.td - The ragged dialect --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_OPS_TD
#define CAMBIUM_RAGGED_OPS_TD

include "cambium/Interfaces/CarryingOpInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ragged_Dialect : Dialect {
  let name = "ragged";
  let summary = "Ops that cross rows, and the recursion over levels.";
  let description = [{
    The form of a program over all rows of a batch (docs/Design.md). Tensors are
    flat: one row per real row. A `!ragged.rows` says how rows belong together,
    a `!ragged.forest` holds the level-ordered nodes of all trees. Arrays "in
    level order" are indexed by the forest's nodes or edges, others by the
    user's rows. Internal: made by ragged batching, lowered to linalg.
  }];
  let cppNamespace = "::cambium::ragged";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let hasCanonicalizer = 1;
}

class Ragged_Type<string name, string typeMnemonic> : TypeDef<Ragged_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Ragged_RowsType : Ragged_Type<"Rows", "rows"> {
  let summary = "A partition of rows into consecutive segments.";
  let description = [{
    `n + 1` offsets for `n` segments. The first offset need not be 0: inside
    `ragged.levels` a partition is a window of the forest's edges; row indices
    are counted from the first offset.

    ```mlir
    func.func @num_tokens(%tokens: !ragged.rows) -> index {
      %n = ragged.num_rows %tokens
      return %n : index
    }
    ```
  }];
}

def Ragged_ForestType : Ragged_Type<"Forest", "forest"> {
  let summary = "The nodes and edges of all trees of a batch, by level.";
  let description = [{
    See `cambium_abi_forest_t` in `runtime/include/cambium/abi.h`.

    ```mlir
    func.func @num_leaves(%trees: !ragged.forest) -> index {
      %n = ragged.num_nodes %trees leaves
      return %n : index
    }
    ```
  }];
}

class Ragged_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ragged_Dialect, mnemonic, traits>;
class Ragged_PureOp<string mnemonic, list<Trait> traits = []>
    : Ragged_Op<mnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])>;

def Ragged_AnyTensor : RankedTensorOf<[F32, F64, I32, I64, I1]>;
def Ragged_FloatTensor : RankedTensorOf<[F32, F64]>;
def Ragged_IdTensor : RankedTensorOf<[I32]>;
def Ragged_KeyTensor : RankedTensorOf<[I64]>;

// Where the rows of the result stand, for ops that take a `!ragged.rows`.
def Ragged_ProducesRows : NativeOpTrait<"ProducesRows"> {
  let cppNamespace = "::cambium::ragged";
}
def Ragged_ProducesSegments : NativeOpTrait<"ProducesSegments"> {
  let cppNamespace = "::cambium::ragged";
}

class Ragged_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::cambium::ragged";
  let genSpecializedAttr = 0;
}
class Ragged_EnumAttr<I32EnumAttr e, string m, string example>
    : EnumAttr<Ragged_Dialect, e, m> {
  let assemblyFormat = "$value";
  let summary = e.summary # ".";
  let description = "One of the keywords of the enumeration, as in\n"
                    "```mlir\n" # example # "\n```";
}

def Ragged_ReduceKind : Ragged_Enum<"ReduceKind", "how rows are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">]>;
def Ragged_ReduceKindAttr : Ragged_EnumAttr<Ragged_ReduceKind, "reduce_kind",
    "%y = ragged.reduce sum %x, %rows : tensor<?x150xf32>">;

def Ragged_Part : Ragged_Enum<"Part", "which rows of a forest", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Leaves", 1, "leaves">,
    I32EnumAttrCase<"Inner", 2, "inner">]>;
def Ragged_PartAttr : Ragged_EnumAttr<Ragged_Part, "part",
    "%n = ragged.num_nodes %forest leaves">;

def Ragged_Direction : Ragged_Enum<"Direction", "direction of a recursion", [
    I32EnumAttrCase<"Up", 0, "up">, I32EnumAttrCase<"Down", 1, "down">]>;
def Ragged_DirectionAttr : Ragged_EnumAttr<Ragged_Direction, "direction", [{
%m = ragged.levels down all %forest nodes(%x : tensor<?x150xf32>)
       num_recurrent 1 num_node_yields 0 -> (tensor<?x150xf32>) {
^bb0(%e: !ragged.rows, %xl: tensor<?x150xf32>, %from_parents: tensor<?x150xf32>):
  %s = arith.addf %xl, %from_parents : tensor<?x150xf32>
  %y = ragged.expand %s, %e : tensor<?x150xf32>
  ragged.yield %y : tensor<?x150xf32>
}
}]>;

def Ragged_Order : Ragged_Enum<"Order", "row order of a permutation or an index", [
    I32EnumAttrCase<"NodesToLevels", 0, "nodes_to_levels">,
    I32EnumAttrCase<"NodesToUser", 1, "nodes_to_user">,
    I32EnumAttrCase<"EdgesToLevels", 2, "edges_to_levels">,
    I32EnumAttrCase<"EdgesToUser", 3, "edges_to_user">]>;
def Ragged_OrderAttr : Ragged_EnumAttr<Ragged_Order, "order",
    "%y = ragged.permute %x, %forest edges_to_user : tensor<?x300xf32>">;

def Ragged_Index : Ragged_Enum<"Index", "an index array of a forest", [
    I32EnumAttrCase<"Children", 0, "children">,
    I32EnumAttrCase<"Parents", 1, "parents">,
    I32EnumAttrCase<"Roots", 2, "roots">,
    I32EnumAttrCase<"Rows", 3, "rows">]>;
def Ragged_IndexAttr : Ragged_EnumAttr<Ragged_Index, "index",
    "%r = ragged.index %forest roots : tensor<?xi32>">;

//===----------------------------------------------------------------------===//
// Row counts and partitions
//===----------------------------------------------------------------------===//

def Ragged_NumRowsOp : Ragged_Op<"num_rows", [Pure]> {
  let summary = "The number of rows of a partition.";
  let description = [{
    ```mlir
    %n = ragged.num_rows %rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_NumSegmentsOp : Ragged_Op<"num_segments", [Pure]> {
  let summary = "The number of segments of a partition.";
  let description = [{
    ```mlir
    %n = ragged.num_segments %rows
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows);
  let results = (outs Index:$result);
  let assemblyFormat = "$rows attr-dict";
}

def Ragged_NumNodesOp : Ragged_Op<"num_nodes", [Pure]> {
  let summary = "The number of nodes of a part of a forest.";
  let description = [{
    ```mlir
    %n = ragged.num_nodes %forest inner
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Index:$result);
  let assemblyFormat = "$forest $part attr-dict";
}

def Ragged_EdgesOp : Ragged_Op<"edges", [Pure]> {
  let summary = "The edges of a part of a forest, grouped by parent.";
  let description = [{
    For `inner` (and `all`) every edge; for `leaves` no edge, but one segment per
    leaf.

    ```mlir
    %e = ragged.edges %forest inner
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$forest $part attr-dict";
}

def Ragged_WindowOp : Ragged_Op<"window", [Pure]> {
  let summary = "The edges of a range of nodes of a forest, grouped by parent.";
  let description = [{
    One segment per node in `[begin, end)`, counted in level order. What the
    partition of `ragged.levels` becomes when the loop is lowered.

    ```mlir
    %e = ragged.window %forest, %begin, %end
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Index:$begin, Index:$end);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$forest `,` $begin `,` $end attr-dict";
}

def Ragged_IndexOp : Ragged_PureOp<"index"> {
  let summary = "An index array of a forest, for ragged.gather.";
  let description = [{
    `children`, `parents`: the node at either end of each edge, edges in level
    order. `roots`: the root of each tree. `rows`: the user's row of each node.

    ```mlir
    %c = ragged.index %forest children : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_ForestType:$forest, Ragged_IndexAttr:$which);
  let results = (outs Ragged_IdTensor:$result);
  let assemblyFormat = "$forest $which attr-dict `:` type($result)";
}

def Ragged_ChainOp : Ragged_Op<"chain", [Pure]> {
  let summary = "The forest of unary trees over the segments of a partition.";
  let description = [{
    ```mlir
    %f = ragged.chain %tokens reversed
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, UnitAttr:$reversed);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$rows (`reversed` $reversed^)? attr-dict";
}

def Ragged_FromParentsOp : Ragged_Op<"from_parents", [Pure]> {
  let summary = "The forest given by the parent of each row within its segment.";
  let description = [{
    An invalid structure makes the call fail; so does a node with more than
    `arity` children, where one is given.

    ```mlir
    %f = ragged.from_parents %tokens, %parents : tensor<?xi32>
    %b = ragged.from_parents %tokens, %parents arity 2 : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_RowsType:$rows, Ragged_IdTensor:$parents,
                       OptionalAttr<I32Attr>:$arity);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = [{
    $rows `,` $parents (`arity` $arity^)? attr-dict `:` type($parents)
  }];
}

//===----------------------------------------------------------------------===//
// Ops that cross rows
//===----------------------------------------------------------------------===//

def Ragged_BroadcastOp : Ragged_Op<"broadcast", [Pure]> {
  let summary = "The same value for each of a number of rows.";
  let description = [{
    ```mlir
    %y = ragged.broadcast %b, %n : tensor<150xf32> -> tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Index:$count);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $count attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Ragged_ExpandOp : Ragged_PureOp<"expand", [Ragged_ProducesRows]> {
  let summary = "The value of a segment for each of its rows.";
  let description = [{
    ```mlir
    %y = ragged.expand %x, %rows : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_ReduceOp : Ragged_PureOp<"reduce", [Ragged_ProducesSegments]> {
  let summary = "Sum, mean or maximum of the rows of each segment.";
  let description = [{
    0 for a segment without rows.

    ```mlir
    %y = ragged.reduce sum %x, %rows : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_ReduceKindAttr:$kind, Ragged_FloatTensor:$input,
                       Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$kind $input `,` $rows attr-dict `:` type($input)";
}

def Ragged_MaxGradOp : Ragged_PureOp<"max_grad", [Ragged_ProducesRows]> {
  let summary = "Sends the value of a segment to the first of its greatest rows.";
  let description = [{
    For each segment and element: `dy` at the first row in which `input` is
    greatest, 0 at the others. The gradient of `ragged.reduce max`.

    ```mlir
    %dx = ragged.max_grad %x, %dy, %rows : tensor<?x150xf32>, tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_FloatTensor:$dy,
                       Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $dy `,` $rows attr-dict `:` type($input) `,` type($dy)";
}

def Ragged_SoftmaxOp : Ragged_PureOp<"softmax", [Ragged_ProducesRows]> {
  let summary = "Softmax over the rows of each segment.";
  let description = [{
    ```mlir
    %y = ragged.softmax %x, %rows : tensor<?xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_PermuteOp : Ragged_PureOp<"permute"> {
  let summary = "Rows of nodes or edges from the user's order to level order, or back.";
  let description = [{
    ```mlir
    %y = ragged.permute %x, %forest nodes_to_levels : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_ForestType:$forest, Ragged_OrderAttr:$order);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $forest $order attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Ragged_PartOp : Ragged_PureOp<"part"> {
  let summary = "The rows of the leaves, or of the other nodes, of a node array.";
  let description = [{
    ```mlir
    %y = ragged.part %x, %forest leaves : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $forest $part attr-dict `:` type($input)";
  let hasFolder = 1;
}

def Ragged_JoinOp : Ragged_PureOp<"join", [AllTypesMatch<["leaves", "inner"]>]> {
  let summary = "A node array from the rows of the leaves and of the other nodes.";
  let description = [{
    ```mlir
    %y = ragged.join %leaves, %inner, %forest : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$leaves, Ragged_AnyTensor:$inner,
                       Ragged_ForestType:$forest);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$leaves `,` $inner `,` $forest attr-dict `:` type($leaves)";
}

def Ragged_ToSlotsOp : Ragged_PureOp<"to_slots", [Ragged_ProducesSegments]> {
  let summary = "The rows of each segment side by side, filled up with zeros.";
  let description = [{
    Row `s` of the result holds the `arity` first rows of segment `s`.

    ```mlir
    %y = ragged.to_slots %x, %rows arity 2 : tensor<?x150xf32>
    ```
    gives `tensor<?x2x150xf32>`.
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows, I64Attr:$arity);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows `arity` $arity attr-dict `:` type($input)";
}

def Ragged_FromSlotsOp : Ragged_PureOp<"from_slots", [Ragged_ProducesRows]> {
  let summary = "The rows of each segment, taken out of its slots.";
  let description = [{
    The inverse of `ragged.to_slots`, without the filling.

    ```mlir
    %y = ragged.from_slots %x, %rows : tensor<?x2x150xf32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_SumParentsOp : Ragged_PureOp<"sum_parents"> {
  let summary = "For nodes, the sum of the rows of the edges to their parents.";
  let description = [{
    Edges in level order, summed in ascending order.

    ```mlir
    %y = ragged.sum_parents %messages, %forest leaves : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Ragged_FloatTensor:$input, Ragged_ForestType:$forest, Ragged_PartAttr:$part);
  let results = (outs Ragged_FloatTensor:$result);
  let assemblyFormat = "$input `,` $forest $part attr-dict `:` type($input)";
}

//===----------------------------------------------------------------------===//
// Random keys
//===----------------------------------------------------------------------===//

def Ragged_KeysOp : Ragged_PureOp<"keys", [Ragged_ProducesRows]> {
  let summary = "The random keys of rows, from those of their segments.";
  let description = [{
    `mix(key[s], i)` for the i-th row of segment `s` (docs/Design.md).

    ```mlir
    %k = ragged.keys %example_keys, %rows : tensor<?xi64>
    ```
  }];
  let arguments = (ins Ragged_KeyTensor:$input, Ragged_RowsType:$rows);
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "$input `,` $rows attr-dict `:` type($input)";
}

def Ragged_MixKeysOp : Ragged_PureOp<"mix_keys"> {
  let summary = "The random keys of what is repeated.";
  let description = [{
    `mix(key[i], number[i])` for each row (docs/Design.md): a key for each iteration of
    a row, say.

    ```mlir
    %k = ragged.mix_keys %keys, %iterations : tensor<?xi64>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_KeyTensor:$input, Ragged_IdTensor:$numbers);
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "$input `,` $numbers attr-dict `:` type(operands)";
}

def Ragged_ExampleKeysOp : Ragged_Op<"example_keys", [Pure]> {
  let summary = "The random key of each example of the call.";
  let description = [{
    ```mlir
    %k = ragged.example_keys : tensor<?xi64>
    ```
  }];
  let results = (outs Ragged_KeyTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Recursion
//===----------------------------------------------------------------------===//

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
    there are of the first two kinds. A derivative keeps no other rows of the levels
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
    I64Attr:$num_recurrent, I64Attr:$num_node_yields, UnitAttr:$rematerialize);
  let results = (outs Variadic<Ragged_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $direction $part $forest
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
    "bool":$rematerialize, "::mlir::Region &":$body)>];
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

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

def Ragged_AccumulateOp : Ragged_Op<"accumulate"> {
  let summary = "Adds to the gradient of a parameter.";
  let description = [{
    With a number, to a slice of the gradient of a stacked parameter.

    ```mlir
    nn.param @W : tensor<300x150xf32>
    nn.param @V : tensor<12x300x150xf32>
    func.func @add(%dW: tensor<300x150xf32>, %t: index) {
      ragged.accumulate @W, %dW : tensor<300x150xf32>
      ragged.accumulate @V slice %t, %dW : tensor<300x150xf32>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Arg<Ragged_FloatTensor, "gradient">:$gradient,
                       Optional<Index>:$number);
  let assemblyFormat = [{
    $param (`slice` $number^)? `,` $gradient attr-dict `:` type($gradient)
  }];
}

def Ragged_AccumulateRowsOp : Ragged_Op<"accumulate_rows"> {
  let summary = "Adds rows to the rows of the gradient of a parameter.";
  let description = [{
    `gradient[ids[i]] += rows[i]`, in the order of `i`, but for ids equal to
    `padding_id`; the rows are marked as touched. The parameter is row-sparse.

    ```mlir
    ragged.accumulate_rows @E, %ids, %rows : tensor<?xi32>, tensor<?x300xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Ragged_IdTensor:$ids,
                       Ragged_FloatTensor:$rows, OptionalAttr<I64Attr>:$padding_id);
  let assemblyFormat = [{
    $param `,` $ids `,` $rows (`padding_id` $padding_id^)? attr-dict
    `:` type($ids) `,` type($rows)
  }];
}

include "dialects/Ragged/IR/AttentionOps.td"
include "dialects/Ragged/IR/RowOps.td"
include "dialects/Ragged/IR/IterateOps.td"
include "dialects/Ragged/IR/SliceOps.td"

#endif // CAMBIUM_RAGGED_OPS_TD
