// spans.mlir - What the words of a span have changed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Wang, B. Chang: Graph-based Dependency Parsing with Bidirectional LSTM. ACL 2016, section 3.3;
// M. Stern, J. Andreas, D. Klein: A Minimal Span-Based Neural Constituency Parser. ACL 2017.
nn.sizes {hidden = 100, span = 2 * hidden}

!h = tensor<?x100xf32>
!window = tensor<?x2x100xf32>
!side = tensor<?x1x100xf32>
!ids = tensor<?xi32>
!spans = tensor<?x200xf32>

/// The rows of two that stand side by side.
func.func private @both_rows(%k: !window) -> (!h, !h) {
  %a, %b = nn.split %k over 1 sizes [1, 1] : !window
  %one = nn.reshape %a : !side -> !h
  %two = nn.reshape %b : !side -> !h
  return %one, %two : !h, !h
}

/// f_j - f_{i-1} of what was read from the left and b_i - b_{j+1} of what was read from the right, of
/// the span from word i to word j; states beside the sentence are zero.
func.func private @span_vectors(%f: !h, %b: !h, %first: !ids, %last: !ids) -> !spans {
  %fw = nn.window %f before 1 after 0 : !h
  %fb, %fs = nn.call @both_rows(%fw) : (!window) -> (!h, !h)
  %bw = nn.window %b before 0 after 1 : !h
  %bs, %bb = nn.call @both_rows(%bw) : (!window) -> (!h, !h)
  %f1 = nn.take %f, %last : !h, !ids
  %f0 = nn.take %fb, %first : !h, !ids
  %b1 = nn.take %b, %first : !h, !ids
  %b0 = nn.take %bb, %last : !h, !ids
  %df = arith.subf %f1, %f0 : !h
  %db = arith.subf %b1, %b0 : !h
  %s = nn.concat %df, %db over 1 : !h, !h
  return %s : !spans
}
