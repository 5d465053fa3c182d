//===-- Carry.cpp - State handed from batch to batch ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Carry.h"
#include "Format.h"
#include "Names.h"

#include <algorithm>
#include <charconv>

using namespace cambium;
using namespace cambium::train;

Status train::parseCarry(const std::vector<std::string> &texts,
                         const std::string &by, CarryOptions &options) {
  options.by = by;
  for (const std::string &text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos || equals + 1 == text.size())
      return Status::error("expected --carry INPUT=OUTPUT, but got '" + text +
                           "'");
    options.outputs[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return by.empty() || options.areGiven()
             ? Status()
             : Status::error("expected --carry beside --carry-by");
}

/// The column that numbers texts; null without one.
static Status findColumn(const data::Dataset &dataset, const std::string &by,
                         const data::Field *&field) {
  field = nullptr;
  if (by.empty())
    return Status();
  field = dataset.find(by);
  if (!field)
    return Status::error("expected --carry-by with a field of " +
                         dataset.source + ", one of " + dataset.fieldNames() +
                         ", but got '" + by + "'" +
                         didYouMean(by, data::namesOf(dataset)));
  if (field->kind != data::FieldKind::I32 || field->perRow || field->width != 1)
    return Status::error("expected --carry-by with a number or a class per "
                         "line, but the field '" +
                         by + "' is none");
  return Status();
}

Status train::findTexts(const data::Dataset &dataset, const std::string &by,
                        int64_t streams, std::vector<int32_t> &begins) {
  const data::Field *field = nullptr;
  if (Status status = findColumn(dataset, by, field); !status.ok())
    return status;
  const int64_t lines = dataset.size();
  const int64_t length = std::max<int64_t>(1, (lines + streams - 1) / streams);
  begins.clear();
  for (int64_t i = 0; i < lines; ++i)
    if (field ? i == 0 || *field->intsOf(i) != *field->intsOf(i - 1)
              : i % length == 0)
      begins.push_back(static_cast<int32_t>(i));
  return Status();
}

static Status mismatch(const EntrySpec &entry, const std::string &what) {
  return Status::error("--carry: expected " + what + " of '" + entry.name +
                       "'");
}

/// The output that becomes an input: a number or a tensor of the same shape.
static Status findOutput(const EntrySpec &entry, const TensorSpec &input,
                         const std::string &name, size_t &output) {
  std::vector<std::string> names;
  for (output = 0; output < entry.outputs.size(); ++output) {
    names.push_back(entry.outputs[output].name);
    if (names.back() == name)
      break;
  }
  if (output == entry.outputs.size())
    return Status::error("--carry: expected an output of '" + entry.name +
                         "', but got '" + name + "'" + didYouMean(name, names));
  const TensorSpec &spec = entry.outputs[output];
  if (input.space != CAMBIUM_SPACE_EXAMPLE || input.edgesOf >= 0)
    return mismatch(entry,
                    "one value per example in the input '" + input.name + "'");
  if (spec.space != CAMBIUM_SPACE_EXAMPLE || spec.edgesOf >= 0)
    return mismatch(entry,
                    "one value per example in the output '" + name + "'");
  if (spec.type != input.type || spec.shape != input.shape)
    return mismatch(entry, "the type and the shape " +
                               formatShape(input.shape) + " of the input '" +
                               input.name + "' in the output '" + name + "'");
  return Status();
}

Status Carry::create(const EntrySpec &entry, const data::Dataset &dataset,
                     const CarryOptions &options, int64_t streams,
                     Carry &result) {
  Carry carry;
  size_t most = 0;
  for (size_t i = 0; i < entry.inputs.size(); ++i) {
    const TensorSpec &input = entry.inputs[i];
    auto given = options.outputs.find(input.name);
    if (given == options.outputs.end())
      continue;
    Part part = {
        i, 0,
        static_cast<size_t>(input.rowElements * cambium_type_size(input.type))};
    if (Status status = findOutput(entry, input, given->second, part.output);
        !status.ok())
      return status;
    most = std::max(most, part.bytes);
    carry.parts.push_back(part);
  }
  std::vector<int32_t> firsts;
  Status status = findTexts(dataset, options.by, streams, firsts);
  if (status.ok())
    status = findColumn(dataset, options.by, carry.texts);
  carry.zeros.assign(most, 0);
  carry.begins.assign(dataset.size(), 0);
  for (int32_t first : firsts)
    carry.begins[first] = 1;
  result = std::move(carry);
  return status;
}

int64_t Carry::partOf(size_t input) const {
  for (size_t k = 0; k < parts.size(); ++k)
    if (parts[k].input == input)
      return static_cast<int64_t>(k);
  return -1;
}

const void *Carry::stateOf(size_t input, int32_t example) const {
  auto found = states.find(example);
  return found == states.end() ? zeros.data()
                               : found->second[partOf(input)].data();
}

size_t Carry::numOutputs() const {
  size_t count = 0;
  for (const Part &part : parts)
    count = std::max(count, part.output + 1);
  return count;
}

std::vector<std::vector<char>>
Carry::statesOf(const std::vector<Output> &outputs, int64_t row) const {
  std::vector<std::vector<char>> all;
  for (const Part &part : parts) {
    const char *bytes = outputs[part.output].bytes.data() + row * part.bytes;
    all.emplace_back(bytes, bytes + part.bytes);
  }
  return all;
}

void Carry::take(const std::vector<int32_t> &examples,
                 const std::vector<Output> &outputs) {
  if (!isOn())
    return;
  for (int32_t example : examples)
    states.erase(example);
  for (size_t row = 0; row < examples.size(); ++row) {
    const size_t next = static_cast<size_t>(examples[row]) + 1;
    if (next < begins.size() && !begins[next])
      states[static_cast<int32_t>(next)] = statesOf(outputs, row);
  }
}

void Carry::goOn(const End &end) {
  if (end.isThere && !begins.empty() &&
      (!texts || *texts->intsOf(0) == end.text))
    states[0] = end.states;
}

void Carry::leave(int32_t last, const std::vector<Output> &outputs, int64_t row,
                  End &end) const {
  end = {true, texts ? *texts->intsOf(last) : 0, statesOf(outputs, row)};
}

//===----------------------------------------------------------------------===//
// As a text
//===----------------------------------------------------------------------===//

/// `12:0a1b..,..;13:...`: the example, and the bytes of each part.
std::string Carry::toText() const {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (const auto &[example, all] : states) {
    text += (text.empty() ? "" : ";") + std::to_string(example);
    for (const std::vector<char> &bytes : all) {
      text += ':';
      for (const char byte : bytes) {
        text += digits[(byte >> 4) & 15];
        text += digits[byte & 15];
      }
    }
  }
  return text;
}

static bool readBytes(std::string_view text, std::vector<char> &bytes) {
  if (text.size() != 2 * bytes.size())
    return false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    const char *first = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, value, 16);
    if (error != std::errc() || end != first + 2)
      return false;
    bytes[i] = static_cast<char>(value);
  }
  return true;
}

/// What stands before the next separator, and goes on behind it.
static std::string_view takePart(std::string_view &text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

Status Carry::fromText(const std::string &text) {
  std::string_view rest = text;
  states.clear();
  while (!rest.empty()) {
    std::string_view item = takePart(rest, ';');
    const std::string_view number = takePart(item, ':');
    int32_t example = -1;
    std::from_chars(number.data(), number.data() + number.size(), example);
    bool isGood = example >= 0 && size_t(example) < begins.size();
    std::vector<std::vector<char>> all;
    for (const Part &part : parts) {
      all.emplace_back(part.bytes);
      isGood = isGood && readBytes(takePart(item, ':'), all.back());
    }
    if (!isGood || !item.empty())
      return Status::error("expected the states that are handed from example "
                           "to example (--carry), but they are damaged");
    states[example] = std::move(all);
  }
  return Status();
}
