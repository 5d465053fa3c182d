//===-- Passes.td - Passes over the ragged dialect -*- tablegen -*- -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_TRANSFORMS_PASSES_TD
#define CAMBIUM_RAGGED_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CountOperations : Pass<"ragged-count-operations", "::mlir::ModuleOp"> {
  let summary = "Make functions that tell how many operations entries need.";
  let description = [{
    For each public function, a function of the same inputs, named with `.operations`
    behind it. It gives the multiplications and additions of all products for a batch,
    and the bytes of the parameters that are read whole, as words where products read
    these (`--math=bf16`, `--weights=int8`): what this form of the model asks of any
    machine. Row counts come from the batch alone; nothing else is computed.

    `loops` says how often these bytes move. A line of it is the function itself, or a
    loop that reads the same weights each time (levels, iterations): the operations of
    its products, the bytes of the arrays without rows that one execution of its body
    reads and writes, and how many executions there are. Of levels, those above the
    leaves count. Slices that a loop chooses are different weights each time; they
    count where that loop stands.

    Rows that stop (`ragged.iterate`) are counted as if none did, and numbers of rows that
    are computed as if they were the largest (`ragged.of_counts`): no more is done than
    that, and a remark says so. A function whose rows depend on what it computes in other
    ways gets none, with a remark.

    ```mlir
    nn.param @W : tensor<4x3xf32>
    func.func @predict(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                       %x: tensor<?x4xf32> {rt.as = #rt.input<name = "x", space = 0>})
        -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
      %W = nn.use @W : tensor<4x3xf32>
      %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
      return %y : tensor<?x3xf32>
    }
    ```
    gets beside it
    ```mlir
    func.func @predict.operations(...)
        -> (tensor<f64> {...}, tensor<f64> {...}, tensor<1x3xf64> {...}) {
      %n = tensor.dim ... : tensor<?x4xf32>
      %i = arith.index_cast %n : index to i64
      %rows = arith.sitofp %i : i64 to f64
      %each = arith.constant 2.400000e+01 : f64
      %all = arith.mulf %rows, %each : f64
    ```
  }];
  let dependentDialects = ["::cambium::ragged::RaggedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Hoist : Pass<"ragged-hoist"> {
  let summary = "Move work that is independent of the recursion out of the level loop.";
  let description = [{
    A row-wise op in the body of `ragged.levels` that depends on inputs of the nodes
    (or of the edges) and on values from outside alone acts on the whole arrays
    instead, once. Ops on values from outside alone leave the loop as they are. Ops
    that only arrange elements stay unless something that moved needs them.

    Rows are computed no more often than needed: a row-wise op of an expanded value
    becomes the expansion of the op, and a row-wise op of which the leaves (or the
    other nodes) alone are read is computed for them alone.

    ```mlir
    func.func @f(%f: !ragged.forest, %x: tensor<?x4xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
      %h = ragged.levels up all %f nodes(%x : tensor<?x4xf32>)
             num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
      ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>, %hk: tensor<?x3xf32>):
        %a = nn.linear %xl, %W : tensor<?x4xf32>, tensor<4x3xf32>
        %s = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
        %y = arith.addf %a, %s : tensor<?x3xf32>
        ragged.yield %y : tensor<?x3xf32>
      }
      return %h : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    %a = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
    %h = ragged.levels up all %f nodes(%x, %a : tensor<?x4xf32>, tensor<?x3xf32>) ... {
    ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>, %al: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
      %s = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
      %y = arith.addf %al, %s : tensor<?x3xf32>
    ```
  }];
  let dependentDialects = ["::cambium::ragged::RaggedDialect"];
}

