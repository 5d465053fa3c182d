//===-- dialects/Depth/IR/DepthOps.td - The depth dialect -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DEPTH_OPS_TD
#define CAMBIUM_DEPTH_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "cambium/Interfaces/SizedOpInterface.td"
include "cambium/Interfaces/StackingOpInterface.td"
include "cambium/Support/Syntax.td"
include "dialects/NN/IR/Numbers.td"

def Depth_Dialect : Dialect {
  let name = "depth";
  let summary = "Computations that stop when the data says so.";
  let description = [{
    A loop is written for one example; how often it is done is a property of each
    row (a token, say) or of the example. What has stopped costs nothing
    (docs/AdaptiveDepth.md).
  }];
  let cppNamespace = "::cambium::depth";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
}

class Depth_Op<string mnemonic, list<Trait> traits = []>
    : Op<Depth_Dialect, mnemonic, traits>;

def Depth_AnyTensor : RankedTensorOf<[F32, F64, I32, I64]>;
def Depth_FloatTensor : RankedTensorOf<[F32, F64]>;
def Depth_Flags : RankedTensorOf<[I1]>;
def Depth_Counts : RankedTensorOf<[I32]>;

def Depth_Form : I32EnumAttr<"Form", "how rows that have stopped are left out", [
    I32EnumAttrCase<"Auto", 0, "auto">, I32EnumAttrCase<"Compact", 1, "compact">,
    I32EnumAttrCase<"Masked", 2, "masked">]> {
  let cppNamespace = "::cambium::depth";
  let genSpecializedAttr = 0;
}
def Depth_FormAttr : EnumAttr<Depth_Dialect, Depth_Form, "form"> {
  let assemblyFormat = "$value";
  let summary = "How rows that have stopped are left out.";
  let description = [{
    `compact`: an iteration computes the rows that go on, and no other. `masked`: it
    computes all rows of the examples that have such a row, and throws away what
    belongs to the others. `auto`: compact where that is exact.

    ```mlir
    func.func @masked(%xs: tensor<?xf32>, %go: tensor<?xi1>) -> tensor<?xf32> {
      %y, %n = depth.iterate max 3 masked carried(%x = %xs : tensor<?xf32>) {
        %next = arith.addf %x, %x : tensor<?xf32>
        depth.yield %go, %next : tensor<?xi1>, tensor<?xf32>
      }
      return %y : tensor<?xf32>
    }
    ```
  }];
}

