//===-- dialects/Tree/IR/TreeOps.td - The tree dialect -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TREE_OPS_TD
#define CAMBIUM_TREE_OPS_TD

include "cambium/Support/Syntax.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tree_Dialect : Dialect {
  let name = "tree";
  let summary = "Recursion over data-shaped structure.";
  let description = [{
    A cell is written for one node: its own inputs and its children's states.
    The node's place in the data is all that a user sees; how nodes are batched
    is the compiler's business.
  }];
  let cppNamespace = "::cambium::tree";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
}

def Tree_TreeType : TypeDef<Tree_Dialect, "Tree"> {
  let mnemonic = "tree";
  let summary = "A tree, or a rooted graph whose nodes may share children.";
  let description = [{
    Nodes are rows `0, ..., n-1` in the order of the user's data; the children of
    a node are ordered. Edges are rows too, grouped by parent in the order of
    the nodes, then by place among the children.

    ```mlir
    func.func private @encode(%tree: !tree.tree, %words: tensor<?xi32>)
    ```
  }];
}

class Tree_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tree_Dialect, mnemonic, traits>;

def Tree_AnyTensor : RankedTensorOf<[F32, F64, I32, I64]>;
def Tree_FloatTensor : RankedTensorOf<[F32, F64]>;
def Tree_IdTensor : RankedTensorOf<[I32]>;

//===----------------------------------------------------------------------===//
// Recursion
//===----------------------------------------------------------------------===//

// [TREE-YIELD-C4]: SingleBlockImplicitTerminator.
def Tree_FoldOp : Tree_Op<"fold", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]>, CustomSyntax<[{
  value (`nodes` `(` inputs `)`)? (`edges` `(` inputs `)`)? (`children` `(` arguments `)`)?
      `->` `(` type (`,` type)* `)` (`attributes` dictionary)? region (`leaf` region)?
  inputs ::= value `=` value `:` type (`,` value `=` value `:` type)*
  arguments ::= value `:` type (`,` value `:` type)*
}]> {
  let summary = "Bottom-up recursion: a state per node from its children's states.";
  let description = [{
    The region computes the states of one node. Its arguments are, in this
    order: the node's row of each `nodes` operand; the rows of each `edges`
    operand that belong to the edges to its children, stacked; each state of
    its children, stacked. What is stacked has as first dimension the number of
    children: `?` for any number, or a fixed arity `N`, the same for all
    stacked arguments; with fewer than `N` children the missing rows are zero.
    A node with more than `N` children is an error of the call. Where the tree is a
    `tree.chart`, children may come in pairs, the two sides of a cut: `?x2x...`. `tree.yield`
    gives the node's states; the results hold the states of all nodes, in the
    order of the user's nodes.

    The optional `leaf` region computes the states of a node without children;
    its arguments are those of the `nodes` operands alone. Without it, leaves are
    computed by the first region with no (or zero) children.

    A child that has several parents is computed once.

    ```mlir
    func.func @sums(%tree: !tree.tree, %xs: tensor<?x150xf32>) -> tensor<?x150xf32> {
      %h = tree.fold %tree nodes(%x = %xs : tensor<150xf32>)
                     children(%hk : tensor<?x150xf32>) -> (tensor<150xf32>) {
        %s = nn.sum %hk over 0 : tensor<?x150xf32>
        %hj = arith.addf %x, %s : tensor<150xf32>
        tree.yield %hj : tensor<150xf32>
      }
      return %h : tensor<?x150xf32>
    }
    ```
  }];
  let arguments = (ins Tree_TreeType:$tree, Variadic<Tree_AnyTensor>:$nodes,
                       Variadic<Tree_AnyTensor>:$edges);
  let results = (outs Variadic<Tree_FloatTensor>:$states);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$leaf);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Arguments of the body: the node's rows, the stacked edge rows, and the
    /// children's stacked states.
    ::mlir::Block::BlockArgListType getNodeArgs();
    ::mlir::Block::BlockArgListType getEdgeArgs();
    ::mlir::Block::BlockArgListType getChildArgs();
    /// Both: the arguments that have a row per child.
    ::mlir::Block::BlockArgListType getStackedArgs();
    /// Appends the arguments of the regions that an operand comes in by.
    void getArgsOf(::mlir::OpOperand &operand,
                   ::llvm::SmallVectorImpl<::mlir::Value> &args);
    /// Whether children come in pairs, the two sides of each cut of a chart.
    bool isByCuts();
    /// The fixed arity, or ShapedType::kDynamic for any number of children.
    int64_t getArity();
    /// The type of the i-th state of one node.
    ::mlir::RankedTensorType getStateType(unsigned i);
  }];
}

