//===-- BatchableOpInterface.td - How an op is batched -*- tablegen -*- ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "mlir/IR/OpBase.td"

def BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::cambium";
  let description = [{
    How an op of one example becomes an op over all rows of a batch
    (docs/Design.md).
  }];
  let methods = [
    InterfaceMethod<[{
      Says which rows meet: joins the row spaces of operands and results, or fails
      with an error at the op. By default all operands and results that hold rows
      share one space.
    }], "::llvm::LogicalResult", "inferRowSpaces", (ins "::cambium::RowSpaces &":$spaces),
    "", [{ return ::cambium::joinAllRows($_op.getOperation(), spaces); }]>,
    InterfaceMethod<[{
      Builds the batched form with the batcher and tells it the batched results.
    }], "::llvm::LogicalResult", "batch", (ins "::cambium::Batcher &":$batcher)>,
    InterfaceMethod<[{
      Of the batched form: whether row `i` of each result depends on row `i` of the
      operands named by `isRowOperand` and on whole other operands only.
    }], "bool", "isRowwise", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Of the batched form of a row-wise op: whether the rows of this operand are
      those of the results.
    }], "bool", "isRowOperand", (ins "unsigned":$index), "", [{ return true; }]>,
    InterfaceMethod<[{
      Whether the op only arranges elements: it computes nothing that would be worth
      an array of its own.
    }], "bool", "movesDataOnly", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Which rows of this operand, if it holds rows, the op of one example reads. By
      default those of an elementwise op; an op that mixes rows must say so.
    }], "::cambium::RowsRead", "getRowsRead", (ins "unsigned":$index), "",
    [{ return ::cambium::guessRowsRead($_op.getOperation()); }]>,
    InterfaceMethod<[{
      Whether the op draws random numbers: computed again, it gives other values.
    }], "bool", "drawsRandomNumbers", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Whether rows in the regions are those of the op's surroundings, as in a loop,
      not rows of a node.
    }], "bool", "sharesRowSpaces", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      The bound of the ids in this operand: they must be in `[0, bound)`. None if the
      operand holds no ids or any id is good.
    }], "std::optional<int64_t>", "getIdBound", (ins "unsigned":$index), "",
    [{ return std::nullopt; }]>
  ];
}
