//===-- runtime/data/Readers.h - The readers by format ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_READERS_H
#define CAMBIUM_DATA_READERS_H

#include "cambium/data.h"

namespace cambium::data {

/// Labelled trees in brackets, one per line.
std::unique_ptr<Reader> createPtbReader();
/// Arithmetic expressions in prefix notation with their values.
std::unique_ptr<Reader> createCobaReader();
/// Pairs of sentences with scores and labels.
std::unique_ptr<Reader> createPairReader();
/// Dependency trees of Universal Dependencies.
std::unique_ptr<Reader> createConlluReader();
/// Words in brackets without labels, and perhaps a class before them.
std::unique_ptr<Reader> createBracketsReader();
/// Phrases with labels, and perhaps a class before them.
std::unique_ptr<Reader> createConstituentsReader();
/// ListOps: a class, and an expression in brackets or prefix notation.
std::unique_ptr<Reader> createListOpsReader();
/// Columns whose names and types the first line gives.
std::unique_ptr<Reader> createTableReader();
/// Texts, and perhaps classes before them.
std::unique_ptr<Reader> createTextReader();

} // namespace cambium::data

#endif // CAMBIUM_DATA_READERS_H
