//===-- Carry.h - State handed from batch to batch --------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_CARRY_H
#define CAMBIUM_TRAIN_CARRY_H

#include "Engine.h"

#include <map>

namespace cambium::train {

/// Which outputs of an example become inputs of the next one of its text.
struct CarryOptions {
  std::map<std::string, std::string> outputs; ///< By input.
  /// Lines that follow one another and have the same number or class in this
  /// column are a text; empty: all lines are one.
  std::string by;

  bool areGiven() const { return !outputs.empty(); }
};

/// Parses "input=output" texts.
Status parseCarry(const std::vector<std::string> &texts, const std::string &by,
                  CarryOptions &options);

/// The lines where texts begin, in ascending order. Without a column, the lines
/// are cut into `streams` texts of the same length (but for the last one).
Status findTexts(const data::Dataset &dataset, const std::string &by,
                 int64_t streams, std::vector<int32_t> &begins);

/// The states between the examples of a data set.
class Carry {
public:
  /// What the last example of a data set hands over to another data set.
  struct End {
    bool isThere = false;
    int32_t text = 0; ///< In the column.
    std::vector<std::vector<char>> states;
  };

  /// Matches inputs and outputs of an entry. An entry without these inputs
  /// hands nothing over.
  static Status create(const EntrySpec &entry, const data::Dataset &dataset,
                       const CarryOptions &options, int64_t streams,
                       Carry &result);

  bool isOn() const { return !parts.empty(); }
  /// Whether the entry takes the input from the example before.
  bool feeds(size_t input) const { return partOf(input) >= 0; }
  /// What the example before has left; zeros where a text begins.
  const void *stateOf(size_t input, int32_t example) const;
  /// How many of an entry's outputs a call must give.
  size_t numOutputs() const;
  bool beginsText(int32_t example) const { return begins[example]; }

  /// Hands the states of a batch over.
  void take(const std::vector<int32_t> &examples,
            const std::vector<Output> &outputs);
  void clear() { states.clear(); }
  /// Goes on where another data set has ended, if its text does.
  void goOn(const End &end);
  void leave(int32_t last, const std::vector<Output> &outputs, int64_t row,
             End &end) const;

  /// All states that wait for their example.
  std::string toText() const;
  Status fromText(const std::string &text);

private:
  struct Part {
    size_t input, output;
    size_t bytes;
  };
  int64_t partOf(size_t input) const;
  std::vector<std::vector<char>> statesOf(const std::vector<Output> &outputs,
                                          int64_t row) const;

  std::vector<Part> parts;
  std::vector<char> begins; ///< By example: whether a text begins with it.
  std::vector<char> zeros;
  const data::Field *texts = nullptr;
  /// By the example that takes them, each part.
  std::map<int32_t, std::vector<std::vector<char>>> states;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_CARRY_H
