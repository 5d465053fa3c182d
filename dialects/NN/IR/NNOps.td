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
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class NN_Op<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, traits>;

// [NN-TYPES-C1]
def NN_FloatTensor : RankedTensorOf<[F32, F64]>;
def NN_IdTensor : RankedTensorOf<[I32]>;
def NN_AnyTensor : RankedTensorOf<[F32, F64, I32, I64]>;
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
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def NN_BroadcastOp : NN_Op<"broadcast", [Pure]> {
  let summary = "Repeats a tensor along new dimensions.";
  let description = [{
    Dimension `i` of the input is dimension `dims[i]` of the result. The number
    of rows of a result with a `?` is that of the operand `like`.

    ```mlir
    %q = nn.broadcast %query dims [1] like %keys : tensor<64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$input, Optional<NN_AnyTensor>:$like,
                       DenseI64ArrayAttr:$dims);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims (`like` $like^)? attr-dict `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_ConcatOp : NN_PureOp<"concat"> {
  let summary = "Tensors one after the other along a dimension.";
  let description = [{
    ```mlir
    %y = nn.concat %a, %b over 0 : tensor<150xf32>, tensor<150xf32>
    ```
  }];
  let arguments = (ins Variadic<NN_FloatTensor>:$inputs, I64Attr:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$inputs `over` $dim attr-dict `:` type($inputs)";
  let hasFolder = 1;
}

def NN_SplitOp : NN_PureOp<"split", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "Cuts a tensor along a dimension into parts of given sizes.";
  let description = [{
    The inverse of `nn.concat`.

    ```mlir
    %i, %o, %u = nn.split %g over 0 sizes [150, 150, 150] : tensor<450xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<NN_FloatTensor>:$results);
  let assemblyFormat = "$input `over` $dim `sizes` $sizes attr-dict `:` type($input)";
}

def NN_SliceOp : NN_PureOp<"slice", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "A range of a dimension.";
  let description = [{
    Elements `offset` to `offset + size - 1` of dimension `dim`.

    ```mlir
    %l = nn.slice %hk over 0 from 0 size 1 : tensor<2x150xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim, I64Attr:$offset, I64Attr:$size);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat =
    "$input `over` $dim `from` $offset `size` $size attr-dict `:` type($input)";
  let hasFolder = 1;
}

def NN_PadOp : NN_PureOp<"pad", [DeclareOpInterfaceMethods<SizedOpInterface>]> {
  let summary = "Zeros before and after a dimension.";
  let description = [{
    ```mlir
    %y = nn.pad %x over 0 low 150 high 0 : tensor<150xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, I64Attr:$dim, I64Attr:$low, I64Attr:$high);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat =
    "$input `over` $dim `low` $low `high` $high attr-dict `:` type($input)";
}

def NN_ReshapeOp : NN_Op<"reshape", [Pure]> {
  let summary = "The same elements in another shape.";
  let description = [{
    Row-major order is kept. A `?` must stay the first dimension.

    ```mlir
    %flat = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    ```
  }];
  let arguments = (ins NN_AnyTensor:$input);
  let results = (outs NN_AnyTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_TransposeOp : NN_PureOp<"transpose"> {
  let summary = "Permutes dimensions.";
  let description = [{
    Dimension `i` of the result is dimension `perm[i]` of the input.

    ```mlir
    %t = nn.transpose %W perm [1, 0] : tensor<300x150xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input `perm` $perm attr-dict `:` type($input)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Regularization and losses
//===----------------------------------------------------------------------===//

def NN_DropoutOp : NN_PureOp<"dropout", [NN_DrawsNumbers]> {
  let summary = "Sets elements to zero at random while training.";
  let description = [{
    Each element is zero with probability `rate`, and otherwise divided by
    `1 - rate`. Outside training the op is the identity. The mask is a function
    of the example's key (docs/Design.md): it does not depend on the batch.
    `keys` (one per row) and `id` are the compiler's to fill in.

    ```mlir
    %y = nn.dropout %x rate 0.2 : tensor<300xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, Optional<RankedTensorOf<[I64]>>:$keys,
                       NN_F64Attr:$rate, OptionalAttr<I64Attr>:$id);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `rate` custom<Real>($rate) (`keys` $keys^)? (`id` $id^)? attr-dict
    `:` type(operands)
  }];
}

def NN_CrossEntropyOp : NN_PureOp<"cross_entropy"> {
  let summary = "Cross entropy of logits against classes or distributions.";
  let description = [{
    Over the last dimension: `-log_softmax(logits)[target]` for an `i32` target,
    `-sum target * log_softmax(logits)` for a distribution. A target equal to
    `ignore_id` gives 0.

    ```mlir
    %l = nn.cross_entropy %logits, %label : tensor<5xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$logits, NN_AnyTensor:$target,
                       OptionalAttr<I64Attr>:$ignore_id);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $target (`ignore_id` $ignore_id^)? attr-dict `:` type(operands)
  }];
}

def NN_KLDivergenceOp : NN_PureOp<"kl_divergence"> {
  let summary = "Kullback-Leibler divergence of a distribution from a target.";
  let description = [{
    Over the last dimension: `sum p (log p - log_q)` for the target `p` and the
    log-probabilities `log_q`, with `0 log 0 = 0`.

    ```mlir
    %l = nn.kl_divergence %p, %logq : tensor<5xf32>, tensor<5xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$target, NN_FloatTensor:$log_probs);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$target `,` $log_probs attr-dict `:` type(operands)";
}

def NN_MseOp : NN_PureOp<"mse"> {
  let summary = "Mean squared error.";
  let description = [{
    The mean of `(a - b)^2` over the last dimension; of scalars, the square.

    ```mlir
    %l = nn.mse %y, %target : tensor<f32>, tensor<f32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type(operands)";
}

include "dialects/NN/IR/AttentionOps.td"
include "dialects/NN/IR/RowOps.td"

#endif // CAMBIUM_NN_OPS_TD
