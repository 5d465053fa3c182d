//===-- runtime/train/WordVectors.h - Parameters from word vectors --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_WORDVECTORS_H
#define CAMBIUM_TRAIN_WORDVECTORS_H

#include "Engine.h"

namespace cambium::train {

/// A parameter and the file that its rows come from.
struct VectorSource {
  size_t parameter = 0; ///< In Engine::parameters.
  std::string path;
  std::string vocabulary; ///< Of a table; empty: the one without a name.
};

/// Parses "PARAMETER=FILE" and "PARAMETER:VOCABULARY=FILE" texts. The parameter
/// must be a matrix of f32.
Status parseVectorSources(const std::vector<std::string> &texts,
                          const Engine &engine,
                          std::vector<VectorSource> &sources);

/// Sets the rows of the words that the files know; the others keep the values
/// that they were drawn with. `summary` says how many that are.
Status loadVectors(const std::vector<VectorSource> &sources,
                   data::Reader &reader, Engine &engine, std::string &summary);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_WORDVECTORS_H
