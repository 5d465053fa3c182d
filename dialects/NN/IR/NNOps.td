//===-- dialects/NN/IR/NNOps.td - Operations of the nn dialect ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_OPS_TD
#define CAMBIUM_NN_OPS_TD

include "cambium/Interfaces/SizedOpInterface.td"
include "dialects/NN/IR/NNBase.td"
include "dialects/NN/IR/Numbers.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class NN_Op<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, traits>;

// [NN-TYPES-C1]
def NN_FloatTensor : RankedTensorOf<[F32, F64]>;
def NN_IdTensor : RankedTensorOf<[I32]>;
def NN_AnyTensor : RankedTensorOf<[F32, F64, I32, I64]>;
def NN_AnyOrFlags : RankedTensorOf<[F32, F64, I32, I64, I1]>;
def NN_FloatLike : AnyTypeOf<[F32, F64, RankedTensorOf<[F32, F64]>,
                              VectorOfAnyRankOf<[F32, F64]>],
                             "float scalar, vector or tensor">;

// A pure op whose result types follow from its operands and attributes.
// [NN-RESULT-C1]
class NN_PureOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat(traits, [Pure, InferTypeOpAdaptor])>;

include "dialects/NN/IR/ModuleOps.td"

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

// [NN-ELEMENTWISE-C1]
class NN_UnaryOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat(traits, [Pure, SameOperandsAndResultType] #
                                          ElementwiseMappable.traits)> {
  let arguments = (ins NN_FloatLike:$input);
  let results = (outs NN_FloatLike:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def NN_SigmoidOp : NN_UnaryOp<"sigmoid"> {
  let summary = "Logistic function, 1 / (1 + exp(-x)).";
  let description = [{
    ```mlir
    %i = nn.sigmoid %x : tensor<150xf32>
    ```
  }];
}

def NN_ReluOp : NN_UnaryOp<"relu", [Idempotent]> {
  let summary = "Rectifier, max(x, 0).";
  let description = [{
    The derivative at 0 is 0. NaN stays NaN.

    ```mlir
    %y = nn.relu %x : tensor<150xf32>
    ```
  }];
}

def NN_LeakyReluOp : NN_UnaryOp<"leaky_relu"> {
  let summary = "Rectifier with a slope below zero.";
  let description = [{
    `x` where `x > 0`, else `slope * x`.

    ```mlir
    %y = nn.leaky_relu %x slope 0.01 : tensor<150xf32>
    ```
  }];
  let arguments = (ins NN_FloatLike:$input, DefaultValuedAttr<F64Attr, "0.01">:$slope);
  let assemblyFormat = "$input (`slope` $slope^)? attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def NN_GeluOp : NN_UnaryOp<"gelu"> {
  let summary = "Gaussian error linear unit.";
  let description = [{
    `x * Phi(x)` with the normal distribution function (Hendrycks and Gimpel
    2016), or its `tanh` approximation
    `0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.

    ```mlir
    %y = nn.gelu %x : tensor<150xf32>
    %z = nn.gelu %x tanh : tensor<150xf32>
    ```
  }];
  let arguments = (ins NN_FloatLike:$input, UnitAttr:$tanh);
  let assemblyFormat = "$input (`tanh` $tanh^)? attr-dict `:` type($input)";
}

//===----------------------------------------------------------------------===//
// Products and tables
//===----------------------------------------------------------------------===//

def NN_LinearOp : NN_PureOp<"linear"> {
  let summary = "Product of rows with a matrix, plus a bias.";
  let description = [{
    `y[..., n] = sum_k x[..., k] W[k, n] + b[n]`. Any number of leading
    dimensions; the bias may be left out.

    ```mlir
    %y = nn.linear %x, %W, %b : tensor<?x300xf32>, tensor<300x150xf32>, tensor<150xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_FloatTensor:$weight,
                       Optional<NN_FloatTensor>:$bias);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat =
    "$input `,` $weight (`,` $bias^)? attr-dict `:` type(operands)";
  let hasFolder = 1;
}

def NN_MatmulOp : NN_PureOp<"matmul"> {
  let summary = "Product of matrices and vectors.";
  let description = [{
    After `batch_dims` common leading dimensions, each operand is a matrix or a
    vector: `[m,k] . [k,n]`, `[k] . [k,n]`, `[m,k] . [k]`, `[k] . [k]`.

    ```mlir
    %v = nn.matmul %A, %x : tensor<25x25xf32>, tensor<25xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`batch_dims` $batch_dims^)? attr-dict `:` type(operands)
  }];
}

def NN_OuterSumOp : NN_PureOp<"outer_sum"> {
  let summary = "Sum of the outer products of rows.";
  let description = [{
    `y[k, n] = sum_r x[r, k] z[r, n]` over all leading dimensions `r`: the
    gradient of the weight of `nn.linear`.

    ```mlir
    %dW = nn.outer_sum %x, %dy : tensor<?x300xf32>, tensor<?x150xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type(operands)";
}

def NN_EmbedOp : NN_PureOp<"embed"> {
  let summary = "Rows of a table, by id.";
  let description = [{
    `y[..., :] = table[ids[...], :]`. The row of `padding_id` counts as zero and
    gets no gradient; with `frozen` no row gets one. An id outside the table is
    an error of the call.

    ```mlir
    %x = nn.embed %words, %E padding_id 0 : tensor<?xi32>, tensor<400x300xf32>
    ```
  }];
  let arguments = (ins NN_IdTensor:$ids, NN_FloatTensor:$table,
                       OptionalAttr<I64Attr>:$padding_id, UnitAttr:$frozen);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $ids `,` $table (`padding_id` $padding_id^)? (`frozen` $frozen^)? attr-dict
    `:` type(operands)
  }];
}

def NN_EmbedGradOp : NN_PureOp<"embed_grad"> {
  let summary = "Sums rows by id: the gradient of the table of nn.embed.";
  let description = [{
    `y[v, :] = sum over i with ids[i] = v of rows[i, :]`, in the order of `i`,
    for `v < size`; ids equal to `padding_id` are left out.

    ```mlir
    %dE = nn.embed_grad %words, %dx size 400 : tensor<?xi32>, tensor<?x300xf32>
    ```
  }];
  let arguments = (ins NN_IdTensor:$ids, NN_FloatTensor:$rows, I64Attr:$size,
                       OptionalAttr<I64Attr>:$padding_id);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $ids `,` $rows `size` $size (`padding_id` $padding_id^)? attr-dict
    `:` type(operands)
  }];
}

def NN_PickOp : NN_PureOp<"pick"> {
  let summary = "One element of each row, by id.";
  let description = [{
    `y[...] = x[..., ids[...]]`.

    ```mlir
    %l = nn.pick %logp, %label : tensor<5xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_IdTensor:$ids);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `,` $ids attr-dict `:` type(operands)";
}

def NN_OneHotOp : NN_PureOp<"one_hot", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "Rows that are zero but for one element.";
  let description = [{
    `y[..., c] = values[...]` where `c = ids[...]`, else 0, for `c < size`.

    ```mlir
    %y = nn.one_hot %label, %one size 5 : tensor<i32>, tensor<f32>
    ```
  }];
  let arguments = (ins NN_IdTensor:$ids, NN_FloatTensor:$values, I64Attr:$size);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$ids `,` $values `size` $size attr-dict `:` type(operands)";
}

//===----------------------------------------------------------------------===//
// Over one dimension
//===----------------------------------------------------------------------===//

class NN_ReductionOp<string mnemonic> : NN_PureOp<mnemonic> {
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `over` $dim attr-dict `:` type($input)";
  let hasFolder = 1;
}

def NN_SumOp : NN_ReductionOp<"sum"> {
  let summary = "Sum over one dimension.";
  let description = [{
    The sum of no rows is 0.

    ```mlir
    %s = nn.sum %h over 0 : tensor<?x150xf32>
    ```
  }];
}

def NN_MeanOp : NN_ReductionOp<"mean"> {
  let summary = "Mean over one dimension.";
  let description = [{
    The mean of no rows is 0.

    ```mlir
    %s = nn.mean %x over 0 : tensor<?x300xf32>
    ```
  }];
}

def NN_MaxOp : NN_ReductionOp<"max"> {
  let summary = "Maximum over one dimension.";
  let description = [{
    The maximum of no rows is 0; a NaN gives NaN. The gradient goes to the first
    of equal maxima.

    ```mlir
    %s = nn.max %x over 0 : tensor<?x300xf32>
    ```
  }];
}

def NN_LogSumExpOp : NN_PureOp<"log_sum_exp"> {
  let summary = "Logarithm of the sum of exponentials over one dimension.";
  let description = [{
    Minus infinity of no rows, and where all elements are; the gradient is the softmax,
    and there 0.

    ```mlir
    %z = nn.log_sum_exp %scores over 0 : tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `over` $dim attr-dict `:` type($input)";
}

def NN_MaxGradOp : NN_PureOp<"max_grad"> {
  let summary = "Sends values to the first of the greatest elements of a dimension.";
  let description = [{
    `dy` where `input` is greatest for the first time along dimension `dim`, 0
    elsewhere: the gradient of `nn.max`.

    ```mlir
    %dx = nn.max_grad %x, %dy over 0 : tensor<?x300xf32>, tensor<300xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_FloatTensor:$dy, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `,` $dy `over` $dim attr-dict `:` type(operands)";
}

class NN_AlongOp<string mnemonic> : NN_PureOp<mnemonic> {
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `over` $dim attr-dict `:` type($input)";
}

def NN_SoftmaxOp : NN_AlongOp<"softmax"> {
  let summary = "Softmax over one dimension.";
  let description = [{
    `exp(x - max) / sum exp(x - max)`. Over no rows the result has no rows.

    ```mlir
    %a = nn.softmax %scores over 0 : tensor<?xf32>
    ```
  }];
}

def NN_LogSoftmaxOp : NN_AlongOp<"log_softmax"> {
  let summary = "Logarithm of the softmax over one dimension.";
  let description = [{
    ```mlir
    %lp = nn.log_softmax %logits over 0 : tensor<5xf32>
    ```
  }];
}

def NN_L2NormalizeOp : NN_PureOp<"l2_normalize"> {
  let summary = "Division by the Euclidean norm over one dimension.";
  let description = [{
    `x / sqrt(max(sum x^2, eps^2))`: a zero vector stays zero and has a finite
    gradient.

    ```mlir
    %u = nn.l2_normalize %x over 0 : tensor<300xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim,
                       DefaultValuedAttr<F64Attr, "1e-8">:$eps);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `over` $dim (`eps` $eps^)? attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
}

def NN_LayerNormOp : NN_PureOp<"layer_norm"> {
  let summary = "Rows of mean 0 and variance 1, scaled and shifted.";
  let description = [{
    `(x - mean) / sqrt(variance + eps) * scale + shift` over the last dimension
    (Ba et al. 2016, eq. 4); the variance is the mean of the squared deviations.

    ```mlir
    %y = nn.layer_norm %x, %g, %b : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_FloatTensor:$scale,
                       NN_FloatTensor:$shift,
                       DefaultValuedAttr<NN_F64Attr, "1e-5">:$eps);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $shift (`eps` custom<Real>($eps)^)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def NN_CosineSimilarityOp : NN_PureOp<"cosine_similarity"> {
  let summary = "Cosine of the angle between vectors over one dimension.";
  let description = [{
    The scalar product of the two `nn.l2_normalize`d vectors; 0 if one is zero.

    ```mlir
    %a = nn.cosine_similarity %q, %p over 1 : tensor<?x64xf32>, tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs, I64Attr:$dim,
                       DefaultValuedAttr<F64Attr, "1e-8">:$eps);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `over` $dim (`eps` $eps^)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

include "dialects/NN/IR/ShapeOps.td"
include "dialects/NN/IR/AttentionOps.td"
include "dialects/NN/IR/RowOps.td"
include "dialects/NN/IR/EachOp.td"
include "dialects/NN/IR/SelectOps.td"

#endif // CAMBIUM_NN_OPS_TD
