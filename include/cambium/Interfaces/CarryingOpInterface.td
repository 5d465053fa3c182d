//===-- CarryingOpInterface.td - Loops that pass values on ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_CARRYING_OP_INTERFACE_TD
#define CAMBIUM_CARRYING_OP_INTERFACE_TD

include "mlir/IR/OpBase.td"

def CarryingOpInterface : OpInterface<"CarryingOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    A loop whose iterations pass values on, one to the next.
  }];
  let methods = [
    InterfaceMethod<[{
      Of a result that the last iteration passes on: what the first one gets, the
      region argument, and what an iteration yields for the next. Null for another
      result.
    }], "::cambium::CarriedValue", "getCarried", (ins "::mlir::OpResult":$result)>
  ];
}

#endif // CAMBIUM_CARRYING_OP_INTERFACE_TD