def ShareRows : Pass<"ragged-share-rows"> {
  let summary = "Compute what depends on an id once for each id of the batch.";
  let description = [{
    Rows that are looked up by equal ids are equal, and so is all that row-wise ops
    compute from them. Products of such rows, and what follows them, are computed for
    the ids that occur, each once, and then gathered: leaves of trees with the same
    word, inputs of recurrent cells. Arrays of ids of which the same is computed are
    one, as words of two sentences that share their weights. Gradients are summed per
    id before they go through the products. A row must be worth it by the target's
    costs. Rows that differ in anything else, as by dropout, are computed as before.

    ```mlir
    func.func @f(%words: tensor<?xi32>, %E: tensor<1000x64xf32>, %W: tensor<64x128xf32>) -> tensor<?x128xf32> {
      %x = nn.embed %words, %E : tensor<?xi32>, tensor<1000x64xf32>
      %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x128xf32>
      %z = math.tanh %y : tensor<?x128xf32>
      return %z : tensor<?x128xf32>
    }
    ```
    becomes
    ```mlir
    %distinct, %places = ragged.distinct %words limit 1000 : tensor<?xi32>
    %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<1000x64xf32>
    %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x128xf32>
    %z = math.tanh %y : tensor<?x128xf32>
    %all = ragged.gather %z, %places : tensor<?x128xf32>, tensor<?xi32>
    ```
  }];
  let dependentDialects = ["::cambium::ragged::RaggedDialect"];
}

def KeepRows : Pass<"ragged-keep-rows", "::mlir::ModuleOp"> {
  let summary = "Keep between calls what depends on an id and on parameters alone.";
  let description = [{
    What an entry computes for distinct ids from parameters and constants alone is the
    same in every call until a parameter changes. It is kept in a table of the store
    (`rt.kept`), with a mark and a row for each id: a call computes the rows of ids
    that are not marked. Functions that compute the same share a table. Entries of a
    training step keep nothing, and on GPUs nothing is kept.

    `most` bounds the bytes of all tables together, in MiB. Without it there are none:
    a page of a table takes memory when a row is written to it, but a store counts it
    whole. What is kept has the bits of what was computed.

    ```mlir
    nn.param @E : tensor<1000x64xf32>
    nn.param @W : tensor<64x128xf32>
    func.func @f(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 1000>})
        -> (tensor<?x128xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
      %E = nn.use @E : tensor<1000x64xf32>
      %W = nn.use @W : tensor<64x128xf32>
      %distinct, %places = ragged.distinct %words limit 1000 : tensor<?xi32>
      %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<1000x64xf32>
      %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x128xf32>
      %all = ragged.gather %y, %places : tensor<?x128xf32>, tensor<?xi32>
      return %all : tensor<?x128xf32>
    }
    ```
    becomes, with `most=1`,
    ```mlir
    %marks = rt.kept marks from 0 : memref<1000xi32>
    %rows = rt.kept rows from 0 : memref<1000x128xf32>
    %found:3 = scf.for ...
    %missing = tensor.extract_slice %found#0...
    %x = nn.embed %missing, %E : tensor<?xi32>, tensor<1000x64xf32>
    %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x128xf32>
    ```
  }];
  let options = [Option<"most", "most", "int64_t", "0",
                        "MiB that all tables together have at most; 0: no tables">];
  let dependentDialects = ["::cambium::rt::RTDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def SinkPermutes : Pass<"ragged-sink-permutes"> {
  let summary = "Permute rows where they are narrowest.";
  let description = [{
    Permuting the result of a row-wise op is the op on permuted operands. Permutations
    to level order move to the operands where this moves fewer elements, and
    permutations to the user's order move to the results likewise.

    ```mlir
    func.func @f(%f: !ragged.forest, %ids: tensor<?xi32>, %E: tensor<10x4xf32>) -> tensor<?x4xf32> {
      %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x4xf32>
      %y = ragged.permute %x, %f nodes_to_levels : tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    }
    ```
    becomes
    ```mlir
    %i = ragged.permute %ids, %f nodes_to_levels : tensor<?xi32>
    %y = nn.embed %i, %E : tensor<?xi32>, tensor<10x4xf32>
    ```
  }];
  let dependentDialects = ["::cambium::ragged::RaggedDialect"];
}

#endif // CAMBIUM_RAGGED_TRANSFORMS_PASSES_TD
