//===-- dialects/Depth/IR/PonderOp.td - Adaptive computation time ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of DepthOps.td.
#ifndef CAMBIUM_DEPTH_PONDER_OP_TD
#define CAMBIUM_DEPTH_PONDER_OP_TD

def Depth_Combine : I32EnumAttr<"Combine", "what a row's iterations give together", [
    I32EnumAttrCase<"Convex", 0, "convex">,
    I32EnumAttrCase<"WeightedSum", 1, "weighted_sum">]> {
  let cppNamespace = "::cambium::depth";
  let genSpecializedAttr = 0;
}
def Depth_CombineAttr : EnumAttr<Depth_Dialect, Depth_Combine, "combine"> {
  let assemblyFormat = "$value";
  let summary = "What a row's iterations give together.";
  let description = [{
    `convex`: every iteration mixes what it computes into the state that the next
    one gets (Simoulin 2022, eq. 6.11). `weighted_sum`: the next one gets what was
    computed, and the result is the sum of it all by weight (Graves 2016, eq. 8).

    ```mlir
    func.func @mix(%h0: tensor<?x8xf32>, %p: tensor<?xf32>) -> tensor<?x8xf32> {
      %h, %n, %r = depth.ponder max 6 combine weighted_sum remainder none carried(%x = %h0 : tensor<?x8xf32>) {
        depth.yield %p, %x : tensor<?xf32>, tensor<?x8xf32>
      }
      return %h : tensor<?x8xf32>
    }
    ```
  }];
}

def Depth_Remainder : I32EnumAttr<"Remainder", "what is left at the maximum", [
    I32EnumAttrCase<"Forced", 0, "forced">, I32EnumAttrCase<"None", 1, "none">]> {
  let cppNamespace = "::cambium::depth";
  let genSpecializedAttr = 0;
}
def Depth_RemainderAttr : EnumAttr<Depth_Dialect, Depth_Remainder, "remainder"> {
  let assemblyFormat = "$value";
  let summary = "What is left at the maximum of iterations.";
  let description = [{
    Of a row that has not stopped by itself when the maximum is reached. `forced`:
    its last weight is what is left to 1, and counts as its remainder (Graves 2016).
    `none`: its last weight is its last probability, its remainder 0 (the code of
    Simoulin 2022).

    ```mlir
    func.func @all(%h0: tensor<?x8xf32>, %p: tensor<?xf32>) -> tensor<?x8xf32> {
      %h, %n, %r = depth.ponder max 6 combine convex remainder forced carried(%x = %h0 : tensor<?x8xf32>) {
        depth.yield %p, %x : tensor<?xf32>, tensor<?x8xf32>
      }
      return %h : tensor<?x8xf32>
    }
    ```
  }];
}

// [DEPTH-PONDER-C7]: SingleBlockImplicitTerminator.
def Depth_PonderOp : Depth_Op<"ponder", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<StackingOpInterface>]>, CustomSyntax<[{
  `max` given `combine` (`convex` | `weighted_sum`) `remainder` (`forced` | `none`)
      (`epsilon` given)? (`compact` | `masked`)? (`rematerialize`)?
      ((`tied` | `stacked`) string)? `carried` `(` inputs `)` (`slices` `(` inputs `)`)?
      (`attributes` dictionary)? region
  given ::= number | attribute | `(` attribute `)`
  inputs ::= value `=` value `:` type (`,` value `=` value `:` type)*
}]> {
  let summary = "Adaptive computation time: iterations weighted by a halting probability.";
  let description = [{
    `depth.iterate` in which a row stops when the probabilities that it has yielded
    reach `1 - epsilon` together (Simoulin 2022, eq. 6.9 to 6.12; Graves 2016). With
    `p` the probability of an iteration and `a` the sum of those before it:

        goes on = a + p < 1 - epsilon       lambda = goes on ? p : 1 - a
        convex: x' = lambda y + (1 - lambda) x, for the y that the region yields
        weighted_sum: x' = y, result += lambda y

    Results: the values of all rows; `N`, the number of iterations of each; `R`, the
    remainder `1 - a` of the last one. What pondering costs is `N + R` (eq. 6.13);
    `N` carries no gradient. A NaN stops the row. `slices`, `tied` and `stacked` are
    those of `depth.iterate`.

    ```mlir
    func.func @think(%h0: tensor<?x8xf32>, %W: tensor<8x8xf32>, %V: tensor<8x1xf32>)
        -> (tensor<?x8xf32>, tensor<?xi32>, tensor<?xf32>) {
      %h, %n, %r = depth.ponder max 6 combine convex remainder none epsilon 1.0e-2 carried(%x = %h0 : tensor<?x8xf32>) {
        %y = nn.linear %x, %W : tensor<?x8xf32>, tensor<8x8xf32>
        %s = nn.linear %y, %V : tensor<?x8xf32>, tensor<8x1xf32>
        %l = nn.reshape %s : tensor<?x1xf32> -> tensor<?xf32>
        %p = nn.sigmoid %l : tensor<?xf32>
        depth.yield %p, %y : tensor<?xf32>, tensor<?x8xf32>
      }
      return %h, %n, %r : tensor<?x8xf32>, tensor<?xi32>, tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins NN_I64Attr:$max, Depth_CombineAttr:$combine,
                       Depth_RemainderAttr:$at_maximum,
                       DefaultValuedAttr<NN_F64Attr, "0.01">:$epsilon,
                       DefaultValuedAttr<Depth_FormAttr, "Form::Auto">:$form,
                       UnitAttr:$rematerialize,
                       OptionalAttr<Depth_ParameterScopeAttr>:$parameter_scope,
                       Variadic<Depth_FloatTensor>:$init,
                       Variadic<Depth_AnyTensor>:$slices);
  let results = (outs Variadic<Depth_FloatTensor>:$states, Depth_Counts:$steps,
                      Depth_FloatTensor:$remainder);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether rows stop, not examples.
    bool isPerRow() { return getSteps().getType().getRank() > 0; }
    ::mlir::Block::BlockArgListType getStateArgs();
    ::mlir::Block::BlockArgListType getSliceArgs();
    YieldOp getYield();
  }];
}

#endif // CAMBIUM_DEPTH_PONDER_OP_TD
