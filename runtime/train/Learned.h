//===-- Learned.h - What a run keeps of what its reader has learned -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_LEARNED_H
#define CAMBIUM_TRAIN_LEARNED_H

#include "RunFolder.h"

namespace cambium::train {

/// A vocabulary and its name; the one that most readers have is "".
using NamedVocabulary = std::pair<std::string, data::Vocabulary *>;
std::vector<NamedVocabulary> vocabulariesOf(data::Reader &reader);

/// The vocabulary of that name, or null.
data::Vocabulary *findVocabulary(data::Reader &reader, const std::string &name);

/// Loads the vocabularies that are given (--vocab, --vocab-of).
Status loadVocabularies(const DataOptions &options, data::Reader &reader);

/// Loads what classes are called (--labels).
Status loadLabels(const DataOptions &options, data::Reader &reader);

/// Keeps the columns, the vocabularies and the labels of a reader in the folder
/// of a run, and takes them from there.
Status saveLearned(const RunFolder &folder, data::Reader &reader);
Status loadLearned(const RunFolder &folder, data::Reader &reader);
/// The files that were kept, with what they are for messages.
std::vector<std::pair<std::string, std::string>>
learnedFiles(const RunFolder &folder, data::Reader &reader);

/// Whether the same file means the same to the readers of two runs. Where the
/// files of the runs lie does not matter.
Status compareReaders(const RunFolder &one, const RunFolder &other);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_LEARNED_H