def Tree_UnfoldOp : Tree_Op<"unfold", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]>, CustomSyntax<[{
  value (`nodes` `(` inputs `)`)? (`parent` `(` arguments `)`)?
      `->` `(` type (`,` type)* `)` (`attributes` dictionary)? region
  inputs ::= value `=` value `:` type (`,` value `=` value `:` type)*
  arguments ::= value `:` type (`,` value `:` type)*
}]> {
  let summary = "Top-down recursion: a state per node from its parent's state.";
  let description = [{
    The region computes the states of one node from its rows of the `nodes`
    operands and its parent's states, which are zero at the root. In a graph in
    which a node has several parents, their states are summed.

    ```mlir
    func.func @depths(%tree: !tree.tree, %ones: tensor<?xf32>) -> tensor<?xf32> {
      %d = tree.unfold %tree nodes(%one = %ones : tensor<f32>)
                       parent(%p : tensor<f32>) -> (tensor<f32>) {
        %dj = arith.addf %p, %one : tensor<f32>
        tree.yield %dj : tensor<f32>
      }
      return %d : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Tree_TreeType:$tree, Variadic<Tree_AnyTensor>:$nodes);
  let results = (outs Variadic<Tree_FloatTensor>:$states);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Arguments of the body: the node's rows and its parent's states.
    ::mlir::Block::BlockArgListType getNodeArgs();
    /// Appends the arguments of the regions that an operand comes in by.
    void getArgsOf(::mlir::OpOperand &operand,
                   ::llvm::SmallVectorImpl<::mlir::Value> &args);
    ::mlir::Block::BlockArgListType getParentArgs();
    /// The type of the i-th state of one node.
    ::mlir::RankedTensorType getStateType(unsigned i);
  }];
}

// [TREE-YIELD-C3]: ParentOneOf.
def Tree_YieldOp : Tree_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["FoldOp", "UnfoldOp"]>]> {
  let summary = "The states of the node.";
  let description = [{
    ```mlir
    func.func @sum(%t: !tree.tree, %xs: tensor<?x150xf32>) -> tensor<?x150xf32> {
      %h = tree.fold %t nodes(%x = %xs : tensor<150xf32>)
                     children(%hk : tensor<?x150xf32>) -> (tensor<150xf32>) {
        %s = nn.sum %hk over 0 : tensor<?x150xf32>
        %y = arith.addf %s, %x : tensor<150xf32>
        tree.yield %y : tensor<150xf32>
      }
      return %h : tensor<?x150xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tree_FloatTensor>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Tree_ChainOp : Tree_Op<"chain", [Pure]> {
  let summary = "The rows of a sequence as a unary tree.";
  let description = [{
    Each row is a node whose child is the row before it: the last row is the
    root. `reversed`: its child is the row after it, the first row is the root.
    Only the number of rows of the operand counts.

    ```mlir
    %t = tree.chain %words : tensor<?xi32>
    %r = tree.chain %words reversed : tensor<?xi32>
    ```
  }];
  let arguments = (ins Tree_AnyTensor:$rows, UnitAttr:$reversed);
  let results = (outs Tree_TreeType:$result);
  let assemblyFormat = "$rows (`reversed` $reversed^)? attr-dict `:` type($rows)";
  let hasVerifier = 1;
}

def Tree_ChartOp : Tree_Op<"chart", [Pure, InferTypeOpAdaptor]> {
  let summary = "The spans of a sequence as a graph: the chart of a parser.";
  let description = [{
    A node for each span of rows: first the rows themselves, in order, then the spans
    of two rows by their first one, of three, and so on; the last node, the root, is the
    whole sequence. The children of a span come in pairs: for each place to cut it, from
    the left, the span before and the span behind. Only the number of rows of the operand
    counts. `first` and `last` are the first and the last row of each span. A sequence
    without rows is an error of the call.

    A span of n rows has n - 1 cuts, the chart of n rows n (n + 1) / 2 spans and
    (n^3 - n) / 6 cuts.

    The score of the best tree over the words, where that of a span is the product of
    its ends:

    ```mlir
    func.func @best(%words: tensor<?x8xf32>) -> tensor<f32> {
      %t, %i, %j = tree.chart %words : tensor<?x8xf32>
      %x = nn.take %words, %i : tensor<?x8xf32>, tensor<?xi32>
      %y = nn.take %words, %j : tensor<?x8xf32>, tensor<?xi32>
      %p = arith.mulf %x, %y : tensor<?x8xf32>
      %s = nn.sum %p over 1 : tensor<?x8xf32>
      %b = tree.fold %t nodes(%sj = %s : tensor<f32>) children(%bk : tensor<?x2xf32>) -> (tensor<f32>) {
        %both = nn.sum %bk over 1 : tensor<?x2xf32>
        %m = nn.max %both over 0 : tensor<?xf32>
        %bj = arith.addf %m, %sj : tensor<f32>
        tree.yield %bj : tensor<f32>
      } leaf {
        tree.yield %sj : tensor<f32>
      }
      %r = tree.root %t, %b : tensor<?xf32>
      return %r : tensor<f32>
    }
    ```
  }];
  let arguments = (ins Tree_AnyTensor:$rows);
  let results = (outs Tree_TreeType:$result, Tree_IdTensor:$first, Tree_IdTensor:$last);
  let assemblyFormat = "$rows attr-dict `:` type($rows)";
}

def Tree_FromParentsOp : Tree_Op<"from_parents", [Pure]> {
  let summary = "A tree from the parent of each node, computed in the model.";
  let description = [{
    Row `i` holds the parent of node `i`, -1 for the root. Children are ordered
    by their number. A cycle, several roots, or an index out of range is an
    error of the call.

    ```mlir
    %t = tree.from_parents %heads : tensor<?xi32>
    ```
  }];
  let arguments = (ins Tree_IdTensor:$parents);
  let results = (outs Tree_TreeType:$result);
  let assemblyFormat = "$parents attr-dict `:` type($parents)";
  let hasVerifier = 1;
}

def Tree_MaxSpanningOp : Tree_Op<"max_spanning", [Pure, InferTypeOpAdaptor]> {
  let summary = "The tree of greatest score over the rows, as parents.";
  let description = [{
    `scores[i, j]` is the score of row `j` as the parent of row `i`, `scores[i, i]`
    that of row `i` as the root. Among all trees with one root the result is one whose
    scores have the greatest sum (Chu and Liu 1965, Edmonds 1967): the parent of each
    row, -1 for the root. No gradient goes through the choice; the scores that were
    chosen have one.

    ```mlir
    %p = tree.max_spanning %scores : tensor<?x?xf32>
    %t = tree.from_parents %p : tensor<?xi32>
    ```
  }];
  let arguments = (ins Tree_FloatTensor:$scores);
  let results = (outs Tree_IdTensor:$parents);
  let assemblyFormat = "$scores attr-dict `:` type($scores)";
}

def Tree_RootOp : Tree_Op<"root", [Pure, InferTypeOpAdaptor]> {
  let summary = "The row of the root.";
  let description = [{
    ```mlir
    %r = tree.root %tree, %h : tensor<?x150xf32>
    ```
  }];
  let arguments = (ins Tree_TreeType:$tree, Tree_AnyTensor:$rows);
  let results = (outs Tree_AnyTensor:$result);
  let assemblyFormat = "$tree `,` $rows attr-dict `:` type($rows)";
}

def Tree_ChildRowsOp : Tree_Op<"child_rows", [Pure, InferTypeOpAdaptor]> {
  let summary = "Rows of nodes as rows of the edges that lead to them.";
  let description = [{
    Row `e` of the result is the row of the child of edge `e`: what is known per
    node becomes an `edges` operand of `tree.fold`.

    ```mlir
    %w = tree.child_rows %tree, %alpha : tensor<?xf32>
    ```
  }];
  let arguments = (ins Tree_TreeType:$tree, Tree_AnyTensor:$rows);
  let results = (outs Tree_AnyTensor:$result);
  let assemblyFormat = "$tree `,` $rows attr-dict `:` type($rows)";
}

def Tree_NoRowsOp : Tree_Op<"no_rows", [Pure]> {
  let summary = "A tensor of no rows.";
  let description = [{
    What a leaf sees of its children. `tree-specialize-leaves` makes it and folds
    it away: a row-wise op of no rows has no rows, a sum of no rows is zero.

    ```mlir
    %none = tree.no_rows : tensor<?x150xf32>
    ```
  }];
  let results = (outs Tree_AnyTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // CAMBIUM_TREE_OPS_TD
