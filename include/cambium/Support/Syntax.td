//===-- cambium/Support/Syntax.td - What parsers written by hand read -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_SYNTAX_TD
#define CAMBIUM_SUPPORT_SYNTAX_TD

/// The grammar of an op or an attribute whose parser is written by hand, for the
/// reference. `test/Doc/syntax.test` holds the examples against it. Words in backquotes stand as they are; `value`, `type`,
/// `symbol`, `string`, `number`, `name`, `attribute`, `dictionary`, `region` and
/// `attr-dict` are those of MLIR. Lines behind the first one define words of their own.
class CustomSyntax<string text> {
  string customSyntax = text;
}

#endif // CAMBIUM_SUPPORT_SYNTAX_TD
