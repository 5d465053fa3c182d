//===-- Binding.h - Fields of a data set as inputs of an entry ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_BINDING_H
#define CAMBIUM_TRAIN_BINDING_H

#include "Carry.h"
#include "Engine.h"
#include "Formula.h"
#include "Sets.h"

#include <map>

namespace cambium::train {

/// What feeds an input, where that is not the field of its name.
struct Feeds {
  std::map<std::string, std::string> fields; ///< Another field, by input.
  /// One value for all examples, by input.
  std::map<std::string, Formula> values;
  SetOptions sets = {}; ///< Of functions that take sets.
  CarryOptions carry = {};

  /// The name of the field that feeds an input.
  const std::string &fieldOf(const std::string &input) const;
};

/// Parses "input=field" and "input=formula" texts.
Status parseFeeds(const std::vector<std::string> &maps,
                  const std::vector<std::string> &values, Feeds &feeds);

/// Which field of a data set feeds which input of an entry, by name.
class Binding {
public:
  /// Matches all inputs; an input without a suitable field is an error that
  /// names the fields there are.
  static Status create(const EntrySpec &entry, const data::Dataset &dataset,
                       const Feeds &feeds, Binding &result);

  /// Whether an example of the entry is a set of lines.
  bool areSets() const { return takesSets; }
  /// All lines of the data set, in which those of an example stand together.
  std::vector<int32_t> linesInOrder() const;
  /// The number of lines from `first` on that are whole examples and at least
  /// `wanted` lines, where there are so many.
  int64_t countFrom(const std::vector<int32_t> &lines, int64_t first,
                    int64_t wanted) const;

  /// Takes states from here; else every example begins a text.
  void setCarry(const Carry *newCarry) { carry = newCarry; }

  /// Whether what `--value` gives an input changes with the training.
  bool changes() const;

  /// Clears the batch and fills it with examples of the data set, whose indices
  /// are also their ordinals; the ordinal of a set is that of its first line.
  Status fill(Batch &batch, const int32_t *examples, int64_t count,
              uint64_t keySeed, const TrainingPoint &progress = {});

private:
  Status findSets(const Feeds &feeds);
  bool wantsRows(const TensorSpec &spec) const;
  Status addInput(const TensorSpec &spec, const Feeds &feeds);
  Status compute(size_t input, const TrainingPoint &progress);
  Status add(Batch &batch, int64_t example);
  Status addSet(Batch &batch, const int32_t *lines, int64_t count);
  Status countRows(Batch &batch, const int32_t *lines, int64_t count);
  const void *convert(const data::Field &field, int64_t example,
                      cambium_type_t type);

  const EntrySpec *entry = nullptr;
  const data::Dataset *dataset = nullptr;
  /// A field, or, where that is null, the bytes of one value, and where they
  /// come from.
  struct Input {
    const data::Field *field;
    std::vector<char> value;
    Formula formula = {};
  };
  const Carry *carry = nullptr;
  std::vector<const data::Field *> trees;
  std::vector<Input> inputs;
  std::vector<char> converted;
  /// Whether an example is a set of lines, and of which.
  bool takesSets = false;
  Sets sets;
  std::vector<char> members;
};

/// The field that feeds the input `name`, or null.
const data::Field *fieldOf(const data::Dataset &dataset, const Feeds &feeds,
                           const std::string &name);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_BINDING_H