def Depth_Sharing : I32EnumAttr<"Sharing", "whether iterations share parameters", [
    I32EnumAttrCase<"Tied", 0, "tied">, I32EnumAttrCase<"Stacked", 1, "stacked">]> {
  let cppNamespace = "::cambium::depth";
  let genSpecializedAttr = 0;
}
def Depth_ParameterScopeAttr : AttrDef<Depth_Dialect, "ParameterScope"> {
  let mnemonic = "parameter_scope";
  let summary = "Where the parameters are found that the body of a loop declares.";
  let description = [{
    `tied`: all iterations have the same ones. `stacked`: each has its own, which are
    slices of one array. The name is a path: parts with a dot between them, or empty.
    A loop writes the attribute before `carried`; once no parameter is declared in the
    body, it says nothing.

    ```mlir
    func.func @layers(%x0: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %y = depth.iterate 12 stacked "encoder.layer" carried(%x = %x0 : tensor<?x8xf32>) {
        %next = arith.addf %x, %x : tensor<?x8xf32>
        depth.yield %next : tensor<?x8xf32>
      }
      return %y : tensor<?x8xf32>
    }
    ```
  }];
  let parameters = (ins EnumParameter<Depth_Sharing>:$sharing, "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $sharing $name `>`";
  let genVerifyDecl = 1;
}

// [DEPTH-ITERATE-C8]: SingleBlockImplicitTerminator.
def Depth_IterateOp : Depth_Op<"iterate", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<StackingOpInterface>]>, CustomSyntax<[{
  (`max`)? given (`compact` | `masked`)? (`rematerialize`)?
      (`active` `(` value `:` type `)`)? ((`tied` | `stacked`) string)?
      `carried` `(` inputs `)` (`slices` `(` inputs `)`)? (`attributes` dictionary)? region
  given ::= number | attribute | `(` attribute `)`
  inputs ::= value `=` value `:` type (`,` value `=` value `:` type)*
}]> {
  let summary = "Iterations of which each row, or each example, needs its own number.";
  let description = [{
    The region computes one iteration: from the carried values, the next ones, and
    for each row whether it goes on. All rows start active. In an iteration every
    active row takes its next values; it stays active if its flag says so and fewer
    than `max` iterations are done. A row that has stopped keeps its values for good
    and is still read by others. The loop ends when no row is active. The last
    result counts, for each row, the iterations in which it was active: at least 1.

    With `active(%go)` only the rows whose flag is set start active. Any other keeps
    its initial values, and its count is 0. So layers that differ are a chain of loops
    with `max 1`, the first of which sends on who is active (models/exit).

    Each array of `slices` has a leading dimension `max`; the region gets slice t of
    it in iteration t, from 0, after the carried values. So layers with weights of
    their own are one loop. The arrays depend on parameters alone.

    A number of iterations may be given from outside (`#nn.given`).

    With a number in place of `max` the loop is done exactly so many times, for all
    rows: it yields no flags and counts nothing, and the carried values may be
    anything. `tied "name"` and `stacked "name"` say in which scope the parameters of
    the body are (`#depth.parameter_scope`).

    The carried values of a loop with `max` are all rows (`tensor<?x...>`) of one row
    space, with a flag per row; or none has rows, with one flag, `tensor<i1>`: then it is the example
    that stops.

    The region sees *all* rows of the example, those that have stopped with the
    values that they have kept. `compact` is exact if what an op reads of other
    rows is computed row by row from carried values and from what does not change
    (docs/AdaptiveDepth.md); else the masked form is taken, or asked for.

    For a gradient, what it needs of every executed iteration is recorded. With
    `rematerialize` only the rows that an iteration begins with are, and the rest is
    computed again: less memory for more time.

    ```mlir
    func.func @halve(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
      %half = arith.constant dense<0.5> : tensor<f32>
      %one = arith.constant dense<1.0> : tensor<f32>
      %y, %n = depth.iterate max 10 carried(%x = %xs : tensor<?xf32>) {
        %halves = nn.broadcast %half dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
        %ones = nn.broadcast %one dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
        %next = arith.mulf %x, %halves : tensor<?xf32>
        %go = arith.cmpf ogt, %next, %ones : tensor<?xf32>
        depth.yield %go, %next : tensor<?xi1>, tensor<?xf32>
      }
      return %y, %n : tensor<?xf32>, tensor<?xi32>
    }

    func.func @double_some(%xs: tensor<?xf32>, %some: tensor<?xi1>) -> tensor<?xf32> {
      %y, %n = depth.iterate max 1 active(%some : tensor<?xi1>) carried(%x = %xs : tensor<?xf32>) {
        %next = arith.addf %x, %x : tensor<?xf32>
        depth.yield %some, %next : tensor<?xi1>, tensor<?xf32>
      }
      return %y : tensor<?xf32>
    }

    func.func @layers(%xs: tensor<?x8xf32>, %W: tensor<12x8x8xf32>) -> tensor<?x8xf32> {
      %y = depth.iterate 12 carried(%x = %xs : tensor<?x8xf32>) slices(%w = %W : tensor<12x8x8xf32>) {
        %a = nn.linear %x, %w : tensor<?x8xf32>, tensor<8x8xf32>
        %next = nn.relu %a : tensor<?x8xf32>
        depth.yield %next : tensor<?x8xf32>
      }
      return %y : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins NN_I64Attr:$max, UnitAttr:$fixed,
                       DefaultValuedAttr<Depth_FormAttr, "Form::Auto">:$form,
                       UnitAttr:$rematerialize,
                       OptionalAttr<Depth_ParameterScopeAttr>:$parameter_scope,
                       Optional<Depth_Flags>:$active,
                       Variadic<Depth_AnyTensor>:$init,
                       Variadic<Depth_AnyTensor>:$slices);
  let results = (outs Variadic<Depth_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether rows stop: not examples, and not all at once.
    bool isPerRow();
    ::mlir::ResultRange getStates();
    /// How often each row, or the example, has iterated; null if all do so
    /// equally often.
    ::mlir::Value getSteps();
    ::mlir::Block::BlockArgListType getStateArgs();
    ::mlir::Block::BlockArgListType getSliceArgs();
    YieldOp getYield();
  }];
}

def Depth_YieldOp : Depth_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["IterateOp", "PonderOp", "SearchOp"]>]> {
  let summary = "Ends an iteration: what goes on, and the next values.";
  let description = [{
    First a flag for each row (`depth.iterate`) or a probability (`depth.ponder`); none
    where all iterate equally often. In `depth.search` the scores of the next words.

    ```mlir
    func.func @thrice(%x0: tensor<?x8xf32>, %go: tensor<?xi1>) -> tensor<?x8xf32> {
      %h, %n = depth.iterate max 3 carried(%x = %x0 : tensor<?x8xf32>) {
        %next = arith.addf %x, %x : tensor<?x8xf32>
        depth.yield %go, %next : tensor<?xi1>, tensor<?x8xf32>
      }
      return %h : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[Depth_AnyTensor, Depth_Flags]>>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let extraClassDeclaration = [{
    /// What the verifier of the loop has checked: flags, probabilities or scores
    /// (null if nothing stops), and the next values.
    ::mlir::Value getActive();
    ::mlir::OperandRange getNext();
  }];
}

include "dialects/Depth/IR/PonderOp.td"
include "dialects/Depth/IR/SearchOp.td"

#endif // CAMBIUM_DEPTH_OPS_TD
