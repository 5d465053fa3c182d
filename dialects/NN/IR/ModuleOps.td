//===-- dialects/NN/IR/ModuleOps.td - Parameters and modules -*- tablegen -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
//
// All but parameters of the module and their uses are resolved at the head of phase
// `input` (docs/SemanticsModules.md).
//
#ifndef CAMBIUM_NN_MODULE_OPS_TD
#define CAMBIUM_NN_MODULE_OPS_TD

//===----------------------------------------------------------------------===//
// Numbers from outside
//===----------------------------------------------------------------------===//

def NN_SizeAttr : NN_Attr<"Size", "size"> {
  let summary = "A number of a file that has a name.";
  let description = [{
    Its value, and for a size that follows from others the terms that it is the sum
    of: each a factor and the names of sizes.

    ```mlir
    nn.sizes {hidden = 150, input = 200, both = 2 * hidden, all = input + both}
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$name,
    "int64_t":$value,
    OptionalArrayRefParameter<"::cambium::nn::SizeTermAttr">:$terms);
  let assemblyFormat = "`<` $name `=` $value (`,` `[` $terms^ `]`)? `>`";
}

def NN_SizeTermAttr : NN_Attr<"SizeTerm", "size_term"> {
  let summary = "A product of a number and of sizes, by name.";
  let description = [{
    ```mlir
    nn.sizes {hidden = 25, square = hidden * hidden}
    ```
  }];
  let parameters = (ins
    "int64_t":$factor,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` $factor (`,` $names^)? `>`";
}

def NN_GivenAttr : NN_Attr<"Given", "given"> {
  let summary = "A number that may be given from outside, and its value if it is not.";
  let description = [{
    Stands where an op takes a number that is no dimension: heads, iterations, rates.
    `--size heads=4` of cambium-compile or `with {heads = 4}` of an `nn.call` gives
    another. An alias states it once for a file. In the place of an initializer a call
    gives an initializer: `with {init = #nn.init<xavier_uniform>}`.

    ```mlir
    #heads = #nn.given<"heads" = 8>
    func.func @attend(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %y = nn.attention %x, %x, %x heads #heads : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
      return %y : tensor<?x64xf32>
    }
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Attribute":$value);
  let assemblyFormat = "`<` $name `=` $value `>`";
  let genVerifyDecl = 1;
}

def NN_GivenInitAttr : Attr<
    CPred<"::llvm::isa<::cambium::nn::InitAttr>(::cambium::nn::getNumber($_self))">,
    "an initializer, or an #nn.given of one"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::cambium::nn::InitAttr";
  let convertFromStorage =
    "::llvm::cast<::cambium::nn::InitAttr>(::cambium::nn::getNumber($_self))";
}

def NN_SizesOp : NN_Op<"sizes">, CustomSyntax<[{
  `{` name `=` sum (`,` name `=` sum)* `}` attr-dict
  sum ::= product (`+` product)*
  product ::= (number | name) (`*` (number | name))*
}]> {
  let summary = "Names the sizes of a file.";
  let description = [{
    Wherever a type of the file has the number as a dimension, or an op as a size
    (`nn.split`, `nn.slice`, `nn.pad`, `nn.positions`), it means this size, so that no
    two sizes are the same number and no dimension has it by chance. `cambium-compile
    --size hidden=64` puts another number in its place everywhere; a size that is
    computed from others follows. A function of the file that is called at types of
    other sizes is instantiated for them (`nn.call`).

    ```mlir
    nn.sizes {words = 2000, hidden = 150, both = 2 * hidden}
    ```
  }];
  let arguments = (ins ArrayAttr:$sizes);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def NN_ImportOp : NN_Op<"import"> {
  let summary = "Makes the functions of another file known.";
  let description = [{
    The path is relative to the importing file, or to one of the folders given by `-I`.
    The other file holds private functions, `nn.sizes` and imports of its own. They are
    called by `nn.call`.

    ```mlir
    nn.import "../common/transformer.mlir"
    ```
  }];
  let arguments = (ins StrAttr:$path);
  let assemblyFormat = "$path attr-dict";
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

def NN_ParamOp : NN_Op<"param", [Symbol, NoMemoryEffect]>, CustomSyntax<[{
  (symbol | string) `:` type (`init` attribute)? (`frozen`)? (`group` string)?
      (`no_decay`)? (`row_sparse`)? (`slices` number)? attr-dict
}]> {
  let summary = "Declares a parameter of the model.";
  let description = [{
    A named tensor that training changes, unless it is `frozen`. `group` names
    the optimizer's group (`default` without it); `no_decay` exempts it from
    weight decay. With `slices 1` it is an array of tensors, one for each layer, say:
    the leading dimension numbers them (with 2, two do). Each is drawn, and adapted by
    an optimizer that reads norms, as a parameter of its own. Loops that stack
    parameters say so themselves. `row_sparse` says that its gradient has rows of its
    own, those that a batch has read (`gradient-lower-steps` finds out).

    In a function it declares a parameter and is its value. The parameter's name is
    the path of the scopes that the function was called in, then its own (`nn.call`).
    In the module it declares a parameter by its whole name, which `nn.use` reads.

    ```mlir
    nn.param @W : tensor<300x150xf32> init #nn.init<xavier_uniform>
    nn.param @glove : tensor<400x300xf32>
      init #nn.init<file("glove.safetensors", "vectors")> frozen
    func.func @predict(%x: tensor<?x150xf32>) -> tensor<?x5xf32> {
      %V = nn.param "V" : tensor<150x5xf32> init #nn.init<xavier_uniform>
      %b = nn.param "b" : tensor<5xf32> no_decay
      %y = nn.linear %x, %V, %b : tensor<?x150xf32>, tensor<150x5xf32>, tensor<5xf32>
      return %y : tensor<?x5xf32>
    }
    nn.param @layers : tensor<12x150x150xf32> init #nn.init<orthogonal> slices 1
    ```
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    OptionalAttr<StrAttr>:$local,
    TypeAttrOf<NN_FloatTensor>:$type,
    OptionalAttr<NN_GivenInitAttr>:$init,
    UnitAttr:$frozen,
    OptionalAttr<StrAttr>:$group,
    UnitAttr:$no_decay,
    UnitAttr:$row_sparse,
    DefaultValuedAttr<I64Attr, "0">:$slices);
  let results = (outs Optional<NN_FloatTensor>:$value);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Those of functions have no symbol: their name depends on the call.
    static bool isOptionalSymbol() { return true; }
    /// The type without the leading dimensions that number slices.
    ::mlir::RankedTensorType getSliceType();
  }];
}

def NN_UseOp : NN_Op<"use", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of a parameter of the module.";
  let description = [{
    ```mlir
    %W = nn.use @W : tensor<300x150xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def NN_ConstantOp : NN_Op<"constant", [Pure]> {
  let summary = "A number that may be given from outside.";
  let description = [{
    `cambium-compile --size tau=0.01` gives another value (docs/SemanticsModules.md).

    ```mlir
    %tau = nn.constant "tau" = 0.001 : tensor<f32>
    ```
  }];
  let arguments = (ins StrAttr:$name, F64Attr:$value);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$name `=` $value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

def NN_CallOp : NN_Op<"call", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function, with parameters of its own below a scope.";
  let description = [{
    A function that declares parameters is a module. A call under a scope instantiates
    them: `in "query"` puts `query.` before their names. The same function called twice
    under one scope has the same parameters both times. Without `in` they are those of
    the caller's scope.

    Types other than those that the function is written for instantiate it at other
    sizes (`nn.sizes` of its file), which follow from the types. `with` gives sizes,
    numbers and initializers (`#nn.given`, `nn.constant`) that do not: to the function,
    and to those that it calls. `with {group = "slow"}` names the optimizer's group of
    the parameters there that name none.

    ```mlir
    nn.sizes {in = 300, out = 150}
    func.func private @dense(%x: tensor<?x300xf32>) -> tensor<?x150xf32> {
      %W = nn.param "W" : tensor<300x150xf32> init #nn.init<xavier_uniform>
      %y = nn.linear %x, %W : tensor<?x300xf32>, tensor<300x150xf32>
      return %y : tensor<?x150xf32>
    }
    func.func @two(%x: tensor<?x300xf32>) -> tensor<?x5xf32> {
      %h = nn.call @dense(%x) in "hidden" : (tensor<?x300xf32>) -> tensor<?x150xf32>
      %y = nn.call @dense(%h) in "classes" : (tensor<?x150xf32>) -> tensor<?x5xf32>
      return %y : tensor<?x5xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                       OptionalAttr<StrAttr>:$scope, OptionalAttr<DictionaryAttr>:$with);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` (`in` $scope^)? (`with` $with^)? attr-dict `:`
    functional-type($operands, $results)
  }];
}

#endif // CAMBIUM_NN_MODULE_OPS_TD
