//===-- dialects/Ragged/IR/RaggedBase.td - The ragged dialect and its types ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BASE_TD
#define CAMBIUM_RAGGED_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ragged_Dialect : Dialect {
  let name = "ragged";
  let summary = "Ops that cross rows, and the recursion over levels.";
  let description = [{
    The form of a program over all rows of a batch (docs/Design.md). Tensors are
    flat: one row per real row. A `!ragged.rows` says how rows belong together,
    a `!ragged.forest` holds the level-ordered nodes of all trees. Arrays "in
    level order" are indexed by the forest's nodes or edges, others by the
    user's rows. Internal: made by ragged batching, lowered to linalg.
  }];
  let cppNamespace = "::cambium::ragged";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let hasCanonicalizer = 1;
}

class Ragged_Type<string name, string typeMnemonic> : TypeDef<Ragged_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Ragged_RowsType : Ragged_Type<"Rows", "rows"> {
  let summary = "A partition of rows into consecutive segments.";
  let description = [{
    `n + 1` offsets for `n` segments. The first offset need not be 0: inside
    `ragged.levels` a partition is a window of the forest's edges; row indices
    are counted from the first offset.

    ```mlir
    func.func @num_tokens(%tokens: !ragged.rows) -> index {
      %n = ragged.num_rows %tokens
      return %n : index
    }
    ```
  }];
}

def Ragged_ForestType : Ragged_Type<"Forest", "forest"> {
  let summary = "The nodes and edges of all trees of a batch, by level.";
  let description = [{
    See `cambium_abi_forest_t` in `runtime/include/cambium/abi.h`.

    ```mlir
    func.func @num_leaves(%trees: !ragged.forest) -> index {
      %n = ragged.num_nodes %trees leaves
      return %n : index
    }
    ```
  }];
}

class Ragged_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ragged_Dialect, mnemonic, traits>;
class Ragged_PureOp<string mnemonic, list<Trait> traits = []>
    : Ragged_Op<mnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])>;

def Ragged_AnyTensor : RankedTensorOf<[F32, F64, I32, I64, I1]>;
def Ragged_FloatTensor : RankedTensorOf<[F32, F64]>;
def Ragged_IdTensor : RankedTensorOf<[I32]>;
def Ragged_KeyTensor : RankedTensorOf<[I64]>;

// Where the rows of the result stand, for ops that take a `!ragged.rows`.
def Ragged_ProducesRows : NativeOpTrait<"ProducesRows"> {
  let cppNamespace = "::cambium::ragged";
}
def Ragged_ProducesSegments : NativeOpTrait<"ProducesSegments"> {
  let cppNamespace = "::cambium::ragged";
}

class Ragged_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::cambium::ragged";
  let genSpecializedAttr = 0;
}
class Ragged_EnumAttr<I32EnumAttr e, string m, string example>
    : EnumAttr<Ragged_Dialect, e, m> {
  let assemblyFormat = "$value";
  let summary = e.summary # ".";
  let description = "One of the keywords of the enumeration, as in\n"
                    "```mlir\n" # example # "\n```";
}

def Ragged_ReduceKind : Ragged_Enum<"ReduceKind", "how rows are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"LogSumExp", 3, "log_sum_exp">]>;
def Ragged_ReduceKindAttr : Ragged_EnumAttr<Ragged_ReduceKind, "reduce_kind",
    "%y = ragged.reduce sum %x, %rows : tensor<?x150xf32>">;

def Ragged_Part : Ragged_Enum<"Part", "which rows of a forest", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Leaves", 1, "leaves">,
    I32EnumAttrCase<"Inner", 2, "inner">]>;
def Ragged_PartAttr : Ragged_EnumAttr<Ragged_Part, "part",
    "%n = ragged.num_nodes %forest leaves">;

def Ragged_Direction : Ragged_Enum<"Direction", "direction of a recursion", [
    I32EnumAttrCase<"Up", 0, "up">, I32EnumAttrCase<"Down", 1, "down">]>;
def Ragged_DirectionAttr : Ragged_EnumAttr<Ragged_Direction, "direction", [{
%m = ragged.levels down all %forest nodes(%x : tensor<?x150xf32>)
       num_recurrent 1 num_node_yields 0 -> (tensor<?x150xf32>) {
^bb0(%e: !ragged.rows, %xl: tensor<?x150xf32>, %from_parents: tensor<?x150xf32>):
  %s = arith.addf %xl, %from_parents : tensor<?x150xf32>
  %y = ragged.expand %s, %e : tensor<?x150xf32>
  ragged.yield %y : tensor<?x150xf32>
}
}]>;

def Ragged_Order : Ragged_Enum<"Order", "row order of a permutation or an index", [
    I32EnumAttrCase<"NodesToLevels", 0, "nodes_to_levels">,
    I32EnumAttrCase<"NodesToUser", 1, "nodes_to_user">,
    I32EnumAttrCase<"EdgesToLevels", 2, "edges_to_levels">,
    I32EnumAttrCase<"EdgesToUser", 3, "edges_to_user">]>;
def Ragged_OrderAttr : Ragged_EnumAttr<Ragged_Order, "order",
    "%y = ragged.permute %x, %forest edges_to_user : tensor<?x300xf32>">;

def Ragged_Index : Ragged_Enum<"Index", "an index array of a forest", [
    I32EnumAttrCase<"Children", 0, "children">,
    I32EnumAttrCase<"Parents", 1, "parents">,
    I32EnumAttrCase<"Roots", 2, "roots">,
    I32EnumAttrCase<"Rows", 3, "rows">]>;
def Ragged_IndexAttr : Ragged_EnumAttr<Ragged_Index, "index",
    "%r = ragged.index %forest roots : tensor<?xi32>">;

#endif // CAMBIUM_RAGGED_BASE_TD
