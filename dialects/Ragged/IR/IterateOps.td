//===-- dialects/Ragged/IR/IterateOps.td - Iterations of rows -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RaggedOps.td.
#ifndef CAMBIUM_RAGGED_ITERATE_OPS_TD
#define CAMBIUM_RAGGED_ITERATE_OPS_TD

include "cambium/Interfaces/CarryingOpInterface.td"
include "dialects/Ragged/IR/RaggedBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Ragged_GroupOp : Ragged_Op<"group", [Pure]> {
  let summary = "How some rows of a partition fall into its segments.";
  let description = [{
    `ids` are numbers of rows, ascending. The result has a row per id and as many
    segments as `rows`.

    ```mlir
    %active = ragged.group %ids, %rows : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_IdTensor:$ids, Ragged_RowsType:$rows);
  let results = (outs Ragged_RowsType:$result);
  let assemblyFormat = "$ids `,` $rows attr-dict `:` type($ids)";
}

def Ragged_IterationsOp : Ragged_Op<"iterations", [Pure]> {
  let summary = "The forest in which every iteration of a row is a node.";
  let description = [{
    A tree per row: its initial node is a leaf, each of its `steps` iterations, `max`
    at most, the parent of the node before. The nodes of a level are in the order of their rows;
    `ragged.index rows` names these.

    ```mlir
    %f = ragged.iterations %steps max 12 : tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_IdTensor:$steps, I64Attr:$max);
  let results = (outs Ragged_ForestType:$result);
  let assemblyFormat = "$steps `max` $max attr-dict `:` type($steps)";
}

def Ragged_PutRowsOp : Ragged_PureOp<"put_rows"> {
  let summary = "An array in which some rows are others.";
  let description = [{
    `y = all`, but `y[ids[i]] = rows[i]`; no id stands twice. The inverse of
    `ragged.gather`.

    ```mlir
    %y = ragged.put_rows %some, %all, %ids : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Ragged_AnyTensor:$rows, Ragged_AnyTensor:$all,
                       Ragged_IdTensor:$ids);
  let results = (outs Ragged_AnyTensor:$result);
  let assemblyFormat = [{
    $rows `,` $all `,` $ids attr-dict `:` type(operands)
  }];
}

def Ragged_IterateOp : Ragged_Op<"iterate", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<CarryingOpInterface>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "A loop over rows that ends for each row at its own time.";
  let description = [{
    An iteration computes the active rows alone. Region arguments: the numbers of
    the active rows, ascending; their rows of each `init` array, as the iterations
    before left them; each `shared` array. `ragged.yield` gives a flag per active
    row (does it go on?), the active rows' next states, the `shared` arrays, and
    what is recorded of the active rows.

    Results: the states of all rows when none is active or `max` iterations are
    done; the number of iterations of each row; the `shared` arrays; the records.
    With `active` only the rows whose flag is set start active.

    A record has a row per executed (row, iteration), iteration by iteration: the
    order of the nodes above the leaves in the forest of `ragged.iterations`. A
    derivative asks for records; with `rematerialize` only for what an iteration
    begins with and what it overwrites. They take the memory of what was executed,
    not of `max` iterations.

    ```mlir
    %y, %n = ragged.iterate max 10 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
    ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
      %next = arith.addf %xa, %xa : tensor<?xf32>
      %go = arith.cmpf olt, %next, %xa : tensor<?xf32>
      ragged.yield %go, %next : tensor<?xi1>, tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$max, Optional<RankedTensorOf<[I1]>>:$active,
                       Variadic<Ragged_AnyTensor>:$init,
                       Variadic<Ragged_AnyTensor>:$shared,
                       UnitAttr:$rematerialize);
  let results = (outs Variadic<Ragged_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `max` $max (`active` `(` $active^ `:` type($active) `)`)? `init` `(` $init `:` type($init) `)`
    (`shared` `(` $shared^ `:` type($shared) `)`)?
    (`rematerialize` $rematerialize^)? attr-dict `->` `(` type($results) `)` $body
  }];
  // Takes the body, and gives it its terminator.
  let builders = [OpBuilder<(ins
    "int64_t":$max, "::mlir::Value":$active, "::mlir::ValueRange":$init,
    "::mlir::ValueRange":$shared,
    "const IterateYields &":$yields, "bool":$rematerialize, "::mlir::Region &":$body)>];
  let skipDefaultBuilders = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getIdsArg() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getStateArgs();
    ::mlir::Block::BlockArgListType getSharedArgs();
    ::mlir::ResultRange getStates();
    ::mlir::Value getSteps();
    ::mlir::ResultRange getSharedResults();
    ::mlir::ResultRange getRecords();
    /// Values by kind that stand in the order of what the region yields.
    IterateYields byKind(::mlir::ValueRange yielded);
    IterateYields getYields();
  }];
}

def Ragged_RepeatOp : Ragged_Op<"repeat", [
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<CarryingOpInterface>,
    AllTypesMatch<["init", "results"]>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "A loop of a fixed number of iterations.";
  let description = [{
    Region arguments: the number of the iteration, from 0; what the iteration before
    has left, at first `init`. `ragged.yield` gives the next values, and the last ones
    are the results. An array keeps its number of rows. A derivative keeps what
    iterations have computed, with `rematerialize` only what they begin with.

    ```mlir
    func.func @layers(%x: tensor<?x8xf32>, %W: tensor<12x8x8xf32>) -> tensor<?x8xf32> {
      %y = ragged.repeat 12 init(%x : tensor<?x8xf32>) {
      ^bb0(%t: index, %xt: tensor<?x8xf32>):
        %w = ragged.slice %W, %t : tensor<12x8x8xf32>
        %next = nn.linear %xt, %w : tensor<?x8xf32>, tensor<8x8xf32>
        ragged.yield %next : tensor<?x8xf32>
      }
      return %y : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$count, Variadic<Ragged_AnyTensor>:$init,
                       UnitAttr:$rematerialize);
  let results = (outs Variadic<Ragged_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $count `init` `(` $init `:` type($init) `)` (`rematerialize` $rematerialize^)?
    attr-dict-with-keyword $body
  }];
  let builders = [OpBuilder<(ins "int64_t":$count, "::mlir::ValueRange":$init,
                                 "bool":$rematerialize)>];
  let skipDefaultBuilders = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getIterationArg() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getStateArgs() {
      return getBody().getArguments().drop_front();
    }
    ::mlir::OperandRange getYielded();
  }];
}

#endif // CAMBIUM_RAGGED_ITERATE_OPS_TD
