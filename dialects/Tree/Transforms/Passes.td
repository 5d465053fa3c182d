//===-- dialects/Tree/Transforms/Passes.td - Passes over the tree dialect -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TREE_TRANSFORMS_PASSES_TD
#define CAMBIUM_TREE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeLeaves : Pass<"tree-specialize-leaves"> {
  let summary = "Give every tree.fold a cheaper cell for nodes without children.";
  let description = [{
    Clones the body of a `tree.fold` without leaf region, with no children (`?`) or
    with zeros for the children (a fixed arity), and folds: a row-wise op of no rows
    has no rows, a sum of no rows is zero, a product with zeros is zero. Zeros here
    are absent children, hence `0 * x` is 0 even if `x` is infinite.

    ```mlir
    func.func @f(%t: !tree.tree, %xs: tensor<?x3xf32>, %U: tensor<3x3xf32>) -> tensor<?x3xf32> {
      %h = tree.fold %t nodes(%x = %xs : tensor<3xf32>)
                     children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
        %s = nn.sum %hk over 0 : tensor<?x3xf32>
        %u = nn.linear %s, %U : tensor<3xf32>, tensor<3x3xf32>
        %y = arith.addf %x, %u : tensor<3xf32>
        tree.yield %y : tensor<3xf32>
      }
      return %h : tensor<?x3xf32>
    }
    ```
    becomes
    ```mlir
    %h = tree.fold %t nodes(%x = %xs : tensor<3xf32>) ... {
      ...
    } leaf {
      tree.yield %x : tensor<3xf32>
    }
    ```
  }];
  let dependentDialects = ["::cambium::tree::TreeDialect", "::cambium::nn::NNDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // CAMBIUM_TREE_TRANSFORMS_PASSES_TD
