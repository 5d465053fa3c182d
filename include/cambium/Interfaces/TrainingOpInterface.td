//===-- TrainingOpInterface.td - What acts in training -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def TrainingOpInterface : OpInterface<"TrainingOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    An op that is there for training: it says what becomes of it when gradients are
    built, and outside of training steps.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether the results are constants for gradients, whatever the op reads.
    }], "bool", "isConstantForGradients", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Whether the op acts outside of training steps, or in them when the gradients are
      built. An op that does not is ended by `endTraining`.
    }], "bool", "actsIn", (ins "bool":$isStep), "", [{ return true; }]>,
    InterfaceMethod<[{
      Takes out of the op what acts in training alone. The op may be erased.
    }], "void", "endTraining", (ins), "", [{ return; }]>,
    InterfaceMethod<[{
      Of the gradient of a table: the rows that it is the sum of, if they can be added
      one by one.
    }], "std::optional<::cambium::GradientRows>", "getGradientRows", (ins), "",
    [{ return std::nullopt; }]>
  ];
}
