//===-- dialects/NN/IR/ShapeOps.td - Ops of shapes, dropout and losses ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of NNOps.td.
#ifndef CAMBIUM_NN_SHAPE_OPS_TD
#define CAMBIUM_NN_SHAPE_OPS_TD

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
  let arguments = (ins NN_AnyOrFlags:$input, Optional<NN_AnyOrFlags>:$like,
                       DenseI64ArrayAttr:$dims);
  let results = (outs NN_AnyOrFlags:$result);
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
  let arguments = (ins Variadic<NN_AnyTensor>:$inputs, I64Attr:$dim);
  let results = (outs NN_AnyTensor:$result);
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
  let arguments = (ins NN_AnyTensor:$input, I64Attr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<NN_AnyTensor>:$results);
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
  let arguments = (ins NN_AnyTensor:$input, I64Attr:$dim, I64Attr:$offset, I64Attr:$size);
  let results = (outs NN_AnyTensor:$result);
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
  let arguments = (ins NN_AnyTensor:$input, I64Attr:$dim, I64Attr:$low, I64Attr:$high);
  let results = (outs NN_AnyTensor:$result);
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
  let arguments = (ins NN_AnyTensor:$input, DenseI64ArrayAttr:$perm);
  let results = (outs NN_AnyTensor:$result);
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

def NN_Distribution : I32EnumAttr<"Distribution", "what random numbers are like", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Normal", 1, "normal">,
    I32EnumAttrCase<"Gumbel", 2, "gumbel">, I32EnumAttrCase<"Integer", 3, "integer">]> {
  let cppNamespace = "::cambium::nn";
  let genSpecializedAttr = 0;
}
def NN_DistributionAttr : EnumAttr<NN_Dialect, NN_Distribution, "distribution"> {
  let assemblyFormat = "$value";
  let summary = "What random numbers are like.";
  let description = [{
    `uniform`, `normal`, `gumbel` or `integer`.

    ```mlir
    %u = nn.random uniform(-1.0, 1.0) : tensor<8xf32>
    ```
  }];
}

def NN_RandomOp : NN_Op<"random", [Pure, AttrSizedOperandSegments, NN_DrawsNumbers]> {
  let summary = "Random numbers.";
  let description = [{
    `uniform(low, high)`, without high; `normal(mean, deviation)`; `gumbel(location,
    scale)`; `integer(low, high)`, without high. One for each element of the result,
    whose rows are those of `like`. What is drawn is a function of the example's key
    (docs/Design.md), so that it does not depend on the batch; gradients take it for a
    constant. With `training` the numbers are zero outside of training steps. `keys`
    (one per row) and `id` are the compiler's to fill in.

    ```mlir
    %noise = nn.random normal(0.0, 1.0) like %x : tensor<?x256xf32> -> tensor<?x256xf32>
    %offset = nn.random integer(0.0, 500.0) training : tensor<i32>
    ```
  }];
  let arguments = (ins NN_DistributionAttr:$distribution, NN_F64Attr:$first,
                       NN_F64Attr:$second, Optional<NN_AnyTensor>:$like,
                       Optional<RankedTensorOf<[I64]>>:$keys, UnitAttr:$training,
                       OptionalAttr<I64Attr>:$id);
  let results = (outs RankedTensorOf<[F32, F64, I32]>:$result);
  let assemblyFormat = [{
    $distribution `(` custom<Real>($first) `,` custom<Real>($second) `)`
    (`training` $training^)? (`keys` `(` $keys^ `:` type($keys) `)`)? (`id` $id^)?
    attr-dict (`like` $like^ `:` type($like) `->`) : (`:`)? type($result)
  }];
  let hasVerifier = 1;
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

#endif // CAMBIUM_NN_SHAPE_OPS_TD
