//===-- dialects/NN/IR/EachOp.td - A body for each row -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
#ifndef CAMBIUM_NN_EACH_OP_TD
#define CAMBIUM_NN_EACH_OP_TD

// [NN-EACH-C1]: SingleBlockImplicitTerminator.
def NN_EachOp : NN_Op<"each", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]>, CustomSyntax<[{
  `rows` `(` inputs `)` `->` `(` type (`,` type)* `)` (`attributes` dictionary)? region
  inputs ::= value `=` value `:` type (`,` value `=` value `:` type)*
}]> {
  let summary = "A body for each row of the example, whose rows may have rows.";
  let description = [{
    The region computes one row of each result from the row at hand of each operand.
    A row of `tensor<?x?xi32>` is `tensor<?xi32>`: the example is a set, whose members
    (sentences, say) have rows (words). The body is the function of one member; all
    members of all examples are computed at once. What the body uses from outside is
    the same for all rows; of rows it sees all those of the example. What it yields may
    have the rows of the row at hand, or those that it sees: the result then holds rows
    that have rows.

    ```mlir
    func.func @bags(%words: tensor<?x?xi32>, %E: tensor<100x8xf32>) -> tensor<?x8xf32> {
      %f = nn.each rows(%w = %words : tensor<?xi32>) -> (tensor<8xf32>) {
        %x = nn.embed %w, %E : tensor<?xi32>, tensor<100x8xf32>
        %m = nn.mean %x over 0 : tensor<?x8xf32>
        nn.yield %m : tensor<8xf32>
      }
      return %f : tensor<?x8xf32>
    }
    func.func @attend(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %a = nn.each rows(%q = %x : tensor<8xf32>) -> (tensor<8xf32>) {
        %s = nn.matmul %y, %q : tensor<?x8xf32>, tensor<8xf32>
        %p = nn.softmax %s over 0 : tensor<?xf32>
        %v = nn.matmul %p, %y : tensor<?xf32>, tensor<?x8xf32>
        nn.yield %v : tensor<8xf32>
      }
      return %a : tensor<?x8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<NN_AnyTensor>:$rows);
  let results = (outs Variadic<NN_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

// [NN-EACH-C2]: HasParent.
def NN_YieldOp : NN_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"EachOp">]> {
  let summary = "The row of each result.";
  let description = [{
    ```mlir
    func.func @lengths(%x: tensor<?x8xf32>) -> tensor<?xf32> {
      %l = nn.each rows(%r = %x : tensor<8xf32>) -> (tensor<f32>) {
        %s = nn.sum %r over 0 : tensor<8xf32>
        nn.yield %s : tensor<f32>
      }
      return %l : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<NN_AnyTensor>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // CAMBIUM_NN_EACH_OP_TD
