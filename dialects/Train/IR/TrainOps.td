//===-- TrainOps.td - The train dialect -*- tablegen -*- -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_OPS_TD
#define CAMBIUM_TRAIN_OPS_TD

include "cambium/Support/Syntax.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Train_Dialect : Dialect {
  let name = "train";
  let summary = "Programs that learn: gradients and optimizer steps.";
  let description = [{
    Gradients are taken by the compiler on the batched form; what is asked for
    here is said in terms of one example.
  }];
  let cppNamespace = "::cambium::train";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef) const override {
      return ParseOpHook(::cambium::failAtUnknownOp);
    }
  }];
}

class Train_Op<string mnemonic, list<Trait> traits = []>
    : Op<Train_Dialect, mnemonic, traits>;

def Train_FloatTensor : RankedTensorOf<[F32, F64]>;
def Train_AnyTensor : RankedTensorOf<[F32, F64, I32, I64]>;

def Train_OptimizerKind : I32EnumAttr<"OptimizerKind", "update rule", [
    I32EnumAttrCase<"SGD", 0, "sgd">, I32EnumAttrCase<"Adagrad", 1, "adagrad">,
    I32EnumAttrCase<"Adam", 2, "adam">, I32EnumAttrCase<"AdamW", 3, "adamw">,
    I32EnumAttrCase<"Lamb", 4, "lamb">, I32EnumAttrCase<"Adadelta", 5, "adadelta">,
    I32EnumAttrCase<"Adafactor", 6, "adafactor">]> {
  let cppNamespace = "::cambium::train";
  let genSpecializedAttr = 0;
}

