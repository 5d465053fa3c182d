//===-- dialects/Depth/IR/SearchOp.td - Search for sequences -*- tablegen -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of DepthOps.td.
#ifndef CAMBIUM_DEPTH_SEARCH_OP_TD
#define CAMBIUM_DEPTH_SEARCH_OP_TD

// [DEPTH-SEARCH-C8]: SingleBlockImplicitTerminator.
def Depth_SearchOp : Depth_Op<"search", [
    DeclareOpInterfaceMethods<SizedOpInterface>, RecursiveMemoryEffects,
    NN_DrawsNumbers, SingleBlockImplicitTerminator<"YieldOp">]>, CustomSyntax<[{
  (`beam` number (`length_penalty` given)? | `sample` number (`among` number)?)
      `max` number (`id` number)? `begin` value `end` value
      (`carried` `(` value `=` value `:` type (`,` value `=` value `:` type)* `)`)?
      (`grows` `(` value `:` type (`,` value `:` type)* `)`)?
      `next` `(` value `:` type `)` (`attributes` dictionary)? region
}]> {
  let summary = "Sequences of words that a model gives great scores.";
  let description = [{
    The region extends hypotheses by one word. Its arguments hold a row for each
    hypothesis of the example that has not ended: the carried values, and its last
    word, at first `begin`. It yields, for each, the scores of all words as the next
    one, which are added up along the hypothesis (log-probabilities, say), and the
    values that are carried on with whatever word comes. A hypothesis whose word is
    `end` has ended. The search is over when all have, or have `max` words.

    `beam 5` keeps the five best of all extensions, and of those that have ended;
    `beam 1` takes the best word each time. With `length_penalty a` they are compared
    by score / length^a. `sample 5` draws the words of five hypotheses, each by itself,
    with probabilities that are the softmax of the scores; `among 50`, of the 50
    greatest.

    A carried value is one of the example; in the region it is a row of each
    hypothesis. What the region reads of the example's own rows, by `nn.attention`
    say, is there once for all hypotheses.

    What `grows` are rows of each hypothesis, one for each of its words: keys and values
    of attention to what was written, say. At first there are none. The region reads
    those of the words before, gives each hypothesis one more by `depth.append`, and
    yields them behind the carried values. A hypothesis that is extended by several
    words shares its rows with what becomes of it.

    Results: the words of each hypothesis, `end` behind them; their number, `end`
    counted; the scores. A beam stands in the order of its scores. The numbers of
    hypotheses and of words are sizes (`nn.sizes`), as dimensions of the results are.

    ```mlir
    func.func @write(%start: tensor<8xf32>, %E: tensor<60x8xf32>) -> (tensor<5x40xi32>, tensor<5xf32>) {
      %begin = arith.constant dense<1> : tensor<i32>
      %end = arith.constant dense<2> : tensor<i32>
      %words, %lengths, %scores = depth.search beam 5 max 40 begin %begin end %end
          carried(%h = %start : tensor<8xf32>) next(%w : tensor<?xi32>) {
        %x = nn.embed %w, %E : tensor<?xi32>, tensor<60x8xf32>
        %xh = arith.addf %x, %h : tensor<?x8xf32>
        %h1 = math.tanh %xh : tensor<?x8xf32>
        %back = nn.transpose %E perm [1, 0] : tensor<60x8xf32>
        %y = nn.linear %h1, %back : tensor<?x8xf32>, tensor<8x60xf32>
        %p = nn.log_softmax %y over 1 : tensor<?x60xf32>
        depth.yield %p, %h1 : tensor<?x60xf32>, tensor<?x8xf32>
      }
      return %words, %scores : tensor<5x40xi32>, tensor<5xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$count, I64Attr:$max, UnitAttr:$sampled,
                       OptionalAttr<I64Attr>:$among,
                       OptionalAttr<NN_F64Attr>:$length_penalty,
                       OptionalAttr<I64Attr>:$id,
                       RankedTensorOf<[I32]>:$begin, RankedTensorOf<[I32]>:$end,
                       Variadic<Depth_AnyTensor>:$init);
  let results = (outs Depth_Counts:$words, Depth_Counts:$lengths,
                      Depth_FloatTensor:$scores);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The last words of the hypotheses, and what is carried of each.
    ::mlir::BlockArgument getWordArg() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getStateArgs() {
      return getBody().getArguments().slice(1, getInit().size());
    }
    /// The rows of each hypothesis, and what is yielded for them.
    ::mlir::Block::BlockArgListType getGrownArgs() {
      return getBody().getArguments().drop_front(1 + getInit().size());
    }
    ::mlir::OperandRange getGrown();
    /// What is yielded for the carried values.
    ::mlir::OperandRange getNextStates();
    YieldOp getYield();
    /// The number of words that the region gives scores for.
    int64_t getNumWords();
  }];
}

def Depth_AppendOp : Depth_Op<"append", [Pure, AllTypesMatch<["rows", "result"]>]> {
  let summary = "One more row for each hypothesis of a search.";
  let description = [{
    `rows` are what grows in the `depth.search` around; `row` has a row for each
    hypothesis, which stands behind them.

    ```mlir
    func.func @write(%E: tensor<60x8xf32>) -> tensor<5x40xi32> {
      %begin = arith.constant dense<1> : tensor<i32>
      %end = arith.constant dense<2> : tensor<i32>
      %back = nn.transpose %E perm [1, 0] : tensor<60x8xf32>
      %words, %lengths, %scores = depth.search beam 5 max 40 begin %begin end %end
          grows(%seen : tensor<?x?x8xf32>) next(%w : tensor<?xi32>) {
        %x = nn.embed %w, %E : tensor<?xi32>, tensor<60x8xf32>
        %all = depth.append %seen, %x : tensor<?x?x8xf32>, tensor<?x8xf32>
        %a = nn.attention %x, %all, %all heads 2
          : tensor<?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>
        %y = nn.linear %a, %back : tensor<?x8xf32>, tensor<8x60xf32>
        %p = nn.log_softmax %y over 1 : tensor<?x60xf32>
        depth.yield %p, %all : tensor<?x60xf32>, tensor<?x?x8xf32>
      }
      return %words : tensor<5x40xi32>
    }
    ```
  }];
  let arguments = (ins Depth_AnyTensor:$rows, Depth_AnyTensor:$row);
  let results = (outs Depth_AnyTensor:$result);
  let assemblyFormat = "$rows `,` $row attr-dict `:` type($rows) `,` type($row)";
  let hasVerifier = 1;
}

#endif // CAMBIUM_DEPTH_SEARCH_OP_TD
