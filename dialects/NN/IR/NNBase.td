//===-- dialects/NN/IR/NNBase.td - The nn dialect and its attributes ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_BASE_TD
#define CAMBIUM_NN_BASE_TD

include "cambium/Support/Syntax.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let summary = "Dense tensor operations of neural networks, and parameters.";
  let description = [{
    The vocabulary in which the equations of a cell are written: parameters,
    products, reductions, normalizations and losses on ranked tensors.
    Elementwise arithmetic is upstream `arith` and `math`; there is no second
    `add`. Rows stand on the left of a product: `nn.linear %x, %W` is `x . W`.
  }];
  let cppNamespace = "::cambium::nn";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
}

class NN_Attr<string name, string attrMnemonic> : AttrDef<NN_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def NN_InitKind : I32EnumAttr<"InitKind", "how a parameter gets its first values", [
    I32EnumAttrCase<"Zeros", 0, "zeros">,
    I32EnumAttrCase<"Constant", 1, "constant">,
    I32EnumAttrCase<"Uniform", 2, "uniform">,
    I32EnumAttrCase<"Normal", 3, "normal">,
    I32EnumAttrCase<"TruncatedNormal", 4, "truncated_normal">,
    I32EnumAttrCase<"XavierUniform", 5, "xavier_uniform">,
    I32EnumAttrCase<"XavierNormal", 6, "xavier_normal">,
    I32EnumAttrCase<"Orthogonal", 7, "orthogonal">,
    I32EnumAttrCase<"File", 8, "file">,
    I32EnumAttrCase<"Sinusoidal", 9, "sinusoidal">]> {
  let cppNamespace = "::cambium::nn";
  let genSpecializedAttr = 0;
}

def NN_InitAttr : NN_Attr<"Init", "init">, CustomSyntax<[{
  `<` name (`(` argument (`,` argument)* `)`)? `>`
  argument ::= number | string
}]> {
  let summary = "How a parameter gets its first values.";
  let description = [{
    `zeros`; `constant(v)`; `uniform(low, high)`; `normal(mean, deviation)`;
    `truncated_normal(mean, deviation)`, cut at two deviations;
    `xavier_uniform(gain)` and `xavier_normal(gain)` (Glorot and Bengio 2010;
    fan-in is the first dimension, fan-out the last one; gain 1 if left out);
    `orthogonal(gain)`; `file("weights.safetensors", "tensor")`; `sinusoidal(gain)`,
    for a frozen table of positions: in row `i` of `d` columns, column `2 k` is
    `gain sin(i / 10000^(2 k / d))` and the next one the cosine (Vaswani et al. 2017,
    section 3.5).

    ```mlir
    nn.param @W : tensor<300x150xf32> init #nn.init<uniform(-0.1, 0.1)>
    ```
  }];
  let parameters = (ins
    "InitKind":$kind,
    APFloatParameter<"first number">:$a,
    APFloatParameter<"second number">:$b,
    StringRefParameter<"path of a safetensors file">:$path,
    StringRefParameter<"name of a tensor">:$tensor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // CAMBIUM_NN_BASE_TD