def Train_OptimizerAttr : AttrDef<Train_Dialect, "Optimizer">, CustomSyntax<[{
  `<` name (`,` name `=` (number | `true` | `false`))* `>`
}]> {
  let mnemonic = "optimizer";
  let summary = "An update rule with its constants.";
  let description = [{
    - `sgd`: `m = momentum * m + g; w -= lr * m` (no `m` if momentum is 0);
    - `adagrad` (Duchi et al. 2011): `s += g^2; w -= lr * g / (sqrt(s) + eps)`;
    - `adadelta` (Zeiler 2012, algorithm 1): `s = rho * s + (1 - rho) * g^2`,
      `d = sqrt(r + eps) / sqrt(s + eps) * g`, `r = rho * r + (1 - rho) * d^2`,
      `w -= lr * d`; the paper has `lr = 1`;
    - `adam` (Kingma and Ba 2015, algorithm 1, with bias correction);
    - `adamw` (Loshchilov and Hutter 2019): `adam` with decoupled decay,
      `w -= lr * weight_decay * w`;
    - `lamb` (You et al. 2020, algorithm 2): the direction `u` of `adamw`, decay
      included, as long as the parameter, `w -= lr * |w| / |u| * u` with the
      norms of the whole parameter (1 for the quotient where one of them is 0).
      A parameter with `no_decay` keeps the length of `u`. Of a row-sparse
      parameter, the rows that are updated stand for the whole;
    - `adafactor` (Shazeer and Stern 2018, algorithms 4 and 5): of a matrix
      `R` and `C`, the moving means of `g^2 + eps` over each row and each column,
      stand for the squares, `v = R C / mean(R)`; of a vector `v` itself is kept.
      They fade by `1 - t^-decay_rate` in update `t`. `u = g / sqrt(v)`,
      `w -= a * (u / max(1, rms(u) / clip) + weight_decay * w)` with
      `a = lr * max(least_scale, rms(w)) * min(0.01, 1 / sqrt(t))` and `rms` of the
      whole parameter; the last factor is left out with `relative_step = false`, the
      one before with `scale_parameter = false`. The paper has `lr = 1`. Of more than two
      dimensions, each matrix of the last two is a parameter of its own. Of a
      row-sparse parameter, the rows that are updated stand for the whole.

    For `sgd`, `adagrad`, `adadelta` and `adam`, `weight_decay` is L2: `g += weight_decay * w`
    first. `bias_correction` divides the moments of `adam`, `adamw` and `lamb` by
    `1 - beta^t`; without a word, `adam` and `adamw` have it and `lamb` has not.
    `lamb` begins with `eps = 1.0e-6, weight_decay = 0.01`, `adadelta` with
    `rho = 0.95, eps = 1.0e-6`, `adafactor` with
    `decay_rate = 0.8, eps = 1.0e-30, clip = 1.0, least_scale = 1.0e-3`, the others with an `eps` of 1.0e-8, and all but
    `lamb` with a `weight_decay` of 0. The learning rate is the host's and passed in at every step.

    ```mlir
    #train.optimizer<adam, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8>
    ```
    ```mlir
    #train.optimizer<lamb, bias_correction = true>
    ```
    ```mlir
    #train.optimizer<adafactor, relative_step = false, scale_parameter = false>
    ```
  }];
  let parameters = (ins
    "OptimizerKind":$kind, APFloatParameter<"">:$momentum, APFloatParameter<"">:$beta1,
    APFloatParameter<"">:$beta2, APFloatParameter<"">:$eps,
    APFloatParameter<"">:$weight_decay, "bool":$bias_correction,
    APFloatParameter<"">:$clip, APFloatParameter<"">:$least_scale,
    "bool":$relative_step, "bool":$scale_parameter);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Train_GradientOp : Train_Op<"gradient", [Pure, InferTypeOpAdaptor]> {
  let summary = "The gradient of a scalar with respect to values.";
  let description = [{
    `d loss / d v` for each value `v` that stands before the loss in the same
    block, or outside of it. The result may be used like any value; to keep it
    from being differentiated again, pass it through `train.stop_gradient`.

    ```mlir
    %gx = train.gradient %loss wrt %x : tensor<f32>, tensor<300xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$loss, Variadic<Train_FloatTensor>:$wrt);
  let results = (outs Variadic<Train_FloatTensor>:$gradients);
  let assemblyFormat = "$loss `wrt` $wrt attr-dict `:` type(operands)";
}

def Train_StopGradientOp : Train_Op<"stop_gradient", [Pure, SameOperandsAndResultType]> {
  let summary = "The same value, constant for every gradient.";
  let description = [{
    ```mlir
    %t = train.stop_gradient %p : tensor<5xf32>
    ```
  }];
  let arguments = (ins Train_AnyTensor:$input);
  let results = (outs Train_AnyTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Train_WatchOp : Train_Op<"watch", [Pure, SameOperandsAndResultType]> {
  let summary = "The same value, kept apart for a gradient.";
  let description = [{
    Internal: ragged batching puts it behind each value that a `train.gradient` asks
    for, with a number of its own, so that no rewrite reads the value's operands
    past it. The gradient phase removes it.

    ```mlir
    %w = train.watch %x id 0 : tensor<?x300xf32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$input, I64Attr:$id);
  let results = (outs Train_FloatTensor:$result);
  let assemblyFormat = "$input `id` $id attr-dict `:` type($input)";
}

def Train_StepOp : Train_Op<"step", [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Declares how a model is trained.";
  let description = [{
    `loss` is a function whose first result is a scalar; the step minimizes its
    mean over the examples of a batch. Further results are outputs of the step.
    Parameters of a group that `groups` does not name use `optimizer`.
    `clip_norm` bounds the Euclidean norm of the whole gradient; `accumulate` is
    the number of batches whose gradients are averaged into one update. With `updates`,
    only parameters of these groups are updated: others are constants of the step, and
    no gradient of them is computed.

    ```mlir
    nn.param @E : tensor<100x8xf32> group "embeddings"
    func.func @loss(%x: tensor<?xi32>) -> tensor<f32> {
      %E = nn.use @E : tensor<100x8xf32>
      %e = nn.embed %x, %E : tensor<?xi32>, tensor<100x8xf32>
      %m = nn.mean %e over 0 : tensor<?x8xf32>
      %l = nn.sum %m over 0 : tensor<8xf32>
      return %l : tensor<f32>
    }
    train.step @train loss @loss optimizer #train.optimizer<adagrad>
      groups {embeddings = #train.optimizer<sgd>} clip_norm 5.0
    ```
    The compiler makes two entries of it, `train.accumulate` and `train.apply`.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$loss,
    Train_OptimizerAttr:$optimizer, OptionalAttr<DictionaryAttr>:$groups,
    OptionalAttr<F64Attr>:$clip_norm, DefaultValuedAttr<I64Attr, "1">:$accumulate,
    OptionalAttr<StrArrayAttr>:$updates);
  let assemblyFormat = [{
    $sym_name `loss` $loss (`updates` $updates^)? `optimizer` $optimizer
    (`groups` $groups^)? (`clip_norm` $clip_norm^)? (`accumulate` $accumulate^)? attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Of the gradient phase
//===----------------------------------------------------------------------===//

def Train_GradientScaleOp : Train_Op<"gradient_scale"> {
  let summary = "The factor that all gradients of an update are multiplied with.";
  let description = [{
    `scale`, the host's factor (1 / number of accumulated batches), and, with
    `clip_norm`, times `min(1, clip_norm / norm)` for the Euclidean norm of all
    gradients of `params` times `scale`. Made by `gradient-lower-steps`.

    ```mlir
    %s = train.gradient_scale [@W, @b] scalar 1 clip_norm 5.0
    ```
  }];
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr, "names of parameters">:$params,
                       I64Attr:$scalar, OptionalAttr<F64Attr>:$clip_norm);
  let results = (outs F64:$result);
  let assemblyFormat = "$params `scalar` $scalar (`clip_norm` $clip_norm^)? attr-dict";
}

def Train_UpdateOp : Train_Op<"update"> {
  let summary = "Updates a parameter from its gradient, and clears the gradient.";
  let description = [{
    One fused pass (of `lamb` and `adafactor`: several) over the parameter, its gradient times `scale`,
    and the optimizer's state; for a row-sparse gradient over the touched rows alone.
    `scalar` is the number of the entry's scalar that holds the learning rate.
    Without `decay`, weight decay is left out (and `lamb` does not adapt). Made by `gradient-lower-steps`.

    ```mlir
    %s = train.gradient_scale [@W] scalar 1
    train.update @W scale %s rate 0 with #train.optimizer<adam> decay
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, F64:$scale, I64Attr:$rate,
                       Train_OptimizerAttr:$optimizer, UnitAttr:$decay);
  let assemblyFormat = [{
    $param `scale` $scale `rate` $rate `with` $optimizer (`decay` $decay^)? attr-dict
  }];
}

#endif // CAMBIUM_TRAIN_OPS_TD
