//===-- WorkOpInterface.td - How much there is to compute -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def WorkOpInterface : OpInterface<"WorkOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    An op that consists of products: the multiplications and additions that any
    machine has to do for it. What is done once for each element (functions, sums,
    copies) does not count.
  }];
  let methods = [
    InterfaceMethod<[{
      The operations on the batched form. None where they are not known before the op
      is executed.
    }], "std::optional<::cambium::Work>", "getWork">
  ];
}
